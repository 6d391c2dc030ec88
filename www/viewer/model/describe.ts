// Statistics of numbers in memory.
import { summarize } from './summary.js'

/** The percentiles to compute, as fractions. */
export const PERCENTILES = [1, 5, 25, 50, 75, 95, 99] as const

/** The maximum number of values to sort. For more, percentiles are computed from every second, third, … value. */
const MAX_SORTED_VALUES = 2 ** 20

export interface Description {
  count: number
  nan: number
  inf: number
  min: number
  max: number
  mean: number
  /** The population standard deviation of the finite values. */
  std: number
  /** The percentiles of the finite values, with linear interpolation as in `numpy.percentile`. */
  percentiles: number[]
  /** Whether percentiles were computed from a sample. */
  sampled: boolean
}

export function describe(values: ArrayLike<number>): Description {
  const { min, max, sum, nan, inf } = summarize(values)
  const finite = values.length - nan - inf
  const mean = sum / finite
  let squares = 0
  for (let k = 0; k < values.length; k++) {
    const far = values[k]! - mean
    if (far - far === 0) squares += far * far
  }
  const every = Math.ceil(values.length / MAX_SORTED_VALUES)
  const sorted = Float64Array.from({ length: Math.floor(values.length / every) }, (_, k) => values[k * every]!)
    .filter(Number.isFinite)
    .sort()
  const percentiles = PERCENTILES.map(percent => {
    const at = (percent / 100) * (sorted.length - 1)
    const low = Math.floor(at)
    const [a, b] = [sorted[low] ?? NaN, sorted[low + 1] ?? sorted[low] ?? NaN]
    return a + (b - a) * (at - low)
  })
  return {
    count: values.length,
    nan,
    inf,
    min,
    max,
    mean,
    std: Math.sqrt(squares / finite),
    percentiles,
    sampled: every > 1,
  }
}
