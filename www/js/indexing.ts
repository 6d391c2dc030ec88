// The entry `b2nd/indexing`: NumPy's other indexing, and views, on top of arrays that are read by slices.

import { argument, formatValue, setName } from './base/errors.js'
import { choices, product } from './base/numbers.js'
import { excessive } from './engine/messages.js'
import type { Converted, Cost, Data, Index, NDArray, NDSlice, SChunk } from './index.js'
import { pieces, reversed, taken, type Positions, type Taken } from './indexing/axis.js'
import { collector } from './indexing/collector.js'
import { originOf, type Origin, type ViewOptions } from './indexing/origin.js'
import { place, type Way } from './indexing/place.js'
import { boxes } from './indexing/points.js'
import { estimate } from './reading/estimate.js'
import { readWaves } from './reading/read-chunks.js'
import { slice, strides } from './reading/selection.js'
import { waves, type Reading } from './reading/waves.js'

export type { ViewOptions } from './indexing/origin.js'
export type { Mask, Positions } from './indexing/axis.js'

/** One axis: an index as in `get` of an array, a list of positions, or a mask. */
export type ListIndex = Index | Positions

/** An axis of a view: the number of the array's axis, −1 for a new one. */
interface Axis {
  readonly number: number
  readonly flipped: boolean
}

/** The positions that a selection takes along each axis of a view and of the array, and the shape of the result. */
interface Selected {
  readonly along: readonly Taken[]
  readonly all: readonly Taken[]
  readonly shape: number[]
}

/** A slice to read. */
interface Request {
  readonly index: readonly Index[]
  /** Where its items go. `stride` is that of its result. */
  readonly ways: (stride: readonly number[]) => Way[]
}

/**
 * An array as a view: also for lists of positions, masks and points. Nothing is read before `get`. The items of a super-chunk are one
 * axis; the data of a result are then bytes, `typesize` for each item.
 */
export function view<D extends Data>(array: NDArray<D>): View<D>
export function view(schunk: SChunk): View<Uint8Array>
export function view<D extends Data>(of: NDArray<D> | SChunk): View<D> {
  const origin = originOf(of)
  return new View(
    origin,
    origin.shape.map((_, number) => ({ number, flipped: false })),
  )
}

/**
 * An array whose axes may have another order or direction. Selections take lists of positions and masks as well. Each block is
 * decoded once, however the positions lie, and each item is copied to its place in the result.
 */
export class View<D extends Data = Data> {
  static {
    setName(this, 'View')
  }
  readonly #origin: Origin<D>
  readonly #axes: readonly Axis[]
  /** The shape in items. */
  readonly shape: readonly number[]

  /** @internal */
  constructor(origin: Origin<D>, axes: readonly Axis[]) {
    this.#origin = origin
    this.#axes = axes
    this.shape = axes.map(({ number }) => origin.shape[number] ?? 1)
  }

  #with(axes: readonly Axis[]): View<D> {
    return new View(this.#origin, axes)
  }

  /** The number of an axis; negative ones count from the end. */
  #axis(axis: number, ndim = this.shape.length): number {
    const number = axis < 0 ? axis + ndim : axis
    if (Number.isInteger(number) && number >= 0 && number < ndim) return number
    throw argument(`no axis ${formatValue(axis)}: there are ${ndim}`)
  }

  /** The axes in reverse order, or in this order. Fails as `argument` unless it has each axis once. */
  transpose(order?: readonly number[]): View<D> {
    const axes = order?.map(axis => this.#axis(axis)) ?? this.#axes.map((_, axis) => axis).toReversed()
    if (axes.length !== this.shape.length || new Set(axes).size < axes.length) {
      throw argument(`transpose: ${formatValue(order)} does not have each of ${this.shape.length} axes once`)
    }
    return this.#with(axes.map(axis => this.#axes[axis]!))
  }

  /** One axis in the other direction. */
  flip(axis: number): View<D> {
    const number = this.#axis(axis)
    return this.#with(this.#axes.map((axis, k) => (k === number ? { ...axis, flipped: !axis.flipped } : axis)))
  }

  /** Without axes of length 1, or without one of them. Fails as `argument` if it has another length. */
  squeeze(axis?: number): View<D> {
    if (axis === undefined) return this.#with(this.#axes.filter((_, k) => this.shape[k] !== 1))
    const number = this.#axis(axis)
    if (this.shape[number] !== 1) throw argument(`squeeze: axis ${axis} has length ${this.shape[number]}, not 1`)
    return this.#with(this.#axes.toSpliced(number, 1))
  }

  /** With a new axis of length 1 before an axis; −1 is after the last. */
  expandDims(axis: number): View<D> {
    return this.#with(this.#axes.toSpliced(this.#axis(axis, this.shape.length + 1), 0, { number: -1, flipped: false }))
  }

  /**
   * Reads a selection. Lists and masks of several axes are independent of each other: the result has all combinations. Requests are
   * merged as those of a slice. Fails as `argument` if a position is outside of its axis or a mask has another length, and as `get`
   * of the array does.
   */
  async get<O extends ViewOptions>(
    selection?: readonly ListIndex[] | null,
    options: O = {} as O,
  ): Promise<NDSlice<Converted<D, O>>> {
    const taken = this.#taken(selection)
    return this.#read(this.#requests(taken), taken.shape, options)
  }

  /**
   * Reads the items at points: item `k` of the result is at the `k`-th position of each list. There is a list for each axis. Requests
   * are merged as those of a slice. Fails as `argument` if a position is outside of its axis.
   */
  async getPoints<O extends ViewOptions>(
    points: readonly Positions[],
    options: O = {} as O,
  ): Promise<NDSlice<Converted<D, O>>> {
    const { all, along } = this.#taken(points)
    const count = along[0]?.positions.length ?? 0
    if (points.length !== this.shape.length || along.some(axis => axis.single || axis.positions.length !== count)) {
      throw argument(`getPoints: a list of positions for each of ${this.shape.length} axes needed, all of one length`)
    }
    const { chunks, blocks } = this.#origin
    const requests = boxes(all, chunks, blocks, count).map(({ first, last, points }): Request => {
      const index = first.map((start, axis) => ({ start, stop: last[axis]! + 1, step: 1 }))
      const place = (k: number, stride: readonly number[]) =>
        all.reduce(
          (at, { single, positions }, axis) => at + (single ? 0 : positions[k]! - first[axis]!) * stride[axis]!,
          0,
        )
      return { index, ways: stride => [{ from: points.map(k => place(k, stride)), to: points, source: 1, target: 1 }] }
    })
    return this.#read(requests, [count], options)
  }

  /** Returns the cost of reading a selection with the current cache, as `plan` of the array does. */
  async plan(
    selection?: readonly ListIndex[] | null,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Cost> {
    const taken = this.#taken(selection)
    const { chunks, itemsize } = this.#origin
    const touched = taken.all.map(
      ({ positions }, axis) => new Set(positions.map(at => Math.floor(at / chunks[axis]!))).size,
    )
    const none = this.#nothing(options)
    const reading = { ...none, nbytes: product(taken.shape) * itemsize, chunks: product(touched) }
    return estimate(reading, waves(this.#readings(this.#requests(taken), options)))
  }

  /** The positions that a selection takes along each axis of the view, and along each of the array. */
  #taken(selection: readonly ListIndex[] | null | undefined): Selected {
    const along = taken(selection ?? [], this.shape)
    const all = this.#origin.shape.map((): Taken => ({ positions: [0], single: true }))
    along.forEach((axis, k) => {
      const { number, flipped } = this.#axes[k]!
      if (number >= 0) all[number] = flipped ? reversed(axis, this.shape[k]!) : axis
    })
    return { along, all, shape: along.filter(axis => !axis.single).map(axis => axis.positions.length) }
  }

  /** The slices to read: all combinations of the pieces of each axis. */
  #requests({ along, all, shape }: Selected): Request[] {
    const { chunks, blocks, itemsize } = this.#origin
    const cut = all.map((axis, number) => {
      const others = all.reduce((items, other) => items * (other === axis ? 1 : other.positions.length), itemsize)
      return pieces(axis, chunks[number]!, blocks?.[number] ?? chunks[number]!, others)
    })
    const kept = along.map((axis, k) => ({ axis, number: this.#axes[k]!.number })).filter(({ axis }) => !axis.single)
    // The axes of a slice's result, which has those that were not indexed.
    const numbers = all.flatMap((axis, number) => (axis.single ? [] : [number]))
    const steps = strides(shape)
    return [...choices(cut)].map(part => ({
      index: part.map(({ index }) => index),
      ways: stride =>
        kept.map(({ axis: { positions }, number }, k) => {
          const target = steps[k]!
          if (number >= 0) return { ...part[number]!, source: stride[numbers.indexOf(number)]!, target }
          return { from: positions, to: [...positions.keys()], source: 0, target }
        }),
    }))
  }

  /** A reading of no items. Checks the options. */
  #nothing(options: ViewOptions): Reading {
    return this.#origin.planned(
      this.#origin.shape.map(() => slice(0)),
      options,
    )
  }

  /** The readings of slices, whose items go to `result`. */
  *#readings(requests: readonly Request[], options: ViewOptions, result?: Uint8Array): Iterable<Reading> {
    const { itemsize, planned } = this.#origin
    for (const { index, ways } of requests) {
      const reading = planned(index, options)
      const put = (items: Uint8Array) => place(items, result!, itemsize, ways(strides(reading.shape)))
      yield result ? { ...reading, use: collector(reading, put) } : reading
    }
  }

  async #read<O extends ViewOptions>(
    requests: readonly Request[],
    shape: number[],
    options: O,
  ): Promise<NDSlice<Converted<D, O>>> {
    const { itemsize, memory, toSlice } = this.#origin
    const { signal } = this.#nothing(options)
    const nbytes = product(shape) * itemsize
    if (nbytes > memory) throw excessive(nbytes, memory)
    const result = new Uint8Array(nbytes)
    await readWaves(signal => waves(this.#readings(requests, { signal }, result)), signal)
    return toSlice(shape, result, options) as Promise<NDSlice<Converted<D, O>>>
  }
}
