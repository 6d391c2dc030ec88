// Ticks at round times.
import type { Type } from '../../js/index.js'
import type { Mark } from './names.js'
import { ticks } from './ticks.js'

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]
/** Round steps in seconds; longer ones are counted in months. */
const STEPS = [
  1,
  2,
  5,
  10,
  15,
  30,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  5 * DAY,
  10 * DAY,
]
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000]
const MONTH = 30.44 * DAY

/** The maximum number of seconds that a `Date` supports. */
const MAX_DATE_SECONDS = 8.64e12

/** About `count` ticks between two times, in seconds since 1970. The first one has the date. */
export function timeMarks(from: number, to: number, count: number): Mark[] {
  if (!(to > from) || Math.max(Math.abs(from), Math.abs(to)) > MAX_DATE_SECONDS) return []
  const wanted = (to - from) / Math.max(1, count)
  const step = STEPS.find(step => step >= wanted * 0.99)
  const times =
    wanted < 1 ? ticks(from, to, count) : step ? multiples(from, to, step) : months(from, to, wanted / MONTH)
  return times.map((at, k) => ({ at, text: textOf(at, step ?? Infinity, wanted < 1, !k) }))
}

function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step - 1e-9)
  return Array.from({ length: Math.min(200, Math.floor(to / step + 1e-9) - first + 1) }, (_, k) => (first + k) * step)
}

function months(from: number, to: number, wanted: number): number[] {
  const step = MONTHS.find(step => step >= wanted * 0.99) ?? MONTHS.at(-1)!
  const year = new Date(from * 1000).getUTCFullYear()
  const first = Math.floor((year * 12) / step)
  const times: number[] = []
  for (let k = first; times.length < 200; k++) {
    const date = new Date(0)
    date.setUTCFullYear(0, k * step, 1)
    const at = date.getTime() / 1000
    if (!(at <= to)) break
    if (at >= from) times.push(at)
  }
  return times
}

function textOf(seconds: number, step: number, fine: boolean, full: boolean): string {
  const text = new Date(seconds * 1000).toISOString()
  const day = text.slice(0, text.indexOf('T'))
  if (step >= DAY) return step === Infinity ? (day.endsWith('-01-01') ? day.slice(0, -6) : day.slice(0, -3)) : day
  const clock = text.slice(day.length + 1, fine ? -1 : step < MINUTE ? -5 : -8)
  return full || clock.startsWith('00:00') ? `${day} ${clock}` : clock
}

/** Seconds per unit of datetime64, for units of constant length. */
const UNITS: Record<string, number> = {
  W: 7 * DAY,
  D: DAY,
  h: HOUR,
  m: MINUTE,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  ns: 1e-9,
  ps: 1e-12,
  fs: 1e-15,
  as: 1e-18,
}

/** Creates ticks for values of a datetime64 minus `offset`; null for years and months, whose length varies. */
export function dateMarks(
  { unit = '', count: steps = 1 }: Type,
  offset: bigint,
): ((from: number, to: number, count: number) => Mark[]) | null {
  const seconds = (UNITS[unit] ?? NaN) * steps
  if (Number.isNaN(seconds)) return null
  const epoch = Number(offset) * seconds
  return (from, to, count) =>
    timeMarks(epoch + from * seconds, epoch + to * seconds, count).map(({ at, text }) => ({
      at: (at - epoch) / seconds,
      text,
    }))
}
