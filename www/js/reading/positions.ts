// Positions that selections take along each axis, as in NumPy.

import { engineError } from '../engine/messages.js'
import { integer, type Slice } from './selection.js'

/** Positions at equal distances: `count` from `start` on, `step` apart. */
export interface Progression {
  readonly start: number
  readonly step: number
  readonly count: number
}

/** An index for each of `ndim` axes: null for those that the selection does not name. */
export function expanded<Index>(selection: readonly (Index | '...')[], ndim: number): (Index | null)[] {
  const named = selection.filter((index): index is Index => index !== '...')
  if (named.length > ndim || selection.length > named.length + 1) throw engineError([2, 1, named.length, ndim])
  const at = selection.includes('...') ? selection.indexOf('...') : named.length
  return [...named.slice(0, at), ...new Array<null>(ndim - named.length).fill(null), ...named.slice(at)]
}

/** A position along an axis of length `length`; negative ones count from the end. */
export function positionAlong(axis: number, length: number, index: unknown, expected?: string): number {
  const number = integer(index, expected)
  const at = number < 0 ? number + length : number
  if (at >= 0 && at < length) return at
  throw engineError([2, 0, number, axis, length])
}

/** Whether an index is a range, or a whole axis, and not a position or a list. */
export const isRange = (index: unknown): index is Slice | null =>
  index === null || (typeof index === 'object' && 'start' in index)

/** The positions of an index along an axis of length `length`. The result of a position does not have the axis. */
export function progressionAlong(axis: number, length: number, index: unknown): Progression {
  if (isRange(index)) return sliceAlong(axis, length, index)
  return { start: positionAlong(axis, length, index, "an integer, null, '...' or slice(…)"), step: 1, count: 1 }
}

function sliceAlong(axis: number, length: number, slice: Slice | null): Progression {
  const step = integer(slice?.step ?? 1)
  if (step === 0) throw engineError([2, 2, axis])
  const least = step < 0 ? -1 : 0
  const bound = (given: number | bigint | null | undefined, absent: number) => {
    if (given === null || given === undefined) return absent
    const position = integer(given)
    return Math.max(least, Math.min(position < 0 ? position + length : position, length + least))
  }
  const start = bound(slice?.start, step < 0 ? length - 1 : 0)
  const stop = bound(slice?.stop, step < 0 ? -1 : length)
  return { start, step, count: Math.max(0, Math.ceil((stop - start) / step)) }
}
