// Statistics of numbers that are all there.
import { summarize } from '../../js/data/summary.js'

/** Shares of the values that percentiles have below them. */
export const PERCENTILES = [1, 5, 25, 50, 75, 95, 99] as const

/** Values that are sorted at most; of more, percentiles are those of every second, third, … */
const SORTED = 2 ** 20

export interface Description {
  count: number
  nan: number
  inf: number
  min: number
  max: number
  mean: number
  /** The standard deviation, of the finite values as of a whole. */
  std: number
  /** Those of `PERCENTILES`, of the finite values, between neighbours in proportion; as `numpy.percentile` has them. */
  percentiles: number[]
  /** Whether percentiles are of some values only. */
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
  const every = Math.ceil(values.length / SORTED)
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
