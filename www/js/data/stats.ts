import { B2ndError } from '../base/errors.js'
import { inSteps } from '../base/yielding.js'
import type { Type } from '../engine/facts.js'
import type { Progress } from '../reading/progress.js'
import type { Data } from './convert.js'
import { createHistogram, type HistogramResult } from './histogram.js'
import { summarize } from './summary.js'
import { isBig } from './typed-arrays.js'
import { float16, float16Bits, toNumbers } from './values.js'

/** Options of `stats`. */
export interface StatsOptions {
  /** Aborts: the call rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Called after each part. With two passes, `total` covers both. */
  onProgress?: ((progress: Progress) => void) | undefined
  /** The number of bins of the histogram, up to 2^24. Without it there is no histogram. */
  bins?: number | undefined
  /** The range of the histogram. Values outside are not counted. Default: from `min` to `max`. */
  range?: readonly [low: number, high: number] | undefined
}

/** Statistics: those of `b2nd stats`, but that for 64-bit integers and times the extremes have the precision of a double. */
export interface Stats {
  /** The number of items. */
  count: number
  /** The number of NaN or NaT. */
  nan: number
  /** The number of infinite items. */
  infinite: number
  /** The smallest finite item; NaN if there is none. */
  min: number
  /** The largest finite item. */
  max: number
  /** The mean of the finite items, rounded to the type of floats of 16 and 32 bits; NaN if there is none. */
  mean: number
  /** The standard deviation of all finite items (`ddof=0`), rounded like the mean. */
  std: number
  /** The histogram of the finite items, if `bins` was given. */
  histogram?: HistogramResult
}

/** Rounding to floats of a size. */
const ROUNDED: Record<number, (value: number) => number> = { 2: value => float16(float16Bits(value)), 4: Math.fround }

/** Items processed in one step. */
const STEP = 2 ** 17

/** Computes statistics. Each call of `parts` reads all items. */
export async function statsOf(
  type: Type | null,
  parts: () => AsyncIterable<{ data: Data }>,
  { bins, range }: StatsOptions,
): Promise<Stats> {
  if (!type || !/^(bool|u?int|float|datetime|timedelta)$/.test(type.kind) || type.size > 8) {
    throw new B2ndError('unsupported', 'statistics are for real numbers')
  }
  const stats: Stats = { count: 0, nan: 0, infinite: 0, min: NaN, max: NaN, mean: NaN, std: NaN }
  let histogram = bins && range ? createHistogram(bins, ...range) : undefined
  // The finite items, their mean, and the sum of the squares of their distances from it.
  let [finite, mean, squares] = [0, 0, 0]

  const read = async (use: (values: ArrayLike<number>) => void) => {
    for await (const { data } of parts()) {
      await inSteps(data.length, STEP, (from, to) => {
        const values = (data as Float64Array | BigInt64Array).subarray(from, to)
        use(isBig(values) ? toNumbers(values, type.kind) : values)
      })
    }
  }

  await read(values => {
    const { min, max, sum: part, nan, inf } = summarize(values)
    stats.count += values.length
    stats.nan += nan
    stats.infinite += inf
    if (Number.isNaN(min)) return
    const count = values.length - nan - inf
    const away = part / count - mean
    for (let k = 0; k < values.length; k++) {
      const far = values[k]! - mean - away
      if (far - far === 0) squares += far * far
    }
    finite += count
    mean += (away * count) / finite
    squares += (away * away * count * (finite - count)) / finite
    // True for NaN, the initial value.
    if (!(stats.min <= min)) stats.min = min
    if (!(stats.max >= max)) stats.max = max
    histogram?.add(values)
  })
  const rounded = (type.kind === 'float' && ROUNDED[type.size]) || Number
  if (finite) [stats.mean, stats.std] = [rounded(mean), rounded(Math.sqrt(squares / finite))]
  if (bins && !range) {
    // The second pass: the range is known now.
    histogram = createHistogram(bins, stats.min, stats.max)
    await read(histogram.add)
  }
  if (histogram) stats.histogram = histogram.result()
  return stats
}
