import { B2ndError } from '../base/errors.js'
import { inSteps } from '../base/yielding.js'
import type { Type } from '../engine/facts.js'
import type { Progress } from '../reading/progress.js'
import type { Data } from './convert.js'
import { createHistogram, type HistogramResult } from './histogram.js'
import { summarize } from './summary.js'
import { isBig } from './typed-arrays.js'
import { toNumbers } from './values.js'

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

/** Statistics. For 64-bit integers and times they have the precision of a double. */
export interface Stats {
  /** The number of items. */
  count: number
  /** The number of NaN or NaT. */
  nan: number
  /** The number of infinite items. */
  inf: number
  /** The smallest finite item; NaN if there is none. */
  min: number
  /** The largest finite item. */
  max: number
  /** The mean of the finite items. */
  mean: number
  /** The histogram of the finite items, if `bins` was given. */
  histogram?: HistogramResult
}

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
  const stats: Stats = { count: 0, nan: 0, inf: 0, min: NaN, max: NaN, mean: NaN }
  let histogram = bins && range ? createHistogram(bins, ...range) : undefined
  let sum = 0

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
    stats.inf += inf
    if (Number.isNaN(min)) return
    sum += part
    // True for NaN, the initial value.
    if (!(stats.min <= min)) stats.min = min
    if (!(stats.max >= max)) stats.max = max
    histogram?.add(values)
  })
  stats.mean = sum / (stats.count - stats.nan - stats.inf)
  if (bins && !range) {
    // The second pass: the range is known now.
    histogram = createHistogram(bins, stats.min, stats.max)
    await read(histogram.add)
  }
  if (histogram) stats.histogram = histogram.result()
  return stats
}
