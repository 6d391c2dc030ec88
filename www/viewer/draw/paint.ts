// From numbers to pixels.
import { yieldThen } from '../../js/base/yielding.js'
import type { Layout } from '../model/plane.js'
import { usable, warp, type Range } from '../model/scale.js'
import type { Scale } from '../model/state.js'
import { clamp } from '../model/suggest.js'
import type { Numbers } from '../model/values.js'
import { labelColour, MINUS, NAN, NOT_POSITIVE, palette, PLUS } from './colours.js'
import type { Paper, Rows } from './paper.js'

export interface Colouring {
  map: string
  scale: Scale
  range: Range
}

/** How values become colours. */
export interface Mapped {
  layout: Layout
  colouring: Colouring
  gathered: Gathered
}

/** A part of the rows, from 0, the first, to 1, the end. */
export type Seen = readonly [from: number, to: number]

/** A plane that is painted when its size on the screen is known. */
export interface Painted {
  /** The parts that it is made of: equal numbers and keys make equal pictures. */
  readonly numbers: Numbers
  readonly key: string
  /** The number of columns. */
  readonly columns: number
  /** How values become colours, if a layer can do the same. */
  readonly mapped?: Mapped
  /**
   * Returns one pixel for each number, or for the mean of several if the picture is drawn smaller. Of the rows only those are needed that
   * are `seen`.
   */
  at(width: number, height: number, seen: Seen): HTMLCanvasElement
}

/** The value drawn for numbers that share a pixel. */
export type Gathered = 'mean' | 'max' | 'min'

/** Items painted in one step if the rest can wait. */
const AT_ONCE = 2 ** 17

export const keyOf = (...what: unknown[]): string => JSON.stringify(what)

/** The size of the canvas for a picture of this size, if several numbers share a pixel; otherwise `null`. */
export const reducedSize = (
  layout: Layout,
  { map }: Colouring,
  width: number,
  height: number,
): [width: number, height: number] | null =>
  (width < layout.width * 0.9 || height < layout.height * 0.9) && map !== 'labels'
    ? [Math.min(width, layout.width), Math.min(height, layout.height)]
    : null

/** Paints in advance what `paint` needs at a size, some rows at a time, so that the page stays responsive. */
export async function paintAhead(
  paper: Paper,
  [width, height]: readonly [number, number],
  ...[numbers, layout, colouring, gathered]: [Numbers, Layout, Colouring, Gathered]
): Promise<void> {
  const small = reducedSize(layout, colouring, width, height)
  if (layout.width * layout.height < 4 * AT_ONCE || !(small || colouring.map === 'labels')) return
  const [w, h] = small ?? [layout.width, layout.height]
  const pixels = new Uint32Array(w * h)
  const rows = Math.max(1, Math.floor((AT_ONCE / layout.width / layout.height) * h))
  for (let row = 0; row < h; row += rows) {
    const some = [row, Math.min(h, row + rows)] as const
    await yieldThen(() =>
      small
        ? reduced(pixels, w, h, some, numbers, layout, colouring, gathered)
        : whole(pixels, some, numbers, layout, colouring),
    )
  }
  paper.ready = { numbers, key: keyOf(layout, colouring, gathered), width: w, pixels }
}

/** Paints a plane. A canvas is valid until something else is painted on the paper. */
export function paint(
  paper: Paper,
  numbers: Numbers,
  layout: Layout,
  colouring: Colouring,
  gathered: Gathered = 'mean',
): Painted {
  const key = keyOf(layout, colouring, gathered)
  return {
    numbers,
    key,
    columns: layout.width,
    mapped: { layout, colouring, gathered },
    at(width, height, seen) {
      const small = reducedSize(layout, colouring, width, height)
      const [w, h] = small ?? [layout.width, layout.height]
      const work = (pixels: Uint32Array, rows: Rows) => {
        if (!small) whole(pixels, rows, numbers, layout, colouring)
        else reduced(pixels, w, h, rows, numbers, layout, colouring, gathered)
      }
      return paper.draw(numbers, key, w, h, work, rowsOf(h, seen))
    },
  }
}

/** The rows of so many that are seen, and a row more on each side, which smoothing mixes in. */
export const rowsOf = (count: number, [from, to]: Seen, more = 1): Rows => [
  clamp(Math.floor(from * count) - more, 0, count),
  clamp(Math.ceil(to * count) + more, 0, count),
]

/** Paints rows with one pixel for each number. */
export function whole(pixels: Uint32Array, rows: Rows, numbers: Numbers, layout: Layout, colouring: Colouring): void {
  const { width, right, down } = layout
  const { min, max } = colouring.range
  if (colouring.scale === 'linear' && colouring.map !== 'labels' && Math.abs(max - min) < Infinity)
    return linear(pixels, rows, numbers, layout, colouring)
  const colour = remembering(oneByOne(colouring))
  for (let y = rows[0], at = y * width; y < rows[1]; y++) {
    for (let x = 0; x < width; x++, at++) {
      pixels[at] = colour(numbers[y * down + x * right]!)
    }
  }
}

/**
 * Paints rows with one pixel for several numbers. A pixel with a number that is not finite has the colour of that, as well as the
 * one to its left and those above, so that single ones are seen. The time is mostly that of reading the numbers. The pixels begin with
 * the row `offset`.
 */
export function reduced(
  pixels: Uint32Array,
  columns: number,
  rows: number,
  [first, end]: Rows,
  numbers: Numbers,
  { width, height, right, down }: Layout,
  colouring: Colouring,
  gathered: Gathered,
  offset = 0,
): void {
  const colour = oneByOne(colouring)
  const column = Int32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * columns) / width))
  const [mean, most] = [gathered === 'mean', gathered === 'max']
  const sums = new Float64Array(columns)
  const counts = new Int32Array(columns)
  const odd = new Uint32Array(columns)
  const rowOf = (y: number) => Math.floor(((y + 0.5) * rows) / height)
  let y = Math.max(0, Math.floor((first * height) / rows - 1))
  while (rowOf(y) < first) y++
  for (let row = first; row < end; row++) {
    sums.fill(mean ? 0 : most ? -Infinity : Infinity)
    counts.fill(0)
    odd.fill(0)
    const start = (row - offset) * columns
    const line = pixels.subarray(start, start + columns)
    for (; rowOf(y) === row && y < height; y++) {
      for (let x = 0, from = y * down; x < width; x++, from += right) {
        const value = numbers[from]!
        const at = column[x]!
        if (value - value === 0) {
          if (mean) sums[at]! += value
          else if (most ? value > sums[at]! : value < sums[at]!) sums[at] = value
          counts[at]!++
        } else odd[at] = value !== value ? NAN : value > 0 ? PLUS : MINUS
      }
    }
    const above = start && pixels.subarray(start - columns, start)
    for (let at = 0; at < columns; at++) {
      if (counts[at]) line[at] = colour(mean ? sums[at]! / counts[at]! : sums[at]!)
      if (!odd[at]) continue
      for (const one of [Math.max(0, at - 1), at]) {
        line[one] = odd[at]!
        if (above) above[one] = odd[at]!
      }
    }
  }
}

/** The usual case, without a call for each number, for smooth scrubbing. */
function linear(
  pixels: Uint32Array,
  [first, end]: Rows,
  numbers: Numbers,
  { width, right, down }: Layout,
  colouring: Colouring,
): void {
  // Signed, since values beyond 31 bits would each need a conversion.
  const colours = new Int32Array(palette(colouring.map).buffer)
  const out = new Int32Array(pixels.buffer)
  const { min, max } = usable(colouring.range, 'linear')
  const last = colours.length - 1
  const factor = last / (max - min)
  const rest = oneByOne(colouring)
  for (let y = first, to = y * width; y < end; y++) {
    for (let x = 0, from = y * down; x < width; x++, from += right, to++) {
      const value = numbers[from]!
      const at = (value - min) * factor
      // Both are false for NaN.
      if (at >= 0 && at <= last) out[to] = colours[(at + 0.5) | 0]!
      else out[to] = rest(value)
    }
  }
}

/** Remembers colours, which take longer to compute than to find: those of integers repeat. */
function remembering(colour: (value: number) => number): (value: number) => number {
  const values = new Float64Array(2 ** 16).fill(NaN)
  const colours = new Uint32Array(2 ** 16)
  return value => {
    const at = value & 65535
    if (values[at] !== value) [values[at], colours[at]] = [value, colour(value)]
    return colours[at]!
  }
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
