import { utf8 } from '../base/bytes.js'
import { inSteps } from '../base/yielding.js'
import type { createEngine } from '../engine/engine.js'
import type { Type } from '../engine/facts.js'
import { LIMITS } from '../engine/protocol.js'
import { valueIn } from '../engine/values.js'
import { expressionEngine } from '../expression/engine.js'
import type { Progress } from '../reading/progress.js'
import type { Data } from './convert.js'
import { createHistogram, type Histogram, type HistogramResult } from './histogram.js'
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

/**
 * Computes statistics of items of a dtype, in an instance of the wasm of expressions. Each call of `parts` reads all items; `dataOf` converts
 * those of a part. This file is an entry of the package; `create` is that of the other entry, so that its classes exist once.
 */
export async function statsOf<P extends { readonly bytes: Uint8Array }>(
  create: typeof createEngine,
  { dtype, type, itemsize }: { dtype: string | null; type: Type | null; itemsize: number },
  parts: () => AsyncIterable<P>,
  dataOf: (part: P) => Promise<Data>,
  { bins, range, progress }: Pick<StatsOptions, 'bins' | 'range'> & { progress: (bytes: number) => void },
): Promise<Stats> {
  const engine = await expressionEngine(create)
  const call = <T>(name: string, input: Uint8Array, use: (output: Uint8Array) => T) =>
    engine.call({ answers: [], limits: LIMITS }, name, input, use)
  const add = ({ bytes }: P) =>
    inSteps(bytes.length, STEP * itemsize, (from, to) => call('add', bytes.subarray(from, to), () => {}))
  const count = async (histogram: Histogram, part: P) => {
    const data = (await dataOf(part)) as Float64Array | BigInt64Array
    await inSteps(data.length, STEP, (from, to) => {
      const values = data.subarray(from, to)
      histogram.add(isBig(values) ? toNumbers(values, type!.kind) : values)
    })
  }
  const read = async (use: (part: P) => Promise<void>) => {
    for await (const part of parts()) {
      progress(part.bytes.length)
      await use(part)
    }
  }
  let histogram = bins && range && createHistogram(bins, ...range)
  call('summarize', utf8(dtype ?? ''), () => {})
  await read(async part => {
    await add(part)
    if (histogram) await count(histogram, part)
  })
  const stats = call('summary', new Uint8Array(), valueIn) as Stats
  if (bins && !histogram) {
    // The second pass: the range is known now.
    const between = (histogram = createHistogram(bins, stats.min, stats.max))
    await read(part => count(between, part))
  }
  return { ...stats, ...(histogram && { histogram: histogram.result() }) }
}

/** The percentiles of the finite ones of some values, with linear interpolation; NaN if there is none. */
export const percentilesOf = async (
  create: typeof createEngine,
  values: Float64Array,
  percents: readonly number[],
): Promise<number[]> =>
  (await expressionEngine(create)).call(
    { answers: [], limits: LIMITS },
    'percentiles',
    [Float64Array.from(percents), values],
    valueIn,
  ) as number[]

/** Items processed in one step. */
const STEP = 2 ** 17
