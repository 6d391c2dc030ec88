// Formatting of datetime64 and timedelta64.

import { NAT } from '../../js/data/values.js'

/** Seconds in a unit. */
const SECONDS: Record<string, bigint> = { W: 604_800n, D: 86_400n, h: 3600n, m: 60n }
/** Digits of the fraction of a second that a unit has. */
const DIGITS: Record<string, number> = { ms: 3, us: 6, ns: 9, ps: 12, fs: 15, as: 18 }
/** Characters of an ISO date up to those of the unit. */
const LENGTHS: Record<string, number> = { Y: 4, M: 7, W: 10, D: 10, h: 13, m: 16 }
/** Years after which the calendar repeats itself. */
const CYCLE = 400n
const CYCLE_SECONDS = 146_097n * 86_400n

/** Formats a date like NumPy. */
export function dateText(value: bigint, unit = '', count = 1): string {
  if (value === NAT) return 'NaT'
  const steps = value * BigInt(count)
  if (unit === '') return String(steps)
  const digits = DIGITS[unit] ?? 0
  const [seconds, fraction] = divided(steps * (SECONDS[unit] ?? 1n), 10n ** BigInt(digits))
  const months = unit === 'Y' ? 12n : unit === 'M' ? 1n : 0n
  const [cycle, rest] = months ? divided(steps * months, 12n * CYCLE) : divided(seconds, CYCLE_SECONDS)
  // Within the first cycle, whose years have four digits.
  const date = new Date(months ? Date.UTC(1970, Number(rest)) : 1000 * Number(rest))
  const year = BigInt(date.getUTCFullYear()) + CYCLE * cycle
  // NumPy counts the sign as a digit.
  const padded = year < 0n ? `-${String(-year).padStart(3, '0')}` : String(year).padStart(4, '0')
  const below = date.toISOString().slice(4, LENGTHS[unit] ?? 19)
  return padded + below + (digits ? `.${String(fraction).padStart(digits, '0')}` : '')
}

/** Formats a duration. */
export function spanText(value: bigint, unit = '', count = 1): string {
  return value === NAT ? 'NaT' : `${value * BigInt(count)}${unit && ` ${unit}`}`
}

/** The quotient, rounded down, and the remainder. */
function divided(number: bigint, by: bigint): [bigint, bigint] {
  const rest = ((number % by) + by) % by
  return [(number - rest) / by, rest]
}
