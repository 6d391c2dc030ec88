import { argument, shown } from '../base/errors.js'
import type { Indices } from '../engine/protocol.js'

/** A range of positions, made by `slice`. Zarrita's slices are the same. */
export interface Slice {
  /** The first position; `null` is the end at which the step begins. */
  readonly start: number | bigint | null
  /** The position after the last one; `null` is the other end. */
  readonly stop: number | bigint | null
  /** From one position to the next: 1 if `null`, never 0. */
  readonly step: number | bigint | null
}

/** One axis: a position (the axis vanishes), everything (`null`), a range, or `'...'` for all axes that are not named. */
export type Index = number | bigint | null | Slice | '...'

/** What to take of an array. Axes at the end that are not named are taken whole; no selection takes everything. */
export type Selection = readonly Index[] | null

/**
 * A range from `start` up to and without `stop`. As in NumPy, negative positions count from the end, bounds outside of
 * the axis are moved to its ends, and a negative step goes backward.
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

/** The selection as the engine takes it. */
export function indices(selection: Selection | undefined = null): Indices {
  const axes = selection ?? ['...' as const]
  if (!Array.isArray(axes)) throw argument(`selection: ${shown(selection)} is not an array`)
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

/** A position that is given as a number or a bigint. */
export function integer(number: unknown, expected = 'an integer'): number {
  const value = typeof number === 'bigint' ? Number(number) : number
  if (Number.isSafeInteger(value)) return value as number
  throw argument(`${shown(number)} is no position: give ${expected}`)
}

/** Items from one position to the next along each axis, in C order. */
export function strides(shape: readonly number[]): number[] {
  const strides = shape.map(() => 1)
  for (let axis = shape.length - 2; axis >= 0; axis--) strides[axis] = strides[axis + 1]! * shape[axis + 1]!
  return strides
}
