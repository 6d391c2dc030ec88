// Ticks of axes.
import type { Mark } from './names.js'
import type { Range } from './scale.js'
import type { Scale } from './state.js'
import { rough } from './values.js'

/** Round numbers between `min` and `max`, about `count` of them. */
export function ticks(min: number, max: number, count: number, whole = false): number[] {
  if (!(max > min) || count < 1 || !Number.isFinite(min) || !Number.isFinite(max))
    return Number.isFinite(min) ? [min] : []
  // The difference may overflow.
  if (max - min === Infinity)
    return ticks(min / 4, max / 4, count)
      .map(tick => tick * 4)
      .filter(Number.isFinite)
  const raw = (max - min) / count
  const power = 10 ** Math.floor(Math.log10(raw))
  let step = [1, 2, 5, 10].map(k => k * power).find(step => step >= raw * 0.99) ?? raw
  if (whole) step = Math.max(1, Math.round(step))
  const found: number[] = []
  for (let tick = Math.ceil(min / step - 1e-9); tick * step <= max + step * 1e-9 && found.length < 100; tick++) {
    found.push(Number((tick * step).toPrecision(15)))
  }
  return found
}

/** The largest of 1, 2, 5, 10, 20, … that does not exceed a length. */
export function roundBelow(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length))
  return Number((([5, 2].find(k => k * power <= length) ?? 1) * power).toPrecision(1))
}

/** The ticks of an axis without coordinates: positions or numbers. */
export function plainMarks(min: number, max: number, count: number, whole = false): Mark[] {
  const all = ticks(min, max, count, whole)
  const text = tickTexts(all)
  return all.map(at => ({ at, text: text(at) }))
}

/** Ticks on a scale: powers of ten on logarithmic ones. */
export function scaleTicks(scale: Scale, range: Range, count: number): number[] {
  const [min, max] = [Math.min(range.min, range.max), Math.max(range.min, range.max)]
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

/** Formats a tick; large and small ones with few digits. */
export function tickText(value: number, digits = 3): string {
  const size = Math.abs(value)
  if (value !== 0 && (size >= 1e7 || size < 1e-4))
    return value
      .toExponential(digits - 1)
      .replace(/\.?0+e/, 'e')
      .replace('e+', 'e')
      .replaceAll('-', '−')
  return (digits > 6 ? String(Number(value.toPrecision(digits))) : rough(value)).replace('-', '−')
}

/** Formats ticks with enough digits to distinguish them. */
export function tickTexts(ticks: readonly number[]): (tick: number) => string {
  const step = ticks.reduce(
    (least, tick, k) => (k && tick !== ticks[k - 1] ? Math.min(least, Math.abs(tick - ticks[k - 1]!)) : least),
    Infinity,
  )
  const most = Math.max(...ticks.map(Math.abs))
  const digits = step < Infinity && most > 0 ? Math.min(17, Math.max(3, Math.ceil(Math.log10(most / step)) + 1)) : 3
  return tick => tickText(tick, digits)
}
