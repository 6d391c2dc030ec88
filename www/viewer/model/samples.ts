// A sample of the blocks of a large plane, gathered into cells. Cells without items that were read have the value of the nearest
// block that was, so that there is a picture at once.
import { yieldThen } from '../../js/base/yielding.js'
import { isB2ndError, type B2ndError } from '../../js/index.js'
import { Cells, type Shown } from './cells.js'
import { lengthOf, type Cut } from './cuts.js'
import type { Dataset } from './dataset.js'
import { Slab } from './loader.js'
import { strideOf, type Wanted } from './plane.js'
import type { State } from './state.js'

type Along = Exclude<Cut, number>
type Span = readonly [first: number, end: number]

/** The approximate maximum number of cells: collecting the garbage of more is a long task. */
const MAX_CELLS = 2 ** 17

/** A block that was read, and the cells that show it until more is read. */
interface Spot {
  block: readonly [x: Span, y: Span]
  around: readonly [x: Span, y: Span]
}

/** Cells in the order of an array: the strides of both axes of the plane and of a third one, and the length of that. */
interface Strides {
  right: number
  down: number
  deep: number
  depth: number
}

/** Cells of which only some have items. */
class SampledCells extends Cells {
  readonly spots: Spot[] = []
  strides: Strides = { right: 1, down: 0, deep: 0, depth: 1 }

  override values(shown: Shown): ReturnType<Cells['values']> {
    const values = super.values(shown)
    for (let k = 0; k < this.strides.depth; k++) for (const spot of this.spots) this.#spread(values, spot, k)
    return values
  }

  /** The means, computed in steps. */
  override async means(): ReturnType<Cells['means']> {
    const values = await super.means()
    for (let k = 0; k < this.strides.depth; k++)
      for (const spot of this.spots) await yieldThen(() => this.#spread(values, spot, k))
    return values
  }

  /** Fills the cells around a block with its mean: of each column or row if the block is as wide or as high as they are. */
  #spread(values: ReturnType<Cells['values']>, { block, around }: Spot, k: number): void {
    const { right, down, deep } = this.strides
    const [[x0, x1], [y0, y1]] = around
    const covers = (axis: 0 | 1) => block[axis][0] <= around[axis][0] && block[axis][1] >= around[axis][1]
    const columns: Span[] = covers(0) ? spans(x0, x1) : [block[0]]
    const rows: Span[] = !covers(0) && covers(1) ? spans(y0, y1) : [block[1]]
    const means = rows.map(row => columns.map(column => this.#mean(values, [column, row], k)))
    for (let row = y0; row < y1; row++)
      for (let column = x0; column < x1; column++) {
        const at = k * deep + row * down + column * right
        if (this.count[at]) continue
        const line = means[rows.length > 1 ? row - y0 : 0]!
        values[at] = line[columns.length > 1 ? column - x0 : 0]!
      }
  }

  /** The mean of the finite cells of a rectangle; NaN if there are none. */
  #mean(values: ArrayLike<number>, [x, y]: Spot['block'], k: number): number {
    const { right, down, deep } = this.strides
    let [sum, count] = [0, 0]
    for (let row = y[0]; row < y[1]; row++)
      for (let column = x[0]; column < x[1]; column++) {
        const at = k * deep + row * down + column * right
        if (!this.count[at] || values[at]! - values[at]! !== 0) continue
        sum += values[at]!
        count++
      }
    return sum / count
  }
}

/** Each position of a range as a range. */
const spans = (from: number, to: number): Span[] =>
  Array.from({ length: to - from }, (_, k) => [from + k, from + k + 1])

/** The blocks of a plane along one axis; each `every`-th is read next. */
class Grid {
  readonly axis: number
  readonly #cut: Along
  readonly #size: number
  readonly #first: number
  readonly count: number
  every = 1

  constructor(axis: number, cut: Along, size: number) {
    this.axis = axis
    this.#cut = cut
    this.#size = size
    this.#first = Math.floor(cut.start / size)
    this.count = Math.ceil(cut.stop / size) - this.#first
  }

  /** Blocks to read. */
  get few(): number {
    return Math.ceil(this.count / this.every)
  }

  /** The items of a range of blocks. */
  items(from: number, to: number): Span {
    const { start, stop } = this.#cut
    return [
      Math.max(start, (this.#first + Math.max(0, from)) * this.#size),
      Math.min(stop, (this.#first + to) * this.#size),
    ]
  }

  /** The items for which a block stands. */
  around(k: number): Span {
    const half = Math.ceil(this.every / 2)
    return this.items(k - half, k + this.every >= this.count ? this.count : Math.max(k + 1, k + this.every - half))
  }

  cells([from, to]: Span): Span {
    const { start, step } = this.#cut
    return [
      Math.floor((from - start) / step),
      Math.min(lengthOf(this.#cut), Math.max(Math.ceil((to - start) / step), Math.floor((from - start) / step) + 1)),
    ]
  }
}

export class Samples {
  /** The picture of a sample. */
  readonly wanted: Wanted
  readonly #dataset: Dataset
  readonly #part: string
  /** Whether a cell shows one of its items instead of their mean. */
  readonly #nearest: boolean
  readonly #x: Grid
  readonly #y: Grid
  readonly #cells: SampledCells
  readonly #shape: readonly number[]
  readonly #asked = new Set<number>()
  /** The axes along which the distance between blocks is halved, the next one last. */
  readonly #halvings: Grid[] = []
  #error: B2ndError | undefined

  /** A sample of the plane `wanted` of the axes `x` and `y`. The first blocks are at most `first`. */
  constructor(
    dataset: Dataset,
    wanted: Wanted,
    { part, map, overview }: State,
    [x, y]: readonly [number, number],
    first: number,
  ) {
    this.#dataset = dataset
    this.#part = part
    this.#nearest = map === 'labels' || part === 'phase' || overview === 'nearest'
    const along = (axis: number) => wanted.cuts[axis] as Along
    const items = wanted.cuts.reduce(
      (n: number, cut, axis) =>
        typeof cut === 'number' || axis === wanted.projected?.axis
          ? n
          : n * (axis === x || axis === y ? cut.stop - cut.start : lengthOf(cut)),
      1,
    )
    let step = Math.max(2, wanted.step)
    while (items / step ** 2 > MAX_CELLS) step *= 2
    const cuts = wanted.cuts.map((cut, axis): Cut =>
      axis === x || axis === y ? { ...along(axis), step, cells: part } : cut,
    )
    const shown = overview === 'max' || overview === 'min' ? overview : 'mean'
    this.wanted = {
      ...wanted,
      cuts,
      step,
      overview: this.#nearest ? 'nearest' : shown,
      width: lengthOf(cuts[x] as Along) * step,
      height: lengthOf(cuts[y] as Along) * step,
      share: 0,
    }
    const sizes = dataset.blocks ?? dataset.chunks
    this.#x = new Grid(x, cuts[x] as Along, sizes?.[x] ?? 256)
    this.#y = new Grid(y, cuts[y] as Along, sizes?.[y] ?? 256)
    const isPlane = (axis: number) => axis === x || axis === y
    const ranges = cuts.flatMap((cut, axis) => (typeof cut === 'number' ? [] : [{ cut, isPlane: isPlane(axis) }]))
    this.#shape = ranges.map(({ cut }) => lengthOf(cut))
    this.#cells = new SampledCells(
      ranges.map(({ cut, isPlane }) => (isPlane && !this.#nearest ? cut.stop - cut.start : lengthOf(cut))),
      ranges.map(({ isPlane }) => (isPlane && !this.#nearest ? step : 1)),
      false,
    )
    const piece = { cuts, shape: this.#shape, data: [], width: 1 }
    const third = cuts.findIndex((cut, axis) => typeof cut !== 'number' && !isPlane(axis))
    this.#cells.strides = {
      right: strideOf(piece, x),
      down: strideOf(piece, y),
      deep: third < 0 ? 0 : strideOf(piece, third),
      depth: third < 0 ? 1 : lengthOf(cuts[third] as Along),
    }
    while (this.#x.few * this.#y.few > first) {
      const more = this.#x.few > this.#y.few ? this.#x : this.#y
      more.every *= 2
      this.#halvings.push(more)
    }
  }

  /** Blocks of the whole plane. */
  get count(): number {
    return this.#x.count * this.#y.count
  }

  /** At most `most` blocks that were not asked for yet, evenly spread; none if all were. */
  next(most: number): Spot[] {
    for (;;) {
      const spots = this.#spread(most)
      const finer = spots.length ? undefined : this.#halvings.pop()
      if (!finer) return spots
      finer.every /= 2
    }
  }

  /** Reads blocks. Returns the picture of all that were read. */
  async read(spots: readonly Spot[], signal: AbortSignal): Promise<Slab> {
    await Promise.all(spots.map(spot => this.#add(spot, signal)))
    if (this.#error && !this.#cells.spots.length) throw this.#error
    this.wanted.share = this.#asked.size / this.count
    const piece = { cuts: this.wanted.cuts, shape: this.#shape, width: 1, cells: this.#cells }
    const data = await this.#cells.means()
    return new Slab(this.#dataset, { ...piece, data, share: this.wanted.share })
  }

  #spread(most: number): Spot[] {
    const spots: Spot[] = []
    const [x, y] = [this.#x, this.#y]
    for (let row = 0; row < y.count; row += y.every)
      for (let column = 0; column < x.count; column += x.every) {
        const key = row * x.count + column
        if (this.#asked.has(key)) continue
        if (spots.length >= most) return spots
        this.#asked.add(key)
        spots.push({
          block: [x.items(column, column + 1), y.items(row, row + 1)],
          around: [x.around(column), y.around(row)],
        })
      }
    return spots
  }

  /** Adds the items of a block, unless it is damaged or missing. */
  async #add({ block, around }: Spot, signal: AbortSignal): Promise<void> {
    const { cuts, step } = this.wanted
    const [x, y] = [this.#x, this.#y]
    const first = cuts.map((cut, axis) =>
      axis === x.axis ? block[0][0] : axis === y.axis ? block[1][0] : typeof cut === 'number' ? cut : cut.start,
    )
    if (this.#dataset.missing?.at(first)) return
    const read = cuts.map((cut, axis): Cut => {
      if (axis !== x.axis && axis !== y.axis) return cut
      const [start, stop] = block[axis === x.axis ? 0 : 1]
      return this.#nearest ? aligned(cut as Along, start, stop) : { start, stop, step: 1 }
    })
    try {
      const piece = await this.#dataset.read(read, { signal })
      const at = read.flatMap((cut, axis) => {
        if (typeof cut === 'number') return []
        if (axis !== x.axis && axis !== y.axis) return [0]
        const from = cut.start - (cuts[axis] as Along).start
        return [this.#nearest ? Math.floor(from / step) : from]
      })
      await yieldThen(() => {
        const numbers = new Slab(this.#dataset, piece).numbers(this.#part, this.wanted.projected?.how)
        this.#cells.add(numbers, at, piece.shape)
      })
      this.#cells.spots.push({
        block: [x.cells(block[0]), y.cells(block[1])],
        around: [x.cells(around[0]), y.cells(around[1])],
      })
    } catch (error) {
      if (signal.aborted || !isB2ndError(error, 'format')) throw error
      this.#error = error
    }
  }
}

/** The items of a range that cells show: those at multiples of the step, or the first one. */
function aligned({ start: origin, step }: Along, start: number, stop: number): Along {
  const first = origin + Math.ceil((start - origin) / step) * step
  return first < stop ? { start: first, stop, step } : { start, stop: start + 1, step }
}
