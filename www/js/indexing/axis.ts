import { argument, formatValue } from '../base/errors.js'
import type { Data } from '../data/convert.js'
import type { TypedArray } from '../data/typed-arrays.js'
import { expanded, isRange, positionAlong, progressionAlong } from '../reading/positions.js'
import type { Index } from '../reading/selection.js'

/**
 * Which positions of an axis to take, one entry for each: booleans, or the data that `get` returns for the dtype bool, which are a
 * `Uint8Array` of 0 and 1.
 */
export interface Mask {
  /** The booleans, or bytes that are 0 or 1: the `data` of a result. Data of another dtype fail as `argument`. */
  readonly mask: readonly boolean[] | Data
}

/**
 * Positions along an axis, in any order and as often as one likes; or a mask: `true` for each position to take. Bytes may be either:
 * they are a mask as `{ mask: bytes }`, and positions as `Array.from(bytes)`.
 */
export type Positions = readonly (number | bigint)[] | readonly boolean[] | Mask | Exclude<TypedArray, Uint8Array>

/** A selection along an axis: positions in the order of the result. */
export interface Taken {
  readonly positions: readonly number[]
  /** Whether the result does not have the axis. */
  readonly single: boolean
}

/** A slice along an axis: where it has items of the result, and where the result has them. */
export interface Piece {
  readonly index: Index
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** The most bytes of a slice that takes more than was asked for. */
const MAX_SLICE_BYTES = 2 ** 24

/** The positions that a selection takes of axes of these lengths. */
export function taken(selection: readonly (Index | Positions)[], shape: readonly number[]): Taken[] {
  const indices = expanded(selection, shape.length)
  return shape.map((length, axis) => along(indices[axis]!, axis, length))
}

function along(index: Exclude<Index, '...'> | Positions, axis: number, length: number): Taken {
  if (typeof index !== 'object' || isRange(index)) {
    const { start, step, count } = progressionAlong(axis, length, index)
    return { positions: Array.from({ length: count }, (_, k) => start + k * step), single: !isRange(index) }
  }
  if ('mask' in index) return masked(index.mask, axis, length)
  if (!isList(index)) throw argument(`${formatValue(index)} for axis ${axis} is neither positions nor a mask`)
  if (isBytes(index)) {
    throw argument(`bytes for axis ${axis} may be a mask or positions: give { mask: … } or Array.from(…)`)
  }
  if (typeof index[0] === 'boolean') return masked(index, axis, length)
  return { positions: Array.from(index as ArrayLike<unknown>, at => positionAlong(axis, length, at)), single: false }
}

function masked(mask: unknown, axis: number, length: number): Taken {
  if (!isList(mask)) throw argument(`the mask for axis ${axis} is neither booleans nor bytes`)
  if (mask.length !== length) throw argument(`a mask of ${mask.length} for axis ${axis} of length ${length}`)
  const known = isBytes(mask) ? [0, 1] : [false, true]
  const positions: number[] = []
  for (let at = 0; at < length; at++) {
    const taken = known.indexOf(mask[at] as never)
    if (taken < 0)
      throw argument(`the mask for axis ${axis} has ${formatValue(mask[at])} at ${at}: give ${known.join(' or ')}`)
    if (taken) positions.push(at)
  }
  return { positions, single: false }
}

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))

/** Whether a list has bytes, whatever page or worker it comes from. */
const isBytes = (list: unknown): boolean => Object.prototype.toString.call(list).startsWith('[object Uint8')

/** These positions, counted from the end of the axis. */
export const reversed = ({ positions, single }: Taken, length: number): Taken => ({
  positions: positions.map(at => length - 1 - at),
  single,
})

/** The number of the block that a position lies in, along one axis. */
export const blockOf = (at: number, chunk: number, block: number): number =>
  Math.floor(at / chunk) * Math.ceil(chunk / block) + Math.floor((at % chunk) / block)

/**
 * Slices that have the positions, and no block in common. Each block that they touch has some of the positions. `others` are the
 * bytes that the selection takes at one position.
 */
export function pieces({ positions, single }: Taken, chunk: number, block: number, others: number): Piece[] {
  if (single) return [{ index: positions[0]!, from: [0], to: [0] }]
  const order = positions.map((_, k) => k).sort((a, b) => positions[a]! - positions[b]!)
  const pieces: Piece[] = []
  for (let start = 0, end; start < order.length; start = end) {
    const first = positions[order[start]!]!
    const step = (positions[order[start + 1]!] ?? first) - first
    let even = step > 0
    end = start + 1
    for (let last = first; end < order.length; end++) {
      const at = positions[order[end]!]!
      const skipped = blockOf(at, chunk, block) - blockOf(last, chunk, block)
      const goesOn = even && at - last === step
      // A slice with this step takes nothing else.
      if (skipped > 0 && !goesOn && (skipped > 1 || even || (at - first) * others > MAX_SLICE_BYTES)) break
      even = goesOn
      last = at
    }
    const to = order.slice(start, end)
    const by = even ? step : 1
    const from = to.map(k => (positions[k]! - first) / by)
    pieces.push({ index: { start: first, stop: first + from.at(-1)! * by + 1, step: by }, from, to })
  }
  return pieces
}
