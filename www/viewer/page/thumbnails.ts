// Thumbnails of the examples, drawn from formulas instead of loaded.
import { labelColour, palette, rgb } from '../draw/colours.js'

type Point = (x: number, y: number) => number

const map = (name: string, value: Point): Point => {
  const colours = palette(name)
  return (x, y) => colours[Math.round(Math.max(0, Math.min(1, value(x, y))) * (colours.length - 1))]!
}
/** Pseudo-random points. */
const points = Array.from({ length: 26 }, (_, k) => [(k * 0.7548777) % 1, (k * 0.5698403) % 1] as const)
const nearest: Point = (x, y) => {
  const far = points.map(([px, py]) => Math.hypot((x - px) * 1.6, y - py))
  const least = Math.min(...far)
  return least < 0.16 ? far.indexOf(least) + 1 : 0
}
const wave = (x: number): number => 0.5 - 0.4 * Math.sin(6.3 * (1 + 5 * x) * x * 2) * Math.exp(-((x - 0.5) ** 2) * 7)

const PICTURES: Record<string, Point> = {
  field: map('viridis', (x, y) => {
    const far = Math.hypot((x - 0.4) * 6.4, (y - 0.55) * 4)
    return 0.5 + 0.45 * Math.cos(2.2 * far + 2.6) * Math.exp(-far / 4)
  }),
  stack: map(
    'inferno',
    (x, y) =>
      0.06 +
      points
        .slice(0, 14)
        .reduce(
          (sum, [px, py], k) => sum + Math.exp(-((x - px) ** 2 * 2.56 + (y - py) ** 2) * (140 + 60 * (k % 5))),
          0,
        ),
  ),
  photo: (x, y) => {
    const ridge = 0.6 + 0.14 * Math.sin(5 * x + 1) + 0.06 * Math.sin(17 * x)
    const sun = Math.exp(-((x - 0.72) ** 2 * 2.56 + (y - 0.34) ** 2) / 0.012)
    return y > ridge
      ? rgb(38 - 20 * y, 34 + 14 * y, 56 - 6 * y)
      : rgb(
          Math.min(255, 70 + 170 * y + 150 * sun),
          Math.min(255, 105 + 35 * y + 120 * sun),
          Math.min(255, 180 - 88 * y + 70 * sun),
        )
  },
  labels: (x, y) => labelColour(nearest(x, y)),
  table: (x, y) => {
    const [row, column] = [Math.floor(y * 8), Math.floor(x * 4)]
    const filled =
      (x * 4) % 1 < 0.3 + 0.55 * ((row * 0.618 + column * 0.37) % 1) &&
      (x * 4) % 1 > 0.08 &&
      (y * 8) % 1 > 0.3 &&
      (y * 8) % 1 < 0.72
    return row === 0 ? rgb(49, 104, 142) : filled ? rgb(120, 146, 172) : rgb(236, 240, 245)
  },
  signal: (x, y) => {
    const [a, b] = [wave(x - 0.004), wave(x + 0.004)]
    return y > Math.min(a, b) - 0.014 && y < Math.max(a, b) + 0.014 ? rgb(0, 114, 178) : rgb(240, 244, 249)
  },
}

export function thumbnail(canvas: HTMLCanvasElement, name: string): void {
  const picture = PICTURES[name]
  const { width, height } = canvas
  const context = canvas.getContext('2d')
  if (!picture || !context) return
  const image = context.createImageData(width, height)
  const pixels = new Uint32Array(image.data.buffer)
  for (let k = 0; k < pixels.length; k++) pixels[k] = picture((k % width) / width, Math.floor(k / width) / height)
  context.putImageData(image, 0, 0)
}
