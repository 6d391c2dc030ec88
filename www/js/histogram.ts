/** How many values lie in each of the equal bins between `start` and `end`. */
export interface HistogramResult {
  /** Values in each bin, the first one first. */
  counts: number[]
  /** The lower end of the first bin; NaN if there are no values. */
  start: number
  /** The upper end of the last bin. */
  end: number
}

/**
 * A histogram of values whose range nobody knows beforehand: it begins with that of the first and is doubled whenever a
 * value lies outside, two bins becoming one.
 */
export class Histogram {
  readonly #counts: Float64Array
  #start = NaN
  #width = 0

  constructor(bins: number) {
    // Even, for bins to be joined in pairs.
    this.#counts = new Float64Array(Math.max(2, Math.ceil(bins / 2) * 2))
  }

  /** Counts the finite ones of some values that lie between `min` and `max`. */
  add(values: ArrayLike<number>, min: number, max: number): void {
    this.#reach(min, max)
    const counts = this.#counts
    const [start, scale, last] = [this.#start, 1 / this.#width, counts.length - 1]
    for (let k = 0; k < values.length; k++) {
      const value = values[k]!
      if (value - value !== 0) continue
      const bin = Math.min(Math.max(Math.floor((value - start) * scale), 0), last)
      counts[bin] = counts[bin]! + 1
    }
  }

  result(): HistogramResult {
    const counts = Array.from(this.#counts)
    return { counts, start: this.#start, end: this.#start + this.#width * counts.length }
  }

  #reach(min: number, max: number): void {
    const bins = this.#counts.length
    if (Number.isNaN(this.#start)) {
      this.#start = min
      this.#width = (max - min || Math.abs(min) / 2 ** 20 || 1) / bins
      return
    }
    // The steps end: the width doubles until it is infinite at the latest.
    while (max > this.#start + this.#width * bins) this.#double(0)
    while (min < this.#start) {
      this.#start -= this.#width * bins
      this.#double(bins / 2)
    }
  }

  /** Joins the bins in pairs, to be in the lower or the upper half. */
  #double(first: number): void {
    const old = this.#counts.slice()
    this.#counts.fill(0)
    for (let bin = 0; bin < old.length; bin += 2) this.#counts[first + bin / 2] = old[bin]! + old[bin + 1]!
    this.#width *= 2
  }
}
