// The range of values that colours and axes span.
import type { Session } from '../session.js'
import { percentiles, type Range } from '../draw/scale.js'
import { summarize } from '../../js/data/summary.js'
import type { Slab } from './loader.js'

export function rangeOf({ state, whole, drawn }: Session, slab: Slab): Range {
  const { part, range, min, max, scale } = state
  if (range === 'fixed') return { min, max }
  if (part === 'phase') return { min: -Math.PI, max: Math.PI }
  const numbers = slab.numbers(part)
  if (range === 'whole' && whole) return whole
  if (range === 'percentile') return slab.memo(`percentiles ${part}`, () => percentiles(numbers))
  const all = slab.memo(`extent ${part}`, () => summarize(numbers))
  if (drawn.kind === 'bool') return { min: 0, max: 1 }
  return scale === 'log' && !(all.min > 0) ? { min: all.leastPositive, max: all.max } : all
}
