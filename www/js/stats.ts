import type { Data } from './dtype.js'

/** What the numbers of a selection are like. Dates count as numbers, complex numbers as their parts. */
export interface Stats {
  count: number
  /** Numbers that are NaN (dates: NaT), and that are infinite. All below leaves them out. */
  nans: number
  infinite: number
  min: number
  max: number
  mean: number
  /** How many fall into each of equal bins from `range[0]` to `range[1]`. */
  histogram?: { range: [number, number]; counts: number[] }
}

const NAT = -(2n ** 63n)

/** Takes numbers as they come. */
export class Counter {
  #count = 0
  #nans = 0
  #infinite = 0
  #min = Infinity
  #max = -Infinity
  #sum = 0
  readonly #range: [number, number] | undefined
  readonly #bins: number[]

  constructor(bins = 0, range?: [number, number]) {
    this.#bins = new Array<number>(bins).fill(0)
    this.#range = range
  }

  add(data: Data, dates = false): void {
    if (Array.isArray(data)) return
    if ('columns' in data) return Object.values(data.columns).forEach(column => this.add(column))
    this.#count += data.length
    for (const item of data) {
      const value = dates && item === NAT ? NaN : Number(item)
      if (Number.isFinite(value)) this.#take(value)
      else if (Number.isNaN(value)) this.#nans++
      else this.#infinite++
    }
  }

  #take(value: number): void {
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
    this.#sum += value
    const [low, high] = this.#range ?? [0, 0]
    if (this.#range && value >= low && value <= high) {
      const bin = Math.floor(((value - low) / (high - low || 1)) * this.#bins.length)
      this.#bins[Math.min(bin, this.#bins.length - 1)]!++
    }
  }

  finish(): Stats {
    const finite = this.#count - this.#nans - this.#infinite
    const stats = { count: this.#count, nans: this.#nans, infinite: this.#infinite, min: this.#min, max: this.#max, mean: this.#sum / finite }
    const none = finite === 0 ? { min: NaN, max: NaN, mean: NaN } : {}
    return { ...stats, ...none, ...(this.#range && { histogram: { range: this.#range, counts: this.#bins } }) }
  }
}
