/** How many values lie in each of the equal bins between `start` and `end`. */
export interface HistogramResult {
  /** Values in each bin, the first one first. */
  counts: number[]
  /** The lower end of the first bin; NaN if there are no values. */
  start: number
  /** The upper end of the last bin. */
  end: number
}

/** A histogram of values that come piece by piece. */
export interface Histogram {
  /** Counts the finite ones of some values that lie between `min` and `max`. */
  add(values: ArrayLike<number>, min: number, max: number): void
  result(): HistogramResult
}

/**
 * Of values whose range nobody knows beforehand: it begins with that of the first and is doubled whenever a value lies
 * outside, two bins becoming one.
 */
export function Histogram(bins: number): Histogram {
  // Even, for bins to be joined in pairs.
  const length = Math.max(2, Math.ceil(bins / 2) * 2)
  let counts = new Array<number>(length).fill(0)
  let start = NaN
  let width = 0

  /** Joins the bins in pairs, to be in the lower or the upper half. */
  const double = (first: number) => {
    const old = counts
    counts = old.map((_, bin) => {
      const from = 2 * (bin - first)
      return (old[from] ?? 0) + (old[from + 1] ?? 0)
    })
    width *= 2
  }

  return {
    add(values, min, max) {
      if (Number.isNaN(start)) {
        start = min
        width = (max - min || Math.abs(min) / 2 ** 20 || 1) / length
      }
      // The steps end: the width doubles until it is infinite at the latest.
      while (max > start + width * length) double(0)
      while (min < start) {
        start -= width * length
        double(length / 2)
      }
      const scale = 1 / width
      for (let k = 0; k < values.length; k++) {
        const value = values[k]!
        if (value - value !== 0) continue
        const bin = Math.min(Math.max(Math.floor((value - start) * scale), 0), length - 1)
        counts[bin]!++
      }
    },
    result: () => ({ counts, start, end: start + width * length }),
  }
}
