// Overviews: a coarse grid of cells over a slice, with a summary of each cell.
import { product } from '../../js/base/numbers.js'
import { inSteps } from '../../js/base/yielding.js'
import { strides } from '../../js/reading/selection.js'
import type { Summary } from './summary.js'
import type { Numbers } from './values.js'

/** Cells processed in one step. */
const STEP = 2 ** 18

/** The value to draw for a cell. */
export type Shown = 'mean' | 'max' | 'min'

type Floats = Float32Array | Float64Array

/**
 * Gathers items into cells, each with the mean, the minimum and the maximum of its items, and the number of non-finite ones.
 * `lengths` are the items along each axis of the slice, `steps` those of a cell.
 */
export class Cells {
  /** Cells along each axis. */
  readonly shape: readonly number[]
  readonly min: Floats
  readonly max: Floats
  /** Items that were added to each cell. */
  readonly count: Uint32Array
  /** NaN in each cell, and infinite items; `null` while there are none. */
  nan: Uint32Array | null = null
  inf: Uint32Array | null = null
  /** The infinite items that are negative. */
  minus: Uint32Array | null = null
  readonly #steps: readonly number[]
  readonly #strides: readonly number[]
  readonly #sums: Float64Array

  /** `single`: the values are exact as float32. */
  constructor(lengths: readonly number[], steps: readonly number[], single: boolean) {
    this.shape = lengths.map((length, axis) => Math.ceil(length / steps[axis]!))
    this.#steps = steps
    this.#strides = strides(this.shape)
    const size = product(this.shape)
    const Kind = single ? Float32Array : Float64Array
    this.min = new Kind(size).fill(Infinity)
    this.max = new Kind(size).fill(-Infinity)
    this.#sums = new Float64Array(size)
    this.count = new Uint32Array(size)
  }

  get bytes(): number {
    return 2 * this.min.byteLength + this.#sums.byteLength + 3 * this.count.byteLength
  }

  /** Adds a box of items in C order that begins at `start` of the slice. */
  add(values: Numbers, start: readonly number[], shape: readonly number[]): void {
    const last = shape.length - 1
    const at = shape.map(() => 0)
    const row = shape[last]!
    for (let from = 0; from < values.length; from += row) {
      let cell = 0
      for (let axis = 0; axis < last; axis++)
        cell += Math.floor((start[axis]! + at[axis]!) / this.#steps[axis]!) * this.#strides[axis]!
      this.#addRow(values, from, row, cell, start[last]!, this.#steps[last]!)
      for (let axis = last - 1; axis >= 0 && ++at[axis]! === shape[axis]; axis--) at[axis] = 0
    }
  }

  /** `first` is the position along the last axis, `cell` the cell in which the row begins if that is 0. */
  #addRow(values: Numbers, from: number, length: number, cell: number, first: number, step: number): void {
    const { min, max, count } = this
    cell += Math.floor(first / step)
    for (let k = 0, end = step - (first % step); k < length; cell++, end += step) {
      const stop = Math.min(end, length)
      let [sum, low, high] = [this.#sums[cell]!, min[cell]!, max[cell]!]
      count[cell]! += stop - k
      for (; k < stop; k++) {
        const value = values[from + k]!
        sum += value
        // Only for NaN and infinities the difference to itself is not zero.
        if (value - value !== 0) this.#countOdd(cell, value)
        else {
          if (value < low) low = value
          if (value > high) high = value
        }
      }
      this.#sums[cell] = sum
      min[cell] = low
      max[cell] = high
    }
  }

  #countOdd(cell: number, value: number): void {
    const size = this.count.length
    if (value !== value) (this.nan ??= new Uint32Array(size))[cell]!++
    else (this.inf ??= new Uint32Array(size))[cell]!++
    if (value < 0) (this.minus ??= new Uint32Array(size))[cell]!++
  }

  /** The mean, maximum or minimum of each cell, as in NumPy: NaN if an item is NaN. */
  values(shown: Shown, Kind = this.min.constructor as Float64ArrayConstructor): Floats {
    const values = new Kind(this.count.length)
    this.#put(values, shown, 0, values.length)
    return values
  }

  /** Computes the means in steps. */
  async means(): Promise<Floats> {
    const values = new (this.min.constructor as Float64ArrayConstructor)(this.count.length)
    await inSteps(values.length, STEP, (from, to) => this.#put(values, 'mean', from, to))
    return values
  }

  #put(values: Floats, shown: Shown, from: number, to: number): void {
    for (let cell = from; cell < to; cell++) {
      if (!this.count[cell] || this.nan?.[cell]) values[cell] = NaN
      else values[cell] = shown === 'mean' ? this.#mean(cell) : this.#extreme(cell, shown)
    }
  }

  #mean(cell: number): number {
    const sum = this.#sums[cell]!
    // The sum of large finite numbers may be infinite.
    return sum - sum === 0 || this.inf?.[cell] ? sum / this.count[cell]! : this.min[cell]! / 2 + this.max[cell]! / 2
  }

  /** The maximum or the minimum of all items except NaN, including infinite ones. */
  #extreme(cell: number, shown: 'max' | 'min'): number {
    const sum = this.#sums[cell]!
    const far = shown === 'max' ? Infinity : -Infinity
    // The sum of infinities of both signs is NaN.
    if (this.inf?.[cell] && (sum === far || sum !== sum)) return far
    return this[shown][cell]!
  }

  /** The summary of the items of the cells that `each` visits. */
  summary(each: (use: (cell: number) => void) => void): Summary {
    let [least, greatest, leastPositive, nan, inf] = [Infinity, -Infinity, Infinity, 0, 0]
    const { min, max } = this
    each(cell => {
      if (this.nan) nan += this.nan[cell]!
      if (this.inf) inf += this.inf[cell]!
      const low = min[cell]!
      const high = max[cell]!
      if (low < least) least = low
      if (high > greatest) greatest = high
      if (low > 0 && low < leastPositive) leastPositive = low
      if (high > 0 && high < leastPositive) leastPositive = high
    })
    const none = least > greatest
    return { min: none ? NaN : least, max: none ? NaN : greatest, leastPositive, nan, inf }
  }
}
