/** How many values lie in each of the equal bins between `start` and `end`. */
export interface HistogramResult {
  /** Values in each bin, the first one first. A bin has its lower end and not its upper one; the last has both. */
  counts: number[]
  /** The lower end of the first bin; NaN if there are no values. */
  start: number
  /** The upper end of the last bin. */
  end: number
}

/** A histogram of values that come piece by piece. */
export interface Histogram {
  /** Counts the values that lie in the bins. */
  readonly add: (values: ArrayLike<number>) => void
  result(): HistogramResult
}

/** Of values between `low` and `high`, as `numpy.histogram` counts them. Where these are equal, the bins are around them. */
export function createHistogram(bins: number, low: number, high: number): Histogram {
  const counts = new Array<number>(bins).fill(0)
  // Next to large numbers there is none that is a half away.
  const around = low === high ? Math.max(0.5, Math.abs(low) / 2 ** 52) : 0
  const start = low - around
  const end = high + around
  // Their difference may be more than a number can be. Powers of two change nothing else.
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
        // The quotient is rounded: the edges decide.
        if (scaled < edge(bin)) bin--
        else if (bin < bins - 1 && scaled >= edge(bin + 1)) bin++
        counts[bin]!++
      }
    },
    result: () => ({ counts, start, end }),
  }
}
