// From numbers to pixels.
import { labelColour, MINUS, NAN, NOT_POSITIVE, palette, PLUS } from './colours.js'
import { usable, warp, type Range } from './scale.js'
import type { Scale } from '../data/state.js'
import type { Numbers } from '../data/values.js'

/** How a plane lies in numbers. */
export interface Layout {
  width: number
  height: number
  /** Numbers from one column, and from one row, to the next. */
  right: number
  down: number
}

export interface Colouring {
  map: string
  scale: Scale
  range: Range
}

/** A painted plane. */
export interface Painted {
  canvas: HTMLCanvasElement
  /** Pixels that are not finite, as long as they are few: where the picture is drawn smaller, they are to be seen all the same. */
  spots: { pixel: number; colour: number }[]
}

const MOST_SPOTS = 4096

const REUSED = new Map<string, { canvas: HTMLCanvasElement; image: ImageData }>()

/** Paints a plane, one pixel for each number. The canvas is good until the next call for the same `slot`. */
export function paint(slot: string, numbers: Numbers, layout: Layout, colouring: Colouring): Painted {
  const { width, height, right, down } = layout
  const spots: Painted['spots'] = []
  const { min, max } = colouring.range
  const canvas = onto(slot, width, height, pixels => {
    if (colouring.scale === 'linear' && colouring.map !== 'labels' && Math.abs(max - min) < Infinity) return linear(pixels, numbers, layout, colouring, spots)
    const colour = colourer(numbers, colouring)
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const value = numbers[y * down + x * right]!
        pixels[at] = colour(value)
        if (value - value !== 0 && spots.length < MOST_SPOTS) spots.push({ pixel: at, colour: pixels[at]! })
      }
    }
  })
  return { canvas, spots }
}

/** The usual case, without a call for each number: scrubbing lives on it. */
function linear(
  pixels: Uint32Array, numbers: Numbers, { width, height, right, down }: Layout, colouring: Colouring, spots: Painted['spots'],
): void {
  // Signed, since what is too large for 31 bits costs a conversion each time.
  const colours = new Int32Array(palette(colouring.map).buffer)
  const out = new Int32Array(pixels.buffer)
  const { min, max } = usable(colouring.range, 'linear')
  const last = colours.length - 1
  const factor = last / (max - min)
  const rest = oneByOne(colouring)
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, from = y * down; x < width; x++, from += right, to++) {
      const value = numbers[from]!
      const at = (value - min) * factor
      // NaN is neither.
      if (at >= 0 && at <= last) out[to] = colours[(at + 0.5) | 0]!
      else {
        out[to] = rest(value)
        if (value - value !== 0 && spots.length < MOST_SPOTS) spots.push({ pixel: to, colour: pixels[to]! })
      }
    }
  }
}

function colourer(numbers: Numbers, colouring: Colouring): (value: number) => number {
  const colour = oneByOne(colouring)
  // Of few values each is coloured once.
  const [low, high] = numbers instanceof Uint8Array ? [0, 255] : numbers instanceof Int8Array ? [-128, 127]
    : numbers instanceof Uint16Array ? [0, 65535] : numbers instanceof Int16Array ? [-32768, 32767] : [0, -1]
  if (high < low || numbers.length < high - low) return colour
  const table = Uint32Array.from({ length: high - low + 1 }, (_, k) => colour(k + low))
  return value => table[value - low]!
}

function oneByOne({ map, scale, range }: Colouring): (value: number) => number {
  if (map === 'labels') return value => (Number.isFinite(value) ? labelColour(value) : NAN)
  const colours = palette(map)
  const { min, max } = usable(range, scale)
  const to = warp(scale, { min, max })
  const low = to(min)
  const last = colours.length - 1
  const factor = last / (to(max) - low)
  const place = (at: number) => colours[at <= 0 ? 0 : at >= last ? last : (at + 0.5) | 0]!
  const odd = (value: number) => (value !== value ? NAN : value > 0 ? PLUS : MINUS)
  return value => {
    if (value - value !== 0) return odd(value)
    if (scale === 'log' && value <= 0) return NOT_POSITIVE
    const at = (to(value) - low) * factor
    return place(at)
  }
}

/** Paints colours that are there: `right`, `down` and `deep` are steps along the plane and from channel to channel. */
export function paintColours(
  slot: string, numbers: Numbers, layout: Layout & { deep: number; channels: number }, { min, max }: Range,
): Painted {
  const { width, height, right, down, deep, channels } = layout
  const factor = 255 / (max - min || 1)
  const channel = (value: number) => Math.max(0, Math.min(255, Math.round((value - min) * factor))) || 0
  const canvas = onto(slot, width, height, pixels => {
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const from = y * down + x * right
        const alpha = channels > 3 ? channel(numbers[from + 3 * deep]!) : 255
        pixels[at++] = ((alpha << 24) | (channel(numbers[from + 2 * deep]!) << 16) |
          (channel(numbers[from + deep]!) << 8) | channel(numbers[from]!)) >>> 0
      }
    }
  })
  return { canvas, spots: [] }
}

function onto(slot: string, width: number, height: number, work: (pixels: Uint32Array) => void): HTMLCanvasElement {
  let reused = REUSED.get(slot)
  if (reused?.image.width !== width || reused.image.height !== height) {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width, height })
    REUSED.set(slot, (reused = { canvas, image: new ImageData(width, height) }))
  }
  const { canvas, image } = reused
  work(new Uint32Array(image.data.buffer))
  canvas.getContext('2d', { willReadFrequently: true })!.putImageData(image, 0, 0)
  return canvas
}
