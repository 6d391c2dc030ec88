/** What there is to know of some values by looking at each once. All but the counts is about the finite ones. */
export interface Summary {
  /** NaN where none is finite, as is `max`. */
  min: number
  max: number
  /** Infinity where none is positive. */
  leastPositive: number
  sum: number
  nan: number
  inf: number
}

/** Looks at each value once. */
export function summarize(values: ArrayLike<number>): Summary {
  let min = Infinity
  let max = -Infinity
  let leastPositive = Infinity
  let sum = 0
  let nan = 0
  let inf = 0
  for (let k = 0; k < values.length; k++) {
    const value = values[k]!
    // NaN and the infinities alone are not zero when subtracted from themselves.
    if (value - value !== 0) {
      if (value !== value) nan++
      else inf++
      continue
    }
    sum += value
    if (value < min) min = value
    if (value > max) max = value
    if (value > 0 && value < leastPositive) leastPositive = value
  }
  const none = min > max
  return { min: none ? NaN : min, max: none ? NaN : max, leastPositive, sum, nan, inf }
}
