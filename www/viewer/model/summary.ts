/** A summary of values. Except for the counts, it describes the finite values. */
export interface Summary {
  /** NaN if no value is finite, as is `max`. */
  min: number
  max: number
  /** Infinity if no value is positive. */
  leastPositive: number
  nan: number
  inf: number
}

/** Summarizes values in one pass. */
export function summarize(values: ArrayLike<number>): Summary {
  let min = Infinity
  let max = -Infinity
  let leastPositive = Infinity
  let nan = 0
  let inf = 0
  for (let k = 0; k < values.length; k++) {
    const value = values[k]!
    // True for NaN and infinities only.
    if (value - value !== 0) {
      if (value !== value) nan++
      else inf++
      continue
    }
    if (value < min) min = value
    if (value > max) max = value
    if (value > 0 && value < leastPositive) leastPositive = value
  }
  const none = min > max
  return { min: none ? NaN : min, max: none ? NaN : max, leastPositive, nan, inf }
}
