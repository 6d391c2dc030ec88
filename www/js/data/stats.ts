import { B2ndError } from '../base/errors.js'
import { inSteps } from '../base/turns.js'
import type { Type } from '../engine/facts.js'
import type { Progress } from '../reading/progress.js'
import type { Data } from './convert.js'
import { createHistogram, type HistogramResult } from './histogram.js'
import { summarize } from './summary.js'
import { isBig } from './typed-arrays.js'
import { toNumbers } from './values.js'

/** What to compute, and how. */
export interface StatsOptions {
  /** Stops: the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Called whenever a part has been counted. Of two passes, `total` is that of both. */
  onProgress?: ((progress: Progress) => void) | undefined
  /** The number of bins of a histogram, up to 2^24. Without it there is none. */
  bins?: number | undefined
  /** The least and the greatest value of the histogram: what lies outside is in no bin. `min` and `max` unless told otherwise. */
  range?: readonly [low: number, high: number] | undefined
}

/** Numbers about numbers. Of 64-bit integers and times they are as exact as a double is. */
export interface Stats {
  /** All items. */
  count: number
  /** NaN or NaT. */
  nan: number
  /** Infinite, of either sign. */
  inf: number
  /** The smallest finite item; NaN if there are none, as below. */
  min: number
  /** The greatest. */
  max: number
  /** The sum by the number. */
  mean: number
  /** How many of the finite items lie where, if bins were asked for. */
  histogram?: HistogramResult
}

/** Items that are looked at in one step. */
const STEP = 2 ** 17

/** `parts` gives all items anew each time. */
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
    // They are NaN at first.
    if (!(stats.min <= min)) stats.min = min
    if (!(stats.max >= max)) stats.max = max
    histogram?.add(values)
  })
  stats.mean = sum / (stats.count - stats.nan - stats.inf)
  if (bins && !range) {
    // Only now is it known which values the bins are for.
    histogram = createHistogram(bins, stats.min, stats.max)
    await read(histogram.add)
  }
  if (histogram) stats.histogram = histogram.result()
  return stats
}
