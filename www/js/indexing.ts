// The entry `b2nd/indexing`: NumPy's other indexing, and views, on top of arrays that are read by slices.

import { argument, B2ndError, formatValue, setName } from './base/errors.js'
import { StructArray, type Cost, type Data, type GetOptions, type Index, type NDArray, type NDSlice } from './index.js'
import { pieces, reversed, taken, type Piece, type Positions, type Taken } from './indexing/axis.js'
import { boxes } from './indexing/points.js'
import { strides } from './reading/selection.js'

export type { Positions } from './indexing/axis.js'

/** One axis: an index as in `get` of an array, a list of positions, or a mask. */
export type ListIndex = Index | Positions

/** How to read. */
export type ViewOptions = Pick<GetOptions, 'signal' | 'int64'>

/** The most bytes of a result. */
const MOST = 2 ** 30
/** Reads in progress at a time. */
const CONCURRENCY = 8

/** An axis of a view: the number of the array's axis, −1 for a new one. */
interface Axis {
  readonly number: number
  readonly flipped: boolean
}

/** The items of a result along an axis: where a part has them, and where they go. */
interface Way {
  readonly from: readonly number[]
  readonly to: readonly number[]
  readonly source: number
  readonly target: number
}

/** An array as a view: also for lists of positions, masks and points. Nothing is read before `get`. */
export function view<D extends Data>(array: NDArray<D>): View<D> {
  return new View(
    array,
    array.shape.map((_, number) => ({ number, flipped: false })),
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
  readonly #array: NDArray<D>
  readonly #axes: readonly Axis[]
  /** The shape in items. */
  readonly shape: readonly number[]

  /** @internal */
  constructor(array: NDArray<D>, axes: readonly Axis[]) {
    this.#array = array
    this.#axes = axes
    this.shape = axes.map(({ number }) => array.shape[number] ?? 1)
  }

  #with(axes: readonly Axis[]): View<D> {
    return new View(this.#array, axes)
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
   * Reads a selection. Lists and masks of several axes are independent of each other: the result has all combinations. Fails as
   * `argument` if a position is outside of its axis or a mask has another length, and as `get` of the array does.
   */
  async get(selection?: readonly ListIndex[] | null, options: ViewOptions = {}): Promise<NDSlice<D>> {
    const { all, along, shape } = this.#taken(selection)
    const steps = strides(shape)
    const out = this.#result(shape)
    const kept = along.map((axis, k) => ({ axis, number: this.#axes[k]!.number })).filter(({ axis }) => !axis.single)
    await each(this.#parts(all), async parts => {
      const part = await this.#array.get(
        parts.map(({ index }) => index),
        options,
      )
      // The axes of the part, which has those that were not indexed.
      const numbers = all.flatMap((axis, number) => (axis.single ? [] : [number]))
      const ways = kept.map(({ axis, number }, k): Way => {
        const target = steps[k]!
        if (number >= 0) return { ...parts[number]!, source: part.stride[numbers.indexOf(number)]!, target }
        return { from: axis.positions, to: axis.positions.map((_, k) => k), source: 0, target }
      })
      copy(part, out(part), ways)
    })
    return { ...(await this.#done(out, options)), shape, stride: steps }
  }

  /**
   * Reads the items at points: item `k` of the result is at the `k`-th position of each list. There is a list for each axis.
   * Fails as `argument` if a position is outside of its axis.
   */
  async getPoints(points: readonly Positions[], options: ViewOptions = {}): Promise<NDSlice<D>> {
    const { all, along } = this.#taken(points)
    const count = along[0]?.positions.length ?? 0
    if (points.length !== this.shape.length || along.some(axis => axis.single || axis.positions.length !== count)) {
      throw argument(`getPoints: a list of positions for each of ${this.shape.length} axes needed, all of one length`)
    }
    const out = this.#result([count])
    const { chunks, blocks } = this.#array
    await each(boxes(all, chunks, blocks, count), async ({ first, last, points }) => {
      const index = first.map((start, axis) => ({ start, stop: last[axis]! + 1, step: 1 }))
      const part = await this.#array.get(index, options)
      const from = points.map(k =>
        all.reduce(
          (at, { single, positions }, axis) => at + (single ? 0 : positions[k]! - first[axis]!) * part.stride[axis]!,
          0,
        ),
      )
      copy(part, out(part), [{ from, to: points, source: 1, target: 1 }])
    })
    return { ...(await this.#done(out, options)), shape: [count], stride: [1] }
  }

  /** The sum of the costs of the slices that `get` reads. The head of a chunk counts for each slice that needs it. */
  async plan(
    selection?: readonly ListIndex[] | null,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Cost> {
    const empty = { requests: 0, bytes: 0, requestsMax: 0, bytesMax: 0, decodedBytes: 0, chunks: 0, blocks: 0 }
    const sum: Cost = { ...empty, exact: true }
    await each(this.#parts(this.#taken(selection).all), async parts => {
      const cost = await this.#array.plan(
        parts.map(({ index }) => index),
        options,
      )
      for (const key of Object.keys(empty) as (keyof typeof empty)[]) sum[key] += cost[key]
      sum.exact &&= cost.exact
    })
    return sum
  }

  /** What a selection takes along each axis of the view, and along each of the array. */
  #taken(selection: readonly ListIndex[] | null | undefined) {
    const along = taken(selection ?? [], this.shape)
    const all = this.#array.shape.map((): Taken => ({ positions: [0], single: true }))
    along.forEach((axis, k) => {
      const { number, flipped } = this.#axes[k]!
      if (number >= 0) all[number] = flipped ? reversed(axis, this.shape[k]!) : axis
    })
    return { along, all, shape: along.filter(axis => !axis.single).map(axis => axis.positions.length) }
  }

  /** The slices to read: all combinations of the pieces of each axis. */
  #parts(all: readonly Taken[]): Piece[][] {
    const { chunks, blocks, itemsize } = this.#array
    let parts: Piece[][] = [[]]
    all.forEach((axis, number) => {
      const others = all.reduce((items, other) => items * (other === axis ? 1 : other.positions.length), itemsize)
      const along = pieces(axis, chunks[number]!, blocks?.[number] ?? chunks[number]!, others)
      parts = parts.flatMap(part => along.map(piece => [...part, piece]))
    })
    return parts
  }

  /** The result, which is created for the first part. */
  #result(shape: readonly number[]) {
    const count = shape.reduce((count, length) => count * length, 1)
    const nbytes = count * this.#array.itemsize
    if (nbytes > MOST) throw new B2ndError('limit', `${nbytes} bytes for the result, ${MOST} allowed: read it in parts`)
    let data: D | undefined
    return (part: NDSlice<D>): NDSlice<D> => {
      if (part.data instanceof StructArray) throw new B2ndError('unsupported', 'a view of structured items')
      data ??= new (part.data.constructor as new (length: number) => D)(count * part.width)
      return { ...part, data }
    }
  }

  /** The result after all parts. If there were none, an empty slice tells its type. */
  async #done(out: (part: NDSlice<D>) => NDSlice<D>, options: ViewOptions): Promise<NDSlice<D>> {
    return out(
      await this.#array.get(
        this.#array.shape.map(() => ({ start: 0, stop: 0, step: 1 })),
        options,
      ),
    )
  }
}

/** Calls `use` for each item, for several at a time. */
async function each<T>(items: readonly T[], use: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  const next = async () => {
    for (const item of rest) await use(item)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, next))
}

/** Copies items of a part to their places in the result. */
function copy({ data, width }: NDSlice, result: NDSlice, ways: readonly Way[]): void {
  const source = data as unknown as number[]
  const target = result.data as unknown as number[]
  const along = (depth: number, from: number, to: number): void => {
    const way = ways[depth]
    if (way) {
      for (let k = 0; k < way.from.length; k++) {
        along(depth + 1, from + way.from[k]! * way.source, to + way.to[k]! * way.target)
      }
    } else for (let k = 0; k < width; k++) target[to * width + k] = source[from * width + k]!
  }
  along(0, 0, 0)
}
