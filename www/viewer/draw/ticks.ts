// Where an axis gets its marks.
import type { Scale } from '../data/state.js'
import { rough } from '../data/values.js'
import type { Range } from './scale.js'

/** Round numbers between `min` and `max`, about `count` of them. */
export function ticks(min: number, max: number, count: number, whole = false): number[] {
  if (!(max > min) || count < 1) return [min]
  const raw = (max - min) / count
  const power = 10 ** Math.floor(Math.log10(raw))
  let step = [1, 2, 5, 10].map(k => k * power).find(step => step >= raw * 0.99) ?? raw
  if (whole) step = Math.max(1, Math.round(step))
  const found: number[] = []
  for (let tick = Math.ceil(min / step - 1e-9); tick * step <= max + step * 1e-9 && found.length < 100; tick++) {
    found.push(Number((tick * step).toPrecision(12)))
  }
  return found
}

/** The same on a scale: powers of ten on logarithms. */
export function scaleTicks(scale: Scale, { min, max }: Range, count: number): number[] {
  if (scale === 'linear') return ticks(min, max, count)
  const decades = (low: number, high: number) => {
    const [from, to] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)]
    const step = Math.max(1, Math.ceil((to - from + 1) / count))
    return Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, k) => 10 ** (from + k * step))
  }
  if (scale === 'log') {
    const found = decades(min, max)
    return found.length > 1 ? found : ticks(min, max, count)
  }
  const top = Math.max(Math.abs(min), Math.abs(max))
  const side = decades(top / 1000, top)
  return [...side.map(tick => -tick).reverse(), 0, ...side].filter(tick => tick >= min && tick <= max)
}

/** A tick as text; large and small ones with few digits. */
export function tickText(value: number): string {
  const size = Math.abs(value)
  if (value !== 0 && (size >= 1e7 || size < 1e-4)) return value.toExponential(2).replace(/\.?0+e/, 'e').replace('e+', 'e').replaceAll('-', '−')
  return rough(value).replace('-', '−')
}
