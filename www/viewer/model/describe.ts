// Statistics of numbers in memory.
import type { HistogramResult } from '../../js/data/histogram.js'
import { percentilesOf, statsOf, type Stats } from '../../js/data/stats.js'
import { createEngine } from '../../js/engine/engine.js'

const PERCENTILES = [1, 5, 25, 50, 75, 95, 99]

/** The maximum number of values to sort. For more, percentiles are computed from every second, third, … value. */
const MAX_SORTED_VALUES = 2 ** 17
/** Numbers that become doubles at a time. */
const STEP = 2 ** 17
const BINS = 64
const DOUBLE = { dtype: '<f8', type: { kind: 'float', size: 8, order: '<' }, itemsize: 8 } as const

export interface Description extends Stats {
  histogram: HistogramResult
  /** The percentiles of the finite values. */
  percentiles: number[]
  /** Whether percentiles were computed from a sample. */
  sampled: boolean
}

export const nameOfPercentile = (k: number): string => (PERCENTILES[k] === 50 ? 'median' : `${PERCENTILES[k]} %`)

export async function describe(numbers: ArrayLike<number>): Promise<Description> {
  const some = (from: number, to: number, every = 1) => {
    const values = new Float64Array(Math.ceil((to - from) / every))
    for (let k = 0; k < values.length; k++) values[k] = numbers[from + k * every]!
    return values
  }
  async function* parts() {
    for (let from = 0; from < numbers.length; from += STEP) {
      const values = some(from, Math.min(from + STEP, numbers.length))
      yield { values, bytes: new Uint8Array(values.buffer) }
    }
  }
  const options = { bins: BINS, progress: () => {} }
  const stats = await statsOf(createEngine, DOUBLE, parts, async ({ values }) => values, options)
  const every = Math.ceil(numbers.length / MAX_SORTED_VALUES)
  const percentiles = await percentilesOf(createEngine, some(0, numbers.length, every || 1), PERCENTILES)
  return { ...stats, histogram: stats.histogram!, percentiles, sampled: every > 1 }
}
