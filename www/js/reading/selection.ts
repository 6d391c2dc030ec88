import { argument, formatValue } from '../base/errors.js'
import type { Indices } from '../engine/protocol.js'

/** A range of positions, created by `slice`. Slices of zarrita are compatible. */
export interface Slice {
  /** The first position; `null` is the first in the direction of the step. */
  readonly start: number | bigint | null
  /** The position after the last; `null` continues to the end in the direction of the step. */
  readonly stop: number | bigint | null
  /** The distance between positions: 1 if `null`, never 0. */
  readonly step: number | bigint | null
}

/** One axis: a position (drops the axis), `null` for the whole axis, a range, or `'...'` for all axes that are not named. */
export type Index = number | bigint | null | Slice | '...'

/** The indices of all axes. Missing axes at the end are selected completely; `null` selects the whole array. */
export type Selection = readonly Index[] | null

/**
 * Creates a range from `start` up to but excluding `stop`. As in NumPy, negative positions count from the end, bounds are clipped
 * to the axis, and a negative step goes backward.
 */
export function slice(stop: number | bigint | null): Slice
export function slice(
  start: number | bigint | null,
  stop?: number | bigint | null,
  step?: number | bigint | null,
): Slice
export function slice(start: Slice['start'], stop?: Slice['stop'], step: Slice['step'] = null): Slice {
  return stop === undefined ? { start: null, stop: start, step } : { start, stop, step }
}

/** Converts a selection to the form of the engine. */
export function indices(selection: Selection | undefined = null): Indices {
  const axes = selection ?? ['...' as const]
  if (!Array.isArray(axes)) throw argument(`selection: ${formatValue(selection)} is not an array`)
  return new Float64Array(axes.flatMap(axis))
}

function axis(index: Index): number[] {
  if (index === '...') return [2, 0, 0, 0]
  if (index === null || (typeof index === 'object' && 'start' in index)) {
    return [1, bound(index?.start, NaN), bound(index?.stop, NaN), bound(index?.step, 1)]
  }
  return [0, integer(index, "an integer, null, '...' or slice(…)"), 0, 0]
}

const bound = (number: unknown, absent: number): number =>
  number === null || number === undefined ? absent : integer(number)

/** Converts a position to a number. */
export function integer(number: unknown, expected = 'an integer'): number {
  const value = typeof number === 'bigint' ? Number(number) : number
  if (Number.isSafeInteger(value)) return value as number
  throw argument(`${formatValue(number)} is no position: give ${expected}`)
}

/** The distance between positions along each axis, in C order: in items, or in bytes if an item has `size`. */
export const strides = (shape: readonly number[], size = 1): number[] =>
  shape.map((_, axis) => shape.slice(axis + 1).reduce((stride, length) => stride * length, size))
