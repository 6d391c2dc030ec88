import { isBig, toNumbers, type Data } from './dtype.js'
import { B2ndError } from './errors.js'
import { extent } from './extent.js'
import type { Type } from './facts.js'
import { Histogram, type HistogramResult } from './histogram.js'
import type { NDPart, Progress } from './ndarray.js'

/** What to compute, and how. */
export interface StatsOptions {
  /** Stops: the call rejects with the signal's reason. */
  signal?: AbortSignal
  /** Called whenever a part has been counted. */
  onProgress?: (progress: Progress) => void
  /** The number of bins of a histogram. Without it there is none. */
  bins?: number
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

export async function statsOf(
  type: Type | null, parts: AsyncIterable<NDPart<Data>>, { bins }: StatsOptions,
): Promise<Stats> {
  if (!type || !/^(bool|u?int|float|datetime|timedelta)$/.test(type.kind) || type.size > 8) {
    throw new B2ndError('unsupported', 'statistics are for real numbers')
  }
  const stats: Stats = { count: 0, nan: 0, inf: 0, min: NaN, max: NaN, mean: NaN }
  const histogram = bins ? Histogram(bins) : undefined
  let sum = 0
  for await (const { data } of parts) {
    const values = isBig(data) ? toNumbers(data, type.kind, false) : (data as ArrayLike<number>)
    const { min, max, sum: part, nan, inf } = extent(values)
    stats.count += values.length
    stats.nan += nan
    stats.inf += inf
    if (Number.isNaN(min)) continue
    sum += part
    // They are NaN at first.
    if (!(stats.min <= min)) stats.min = min
    if (!(stats.max >= max)) stats.max = max
    histogram?.add(values, min, max)
  }
  stats.mean = sum / (stats.count - stats.nan - stats.inf)
  if (histogram) stats.histogram = histogram.result()
  return stats
}
