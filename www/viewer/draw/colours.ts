// Colour maps, which `b2nd preview` has, too. All are safe for colour-blind users except `labels`, in which neighbours also differ in lightness.

import table from '../../../cli/src/preview/colours.json' with { type: 'json' }

/** Colours are 0xAABBGGRR, as in an ImageData on little-endian machines. */
export type Palette = Uint32Array

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

/** The colours of values that no map contains: those that are not finite, and those without a logarithm. */
export const SPECIALS = table.odd
export const [NAN, PLUS, MINUS, NOT_POSITIVE] = Object.values(SPECIALS).map(hex => rgb(...channels(hex.slice(1)))) as [
  number,
  number,
  number,
  number,
]

const made = new Map<string, Palette>()
const SIZE = 1024

/** The colours of a map, from the minimum to the maximum. */
export function palette(name: string): Palette {
  const maps: Record<string, string> = table.maps
  const stops = (Object.hasOwn(maps, name) ? maps[name]! : table.maps.viridis).split(' ').map(channels)
  let colours = made.get(name)
  if (!colours) {
    colours = Uint32Array.from({ length: SIZE }, (_, k) => {
      const place = (k / (SIZE - 1)) * (stops.length - 1)
      const low = Math.min(Math.floor(place), stops.length - 2)
      const [a, b] = [stops[low]!, stops[low + 1]!]
      const mix = (channel: number) => Math.round(a[channel]! + (b[channel]! - a[channel]!) * (place - low))
      return rgb(mix(0), mix(1), mix(2))
    })
    made.set(name, colours)
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
  const number = Math.abs(label)
  const turn = (number * 0.6180339887) % 1
  const light = 0.48 + 0.22 * ((number * 0.7548776662) % 1)
  const channel = (offset: number) => {
    const k = (offset + turn * 12) % 12
    return Math.min(255, Math.round(255 * (light - 0.32 * Math.max(-1, Math.min(k - 3, 9 - k, 1)))))
  }
  return rgb(channel(0), channel(8), channel(4))
}

function channels(hex: string): [number, number, number] {
  return [0, 2, 4].map(at => parseInt(hex.slice(at, at + 2), 16)) as [number, number, number]
}

export function rgb(red: number, green: number, blue: number): number {
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0
}

export const css = (colour: number): string => `rgb(${colour & 255} ${(colour >> 8) & 255} ${(colour >> 16) & 255})`

/** Line colours for all kinds of colour vision (Okabe and Ito). */
export const LINES = table.lines
