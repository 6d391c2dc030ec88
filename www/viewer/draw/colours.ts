// Colour maps. All are safe for colour-blind users except `labels`, in which neighbours also differ in lightness.

/** Colours are 0xAABBGGRR, as in an ImageData on little-endian machines. */
export type Palette = Uint32Array

const STOPS: Record<string, string> = {
  viridis: '440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725',
  cividis: '00224e 123570 3b496c 575d6d 707173 8a8678 a59c74 c3b369 e1cc55 fee838',
  inferno: '000004 1b0c41 4a0c6b 781c6d a52c60 cf4446 ed6925 fb9b06 f7d13d fcffa4',
  magma: '000004 180f3d 440f76 721f81 9e2f7f cd4071 f1605d fd9668 feca8d fcfdbf',
  grey: '000000 ffffff',
  'blue–red': '053061 2166ac 4393c3 92c5de d1e5f0 f7f7f7 fddbc7 f4a582 d6604d b2182b 67001f',
  'purple–orange': '2d004b 542788 8073ac b2abd2 d8daeb f7f7f7 fee0b6 fdb863 e08214 b35806 7f3b08',
  cyclic: 'e2d9e2 9ebbc9 6785be 5e43a5 2f1436 8e2c50 b9685a cfae9f e2d9e2',
}

export const MAPS: Record<string, string> = {
  viridis: 'viridis',
  cividis: 'cividis',
  inferno: 'inferno',
  magma: 'magma',
  grey: 'grey',
  'blue-red': 'blue–red (diverging)',
  'purple-orange': 'purple–orange (diverging)',
  cyclic: 'cyclic',
  labels: 'labels',
}

/** The colours of non-finite values, which no map contains. */
export const NAN = rgb(0xff, 0x5f, 0xc8)
export const PLUS = rgb(0xff, 0xff, 0xff)
export const MINUS = rgb(0x3c, 0x14, 0x14)
/** The colour of values without a logarithm. */
export const NOT_POSITIVE = rgb(0x00, 0xd5, 0xff)
export const SPECIALS = { NaN: '#ff5fc8', '+∞': '#ffffff', '−∞': '#3c1414', '≤ 0': '#00d5ff' }

const made = new Map<string, Palette>()
const SIZE = 1024

/** The colours of a map, from the minimum to the maximum. */
export function palette(name: string): Palette {
  const key = name.replace('-', '–')
  const stops = (Object.hasOwn(STOPS, key) ? STOPS[key]! : STOPS['viridis']!)
    .split(' ')
    .map(hex => [0, 2, 4].map(at => parseInt(hex.slice(at, at + 2), 16)))
  let colours = made.get(key)
  if (!colours) {
    colours = Uint32Array.from({ length: SIZE }, (_, k) => {
      const place = (k / (SIZE - 1)) * (stops.length - 1)
      const low = Math.min(Math.floor(place), stops.length - 2)
      const [a, b] = [stops[low]!, stops[low + 1]!]
      const mix = (channel: number) => Math.round(a[channel]! + (b[channel]! - a[channel]!) * (place - low))
      return rgb(mix(0), mix(1), mix(2))
    })
    made.set(key, colours)
  }
  return colours
}

/** Draws a map as a picture one pixel wide, with the maximum on top. */
export function strip(name: string): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: SIZE })
  const image = new ImageData(1, SIZE)
  new Uint32Array(image.data.buffer).set(palette(name).toReversed())
  canvas.getContext('2d')!.putImageData(image, 0, 0)
  return canvas
}

/** A colour for an integer: 0 is dark, and neighbours differ strongly. */
export function labelColour(label: number): number {
  if (label === 0) return rgb(24, 24, 27)
  const turn = (label * 0.6180339887) % 1
  const light = 0.48 + 0.22 * ((label * 0.7548776662) % 1)
  const channel = (offset: number) => {
    const k = (offset + Math.abs(turn) * 12) % 12
    return Math.round(255 * (light - 0.32 * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return rgb(channel(0), channel(8), channel(4))
}

export function rgb(red: number, green: number, blue: number): number {
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0
}

export const css = (colour: number): string => `rgb(${colour & 255} ${(colour >> 8) & 255} ${(colour >> 16) & 255})`

/** Line colours for all kinds of colour vision (Okabe and Ito). */
export const LINES = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#999999', '#b8a800']
