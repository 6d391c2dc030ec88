// The programs of the graphics processor that make pixels of values, with the rules of `paint.ts`.

/** Values that no number has, since these are at most 1e38: NaN and infinities do not survive in all textures. */
export const LARGEST = 1e38
export const ODD = { nan: 2e38, plus: 3e38, minus: -3e38 } as const

export const VERTEX = `#version 300 es
void main() {
  // A triangle that covers everything.
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}`

export const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2DArray;
uniform sampler2DArray values;
uniform sampler2D colours;
uniform ivec2 size;
uniform ivec2 tile;
uniform int across;
uniform vec2 start;
uniform vec2 step;
uniform int height;
uniform bool flip;
uniform int gathered;
uniform int scale;
uniform vec2 range;
uniform float base;
uniform float knee;
uniform vec4 specials[4];
out vec4 colour;

float valueAt(int x, int y) {
  ivec2 place = ivec2(x, y) / tile;
  return texelFetch(values, ivec3(ivec2(x, y) - place * tile, place.y * across + place.x), 0).r;
}

// The items of a pixel: those whose middle it has, or the one that it is a part of.
ivec2 itemsOf(float start, float step, int pixel) {
  if (step < 1.0) {
    int item = int(floor(start + (float(pixel) + 0.5) * step));
    return ivec2(item, item + 1);
  }
  return ivec2(ceil(start + vec2(pixel, pixel + 1) * step - 0.5));
}

float warped(float value) {
  if (scale == 0) return value;
  value += base;
  if (scale == 1) return log(value) / log(10.0);
  return sign(value) * log(1.0 + abs(value) / knee);
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  if (!flip) pixel.y = height - 1 - pixel.y;
  ivec2 xs = itemsOf(start.x, step.x, pixel.x);
  ivec2 ys = itemsOf(start.y, step.y, pixel.y);
  // What is no number is seen in the pixels to the left and above, too.
  ivec2 ends = ivec2(step.x < 1.0 ? xs.y : itemsOf(start.x, step.x, pixel.x + 1).y,
                     step.y < 1.0 ? ys.y : itemsOf(start.y, step.y, pixel.y + 1).y);
  if (xs.x >= size.x || ys.x >= size.y || xs.y <= 0 || ys.y <= 0) discard;
  float sum = 0.0;
  float extreme = gathered == 1 ? -3.4e38 : 3.4e38;
  int count = 0;
  int odd = -1;
  for (int y = max(ys.x, 0); y < min(ends.y, size.y); y++) {
    for (int x = max(xs.x, 0); x < min(ends.x, size.x); x++) {
      float value = valueAt(x, y);
      if (abs(value) > ${LARGEST.toExponential()}) odd = value < 0.0 ? 2 : value > 2.5e38 ? 1 : 0;
      else if (x < xs.y && y < ys.y) {
        sum += value;
        extreme = gathered == 1 ? max(extreme, value) : min(extreme, value);
        count++;
      }
    }
  }
  float value = gathered == 0 ? sum / float(count) : extreme;
  if (odd >= 0) colour = specials[odd];
  else if (scale == 1 && value + base <= 0.0) colour = specials[3];
  else {
    int last = textureSize(colours, 0).x - 1;
    float share = (warped(value) - range.x) / (range.y - range.x);
    colour = texelFetch(colours, ivec2(int(clamp(share * float(last), 0.0, float(last)) + 0.5), 0), 0);
  }
}`
