import { B2ndError } from './errors.js'

/** A range with a step, as Python has it. `null` is the end of the axis. */
export interface Slice {
  readonly start: number | null
  readonly stop: number | null
  readonly step: number | null
}

/** What to take along an axis: one position (the axis disappears), a range, all of it, or with `'...'` all of several. */
export type Index = number | bigint | null | Slice | '...'

/** What to take of an array. Axes that it does not mention are taken whole. */
export type Selection = readonly Index[] | null

/** `slice(stop)`, `slice(start, stop)` or `slice(start, stop, step)`: that of Python, and of zarrita. */
export function slice(stop: number | null): Slice
export function slice(start: number | null, stop: number | null, step?: number | null): Slice
export function slice(start: number | null, stop?: number | null, step: number | null = null): Slice {
  return stop === undefined ? { start: null, stop: start, step } : { start, stop, step }
}

/** The selection as wasm takes it: four numbers an index. */
export function encode(selection: Selection | undefined): Uint8Array {
  const numbers = (selection ?? []).flatMap((index, axis) => {
    if (index === null) return [1, NaN, NaN, 1]
    if (index === '...') return [2, 0, 0, 0]
    if (typeof index === 'object' && 'stop' in index) return [1, bound(index.start, axis), bound(index.stop, axis), whole(index.step ?? 1, axis)]
    return [0, whole(index, axis), 0, 0]
  })
  return new Uint8Array(Float64Array.from(numbers).buffer)
}

function bound(position: number | null | undefined, axis: number): number {
  return position === null || position === undefined ? NaN : whole(position, axis)
}

function whole(value: unknown, axis: number): number {
  const number = typeof value === 'bigint' ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number
  throw new B2ndError('argument', `index of axis ${axis} is no integer, slice, null or '...'`)
}

/** How far apart the items of an array in C order lie along each axis, in items. */
export function strides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length)
  let stride = 1
  for (let axis = shape.length; axis-- > 0; stride *= shape[axis]!) strides[axis] = stride
  return strides
}
