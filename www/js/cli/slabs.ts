// Selections in parts, so that a large result need not fit in memory.

import { product } from '../base/numbers.js'
import { base } from '../data/typed-arrays.js'
import type { Type } from '../engine/facts.js'
import type { NDArray, SChunk } from '../index.js'
import { view } from '../indexing.js'
import { expanded, positionAlong, progressionAlong, type Progression } from '../reading/positions.js'
import type { Index } from '../reading/selection.js'
import { bytesOf } from '../write/items.js'
import type { Part } from './selection.js'
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

/** Positions along an axis, which a part of the result has. */
type Kept = Progression | readonly number[]
/** What a selection takes of an axis. A number drops it. */
type Axis = number | Kept

/** What a selection takes of an array. */
export function selected(array: NDArray, selection: readonly Part[]): Selected {
  const type: Type = array.type ?? untyped(array.itemsize)
  const axes = resolved(selection, array.shape)
  const kept = lengthsOf(axes)
  const inner = type.kind === 'subarray' ? type.shape! : []
  const read = async (axes: readonly Axis[]) => {
    const { data } = axes.some(isPositions)
      ? await view(array).get(axes.map(axis => (isPositions(axis) ? axis : indexOf(axis))))
      : await array.get(axes.map(axis => indexOf(axis as number | Progression)))
    return bytesOf(data, type)
  }
  return {
    type: base(type)!,
    shape: [...kept, ...inner],
    parts: () => slabs(axes, product(kept) * array.itemsize, read),
    edges: () => {
      const items = product([...kept, ...inner])
      return read(axes.map(axis => (typeof axis !== 'number' && hides(items, lengthOf(axis)) ? edgesOf(axis) : axis)))
    },
  }
}

/** All items of a super-chunk. */
export function itemsOf(schunk: SChunk, selection: readonly Part[]): Selected {
  const type = untyped(schunk.typesize)
  const axes = resolved(selection, [Math.floor(schunk.nbytes / (schunk.typesize || 1))])
  const kept = lengthsOf(axes)
  const read = async ([axis = 0]: readonly Axis[]) =>
    isPositions(axis) ? (await view(schunk).get([axis])).data : schunk.select([indexOf(axis)])
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

/** The shape of the result. */
const lengthsOf = (axes: readonly Axis[]): number[] =>
  axes.flatMap(axis => (typeof axis === 'number' ? [] : [lengthOf(axis)]))

const lengthOf = (axis: Kept): number => (isPositions(axis) ? axis.length : axis.count)
const isPositions = (part: unknown): part is readonly number[] => Array.isArray(part)

const positionAt = (axis: Kept, k: number): number => (isPositions(axis) ? axis[k]! : axis.start + k * axis.step)

/** The index that takes what an axis takes. */
function indexOf(axis: number | Progression): Index {
  if (typeof axis === 'number') return axis
  const { start, step, count } = axis
  if (count === 0) return { start: 0, stop: 0, step: 1 }
  const stop = start + step * count
  return { start, stop: stop < 0 ? null : stop, step }
}

/** A part of an axis. */
function partOf(axis: Kept, from: number, to: number): Kept {
  return isPositions(axis) ? axis.slice(from, to) : { ...axis, start: axis.start + from * axis.step, count: to - from }
}

/** The positions at both ends. */
function edgesOf(axis: Axis): number[] {
  if (typeof axis === 'number') return [axis]
  const length = lengthOf(axis)
  return Array.from({ length: 2 * EDGE }, (_, k) => positionAt(axis, k < EDGE ? k : length - 2 * EDGE + k))
}

/** Positions along one axis, and whether one was indexed. */
export interface Positions {
  readonly count: number
  readonly single: boolean
  at(k: number): number
}

/** What a selection takes of one axis. */
export function positionsOf(selection: readonly Part[], length: number): Positions {
  const axis = resolved(selection, [length])[0]!
  if (typeof axis === 'number') return { single: true, count: 1, at: () => axis }
  return { single: false, count: lengthOf(axis), at: k => positionAt(axis, k) }
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
const resolved = (selection: readonly Part[], shape: readonly number[]): Axis[] =>
  expanded(selection, shape.length).map((part, axis) => {
    const length = shape[axis]!
    if (typeof part === 'number') return positionAlong(axis, length, part)
    if (isPositions(part)) return part.map(at => positionAlong(axis, length, at))
    return progressionAlong(axis, length, part)
  })
