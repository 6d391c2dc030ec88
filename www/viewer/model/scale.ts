// Scales, which map values to 0 to 1, and their ranges.

import type { Scale } from './state.js'
import type { Numbers } from './values.js'

export interface Range {
  min: number
  max: number
}

/** Linear, logarithmic, or symmetric logarithmic about zero. */
export function warp(scale: Scale, { min, max }: Range): (value: number) => number {
  if (scale === 'log') return value => (value > 0 ? Math.log10(value) : -Infinity)
  if (scale === 'symlog') {
    const linear = knee({ min, max })
    return value => Math.sign(value) * Math.log1p(Math.abs(value) / linear)
  }
  // Half of a range does not overflow even if the range does.
  return max - min < Infinity ? value => value : value => value / 4
}

export function unwarp(scale: Scale, range: Range): (place: number) => number {
  if (scale === 'log') return place => 10 ** place
  if (scale === 'symlog') {
    const linear = knee(range)
    return place => Math.sign(place) * Math.expm1(Math.abs(place)) * linear
  }
  return range.max - range.min < Infinity ? place => place : place => place * 4
}

/** Below this a symmetric logarithm is nearly straight. */
const knee = ({ min, max }: Range): number => Math.max(Math.abs(min), Math.abs(max), Number.MIN_VALUE) / 1000

/** Adjusts a range for drawing: not empty, and positive for a logarithm. A reversed range stays reversed. */
export function usable({ min, max }: Range, scale: Scale, leastPositive = NaN): Range {
  if (min > max) {
    const range = usable({ min: max, max: min }, scale, leastPositive)
    return { min: range.max, max: range.min }
  }
  if (!(min <= max)) return { min: 0, max: 1 }
  if (scale === 'log') {
    const top = max > 0 ? max : 1
    const low = min > 0 ? min : leastPositive > 0 ? leastPositive : top / 1000
    return { min: Math.min(low, top / 1.001), max: top }
  }
  if (min === max) return { min: min - (Math.abs(min) / 2 || 0.5), max: max + (Math.abs(max) / 2 || 0.5) }
  return { min, max }
}

/** The range from the 1st to the 99th percentile of the finite values, from a sample if there are many. */
export function percentiles(values: Numbers, low = 0.01, high = 0.99): Range {
  const step = Math.max(1, Math.floor(values.length / 50_000))
  const sample: number[] = []
  for (let k = 0; k < values.length; k += step) if (Number.isFinite(values[k])) sample.push(values[k]!)
  const sorted = Float64Array.from(sample).sort()
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? NaN
  return { min: at(low), max: at(high) }
}

/** Whether integers look like labels: few distinct values in patches. */
export function patchy(values: ArrayLike<number | bigint>, width: number): boolean {
  const seen = new Set<number | bigint>()
  let [same, pairs] = [0, 0]
  for (let k = 1; k < values.length && k < 100_000; k++) {
    if (k % width === 0) continue
    if (!values[k] && !values[k - 1]) continue
    pairs++
    if (values[k] === values[k - 1]) same++
    if (seen.size <= 1000) seen.add(values[k]!)
  }
  return seen.size > 2 && seen.size <= 1000 && pairs > 200 && same / pairs > 0.85
}
