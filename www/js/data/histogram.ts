/** Counts of values in equal bins between `start` and `end`. */
export interface HistogramResult {
  /** Values in each bin. A bin includes its lower edge and excludes its upper edge; the last bin includes both. */
  counts: number[]
  /** The lower edge of the first bin; NaN if there are no values. */
  start: number
  /** The upper edge of the last bin. */
  end: number
}

/** A histogram of values that arrive in parts. */
export interface Histogram {
  /** Counts values. */
  readonly add: (values: ArrayLike<number>) => void
  result(): HistogramResult
}

/** Counts values between `low` and `high`, like `numpy.histogram`. If these are equal, the bins surround them. */
export function createHistogram(bins: number, low: number, high: number): Histogram {
  const counts = new Array<number>(bins).fill(0)
  // For large doubles, 0.5 is less than the distance between adjacent ones.
  const around = low === high ? Math.max(0.5, Math.abs(low) / 2 ** 52) : 0
  const start = low - around
  const end = high + around
  // Avoids overflow of the difference. Powers of two cause no rounding.
  const scale = end - start < Infinity ? 1 : 0.25
  const from = start * scale
  const span = end * scale - from
  const edge = (bin: number) => from + bin * (span / bins)

  return {
    add(values) {
      for (let k = 0; k < values.length; k++) {
        const value = values[k]!
        if (!(value >= start && value <= end)) continue
        const scaled = value * scale
        let bin = Math.min(Math.floor(((scaled - from) / span) * bins), bins - 1)
        // The quotient is rounded; the edges are exact.
        if (scaled < edge(bin)) bin--
        else if (bin < bins - 1 && scaled >= edge(bin + 1)) bin++
        counts[bin]!++
      }
    },
    result: () => ({ counts, start, end }),
  }
}
