// Selections in parts, so that a large result need not fit in memory.

import { argument } from '../base/errors.js'
import { base } from '../data/typed-arrays.js'
import type { Type } from '../engine/facts.js'
import type { NDArray, SChunk } from '../index.js'
import { view } from '../indexing.js'
import type { Index } from '../reading/selection.js'
import { bytesOf } from '../write/items.js'
import type { Part, Range } from './selection.js'
import { EDGE, hides } from './text.js'

/** Bytes that are read at a time. */
const AT_ONCE = 2 ** 24

/** Items to read: of which type, in which shape, and how. Sub-arrays are further axes. */
export interface Selected {
  readonly type: Type
  readonly shape: readonly number[]
  /** The bytes of all items in C order, as stored, in parts. */
  parts(): AsyncGenerator<Uint8Array>
  /** The bytes of the items at the edges of the axes of which others are hidden. */
  edges(): Promise<Uint8Array>
}

/** An axis of a selection: which of its positions are taken. A number drops the axis. */
type Axis = number | { readonly start: number; readonly step: number; readonly count: number } | readonly number[]

/** What a selection takes of an array. */
export function selected(array: NDArray, selection: readonly Part[]): Selected {
  const type: Type = array.type ?? untyped(array.itemsize)
  const axes = resolved(selection, array.shape)
  const kept = axes.flatMap(axis => (typeof axis === 'number' ? [] : [lengthOf(axis)]))
  const inner = type.kind === 'subarray' ? type.shape! : []
  const read = async (axes: readonly Axis[]) => {
    const { data } = axes.some(isList)
      ? await view(array).get(axes.map(axis => (isList(axis) ? axis : indexOf(axis))))
      : await array.get(axes.map(axis => indexOf(axis as Exclude<Axis, readonly number[]>)))
    return bytesOf(data, type)
  }
  return {
    type: base(type)!,
    shape: [...kept, ...inner],
    parts: () =>
      slabs(
        axes,
        kept.reduce((product, length) => product * length, array.itemsize),
        read,
      ),
    edges: () => {
      const items = [...kept, ...inner].reduce((product, length) => product * length, 1)
      return read(axes.map(axis => (typeof axis !== 'number' && hides(items, lengthOf(axis)) ? edgesOf(axis) : axis)))
    },
  }
}

/** All items of a super-chunk. */
export function itemsOf(schunk: SChunk, selection: readonly Part[]): Selected {
  const type = untyped(schunk.typesize)
  const axes = resolved(selection, [Math.floor(schunk.nbytes / (schunk.typesize || 1))])
  const kept = axes.flatMap(axis => (typeof axis === 'number' ? [] : [lengthOf(axis)]))
  const read = async ([axis = 0]: readonly Axis[]): Promise<Uint8Array> => {
    return isList(axis) ? (await view(schunk).get([axis])).data : schunk.select([indexOf(axis)])
  }
  const length = kept[0] ?? 1
  return {
    type,
    shape: kept,
    parts: () => slabs(axes, length * type.size, read),
    edges: () => read(hides(length, length) ? axes.map(edgesOf) : axes),
  }
}

/** Items without a type are bytes. */
const untyped = (size: number): Type => ({ kind: size === 1 ? 'uint' : 'void', size, order: '|' })

const lengthOf = (axis: Exclude<Axis, number>): number => (isList(axis) ? axis.length : axis.count)
const isPositions = (part: Part): part is readonly number[] => Array.isArray(part)
const isList = (axis: Axis): axis is readonly number[] => Array.isArray(axis)

const positionAt = (axis: Exclude<Axis, number>, k: number): number =>
  isList(axis) ? axis[k]! : axis.start + k * axis.step

/** The index that takes what an axis takes. */
function indexOf(axis: Exclude<Axis, readonly number[]>): Index {
  if (typeof axis === 'number') return axis
  const { start, step, count } = axis
  if (count === 0) return { start: 0, stop: 0, step: 1 }
  const stop = start + step * count
  return { start, stop: stop < 0 ? null : stop, step }
}

/** A part of an axis. */
function partOf(axis: Exclude<Axis, number>, from: number, to: number): Exclude<Axis, number> {
  return isList(axis) ? axis.slice(from, to) : { ...axis, start: axis.start + from * axis.step, count: to - from }
}

/** The positions at both ends. */
function edgesOf(axis: Axis): number[] {
  if (typeof axis === 'number') return [axis]
  const length = lengthOf(axis)
  return Array.from({ length: 2 * EDGE }, (_, k) => positionAt(axis, k < EDGE ? k : length - 2 * EDGE + k))
}

/** What a selection takes of one axis. */
export function positionsOf(selection: readonly Part[], length: number) {
  const [axis] = resolved(selection, [length])
  if (typeof axis === 'number') return { single: true, count: 1, at: () => axis }
  return { single: false, count: lengthOf(axis!), at: (k: number) => positionAt(axis!, k) }
}

/** Reads axes in parts of at most so many bytes, along the first axes. */
async function* slabs(
  axes: readonly Axis[],
  nbytes: number,
  read: (axes: readonly Axis[]) => Promise<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const at = axes.findIndex(axis => typeof axis !== 'number' && lengthOf(axis) > 1)
  const axis = axes[at]
  if (nbytes <= AT_ONCE || axis === undefined || typeof axis === 'number') {
    if (nbytes > 0) yield await read(axes)
    return
  }
  const length = lengthOf(axis)
  const each = Math.max(1, Math.floor((AT_ONCE * length) / nbytes))
  for (let from = 0; from < length; from += each) {
    const to = Math.min(from + each, length)
    yield* slabs(axes.with(at, partOf(axis, from, to)), (nbytes / length) * (to - from), read)
  }
}

/** What a selection takes along each axis. */
function resolved(selection: readonly Part[], shape: readonly number[]): Axis[] {
  const given = selection.filter(index => index !== '...').length
  if (given > shape.length || selection.length > given + 1) {
    throw argument(`${given} indices for ${shape.length} dimensions`)
  }
  const rest = Array.from({ length: shape.length - given }, () => ALL)
  const at = selection.indexOf('...')
  const parts = at < 0 ? [...selection, ...rest] : selection.toSpliced(at, 1, ...rest)
  return parts.map((part, axis) => along(part, axis, shape[axis]!))
}

const ALL: Range = { start: null, stop: null, step: null }

function along(part: Part, axis: number, length: number): Axis {
  const position = (given: number) => {
    const at = given + (given < 0 ? length : 0)
    if (at >= 0 && at < length) return at
    throw argument(`index ${given} is outside axis ${axis} of length ${length}`)
  }
  if (typeof part === 'number') return position(part)
  if (isPositions(part)) return part.map(position)
  const { start, stop, step: given } = part as Range
  const step = given ?? 1
  if (!step) throw argument('selection: the step is zero')
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1]
  const bound = (given: number | null, absent: number) =>
    given === null ? absent : Math.min(high, Math.max(low, given < 0 ? given + length : given))
  const [first, end] = [bound(start, step > 0 ? 0 : high), bound(stop, step > 0 ? high : -1)]
  return { start: first, step, count: Math.max(0, Math.ceil((end - first) / step)) }
}
