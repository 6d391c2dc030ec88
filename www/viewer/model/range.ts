// The range of values that colours and axes span.

import { yieldThen } from '../../js/base/yielding.js'
import type { Slab } from './loader.js'
import type { Layout, Wanted } from './plane.js'
import { percentiles, type Range } from './scale.js'
import type { Session } from './session.js'
import { projectionOf, type Window } from './state.js'
import { summarize, type Summary } from './summary.js'
import type { Part } from './values.js'

/** A part of a plane: ranges of columns and rows, excluding the end. */
export interface Box {
  layout: Layout
  columns: readonly [number, number]
  rows: readonly [number, number]
  /** The window that the part is of. The state may have another one by now. */
  window: Window | null
}

/** The part of a plane within a window. */
export function boxOf(layout: Layout, { x, y, step }: Wanted, window: Window | null): Box {
  const { width, height } = layout
  if (!window) return { layout, columns: [0, width], rows: [0, height], window }
  const along = (from: number, to: number, start: number, length: number): [number, number] => [
    Math.max(0, Math.floor((from - start) / step)),
    Math.min(length, Math.ceil((to - start) / step)),
  ]
  const [x0, x1, y0, y1] = window
  return { layout, columns: along(x0, x1, x, width), rows: along(y0, y1, y, height), window }
}

/** Items processed in one step. */
const AT_ONCE = 2 ** 18

function eachIn({ layout: { from = 0, right, down }, columns, rows }: Box, use: (at: number) => void): void {
  for (let row = rows[0]; row < rows[1]; row++) {
    let at = from + row * down + columns[0] * right
    for (let column = columns[0]; column < columns[1]; column++, at += right) use(at)
  }
}

/** The summary of the items in a box, exact even if the slab is an overview. Missing items do not count. */
export const summaryOf = (slab: Slab, part: Part, box: Box): Summary =>
  slab.memo(keyOf(part, box), () => measure(slab, part, box))

/** Prepares the summary for `summaryOf`, some rows at a time, so that the page stays responsive. */
export async function prepareSummary(slab: Slab, part: Part, box: Box, signal?: AbortSignal): Promise<void> {
  const key = keyOf(part, box)
  if (slab.has(key)) return
  const [first, end] = box.rows
  const rows = Math.max(1, Math.floor(AT_ONCE / Math.max(1, box.columns[1] - box.columns[0])))
  const parts: Summary[] = []
  for (let row = first; row < end; row += rows)
    await yieldThen(() => parts.push(measure(slab, part, { ...box, rows: [row, Math.min(end, row + rows)] })), signal)
  if (!parts.length) return
  const least = (key: 'min' | 'leastPositive') =>
    parts.reduce((a, one) => (Number.isNaN(a) || one[key] < a ? one[key] : a), NaN)
  const sum = (key: 'nan' | 'inf') => parts.reduce((a, one) => a + one[key], 0)
  slab.memo(key, () => ({
    min: least('min'),
    max: parts.reduce((a, { max }) => (Number.isNaN(a) || max > a ? max : a), NaN),
    leastPositive: least('leastPositive'),
    nan: sum('nan'),
    inf: sum('inf'),
  }))
}

/** The key of a box in a slab's memory. The axes may be exchanged. */
export const keyOf = (part: Part, { layout: { from, right }, columns, rows }: Box): string =>
  [part, from, right, columns, rows].join()

/** The items in a box that are −∞. */
export function minusIn(slab: Slab, part: Part, box: Box): number {
  const { cells } = slab.piece
  let count = 0
  if (cells) eachIn(box, at => (count += cells.minus?.[at] ?? 0))
  else {
    const numbers = slab.numbers(part)
    eachIn(box, at => (count += Number(numbers[at] === -Infinity && !slab.blank?.[at])))
  }
  return count
}

function measure(slab: Slab, part: Part, box: Box): Summary {
  const { cells } = slab.piece
  if (cells) return cells.summary(use => eachIn(box, use))
  return summarize(valuesIn(slab, slab.numbers(part), box, 1))
}

/** The numbers in a box, or a regular sample of them. */
function valuesIn({ blank }: Slab, numbers: ArrayLike<number>, box: Box, every: number): ArrayLike<number> {
  const {
    layout: { width, height, right, down, from = 0 },
    columns,
    rows,
  } = box
  const count = (columns[1] - columns[0]) * (rows[1] - rows[0])
  // Contiguous whole rows.
  if (
    every === 1 &&
    !blank &&
    right === 1 &&
    down === width &&
    columns[1] - columns[0] === width &&
    ArrayBuffer.isView(numbers)
  )
    return (numbers as unknown as Float64Array).subarray(from + rows[0] * width, from + rows[1] * width)
  const all =
    count === numbers.length && width * height === count && every === 1 && !blank && (right === 1 || down === 1)
  if (all) return numbers
  const values = new Float64Array(Math.ceil(Math.max(0, count) / every))
  let [kept, column] = [0, columns[0]]
  for (let row = rows[0]; row < rows[1]; row++) {
    for (; column < columns[1]; column += every) {
      const at = from + row * down + column * right
      if (!blank?.[at]) values[kept++] = numbers[at]!
    }
    // The next row goes on with the same distance.
    column -= columns[1] - columns[0]
  }
  return values.subarray(0, kept)
}

/** A sample of the numbers in a box, for a histogram. */
export function sampleIn({ state, state: { part, overview } }: Session, slab: Slab, box: Box): ArrayLike<number> {
  const count = (box.columns[1] - box.columns[0]) * (box.rows[1] - box.rows[0])
  const shown = projectionOf(state)?.how ?? (overview === 'max' || overview === 'min' ? overview : 'mean')
  return valuesIn(slab, slab.numbers(part, shown), box, Math.max(1, Math.floor(count / 50_000)))
}

/** The range of a plane. It is kept for other positions, unless each plane has its own range. */
export function rangeOf(session: Session, slab: Slab, box: Box, plane = ''): Range {
  const { state, whole, dataset } = session
  const { part, range, min, max } = state
  const offset = Number(dataset.offset)
  if (range === 'fixed') return { min: min - offset, max: max - offset }
  if (part === 'phase') return { min: -Math.PI, max: Math.PI }
  if (range === 'whole' && whole) return { min: whole.min - offset, max: whole.max - offset }
  return spanOf(session, slab, box, plane)
}

/** The automatic range of a plane. */
export function spanOf(session: Session, slab: Slab, box: Box, plane: string): Range {
  const { state, drawn, dataset } = session
  const { view, x, y, z, part, range, scale, overview, project } = state
  if (drawn.kind === 'bool') return { min: 0, max: 1 }
  const now = (): Range => {
    if (range === 'percentile') return percentiles(sampleIn(session, slab, box))
    // For a projection, the range of the painted values.
    const projected = projectionOf(state)
    const all = projected
      ? summarize(valuesIn(slab, slab.numbers(part, projected.how), box, 1))
      : summaryOf(slab, part, box)
    if (scale === 'log' && !(all.min > 0)) return { min: all.leastPositive, max: all.max }
    // The range of a difference is symmetric about 0.
    const far = Math.max(-all.min, all.max)
    return dataset.computed && far > 0 ? { min: -far, max: far } : all
  }
  // The range of a sample is not that of the plane.
  if (range === 'plane' || slab.piece.share) return now()
  return session.kept.keep(
    plane,
    [view, x, y, z, box.window, part, range, scale, overview, project, state.as].join(),
    now,
  )
}
