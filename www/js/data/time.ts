// Formatting of datetime64 and timedelta64.

import { NAT } from './values.js'

/** Steps of a unit in a second, or seconds in a unit. */
const PER_SECOND: Record<string, bigint> = {
  s: 1n,
  ms: 1000n,
  us: 10n ** 6n,
  ns: 10n ** 9n,
  ps: 10n ** 12n,
  fs: 10n ** 15n,
  as: 10n ** 18n,
}
const SECONDS: Record<string, bigint> = { W: 604800n, D: 86400n, h: 3600n, m: 60n }
const DIGITS: Record<string, number> = { s: 0, ms: 3, us: 6, ns: 9, ps: 12, fs: 15, as: 18 }

/** Formats a date like NumPy. */
export function dateText(value: bigint, unit = '', count = 1): string {
  if (value === NAT) return 'NaT'
  const steps = value * BigInt(count)
  if (unit === '') return String(steps)
  if (unit === 'Y') return year(1970n + steps)
  if (unit === 'M') {
    const month = ((steps % 12n) + 12n) % 12n
    return `${year(1970n + (steps - month) / 12n)}-${two(month + 1n)}`
  }
  const per = PER_SECOND[unit] ?? 1n
  const fraction = ((steps % per) + per) % per
  const seconds = SECONDS[unit] ? steps * SECONDS[unit] : (steps - fraction) / per
  const rest = ((seconds % 86400n) + 86400n) % 86400n
  const date = civil((seconds - rest) / 86400n)
  if (unit === 'D' || unit === 'W') return date
  const clock = [rest / 3600n, (rest / 60n) % 60n, rest % 60n].map(two)
  if (unit === 'h') return `${date}T${clock[0]}`
  if (unit === 'm') return `${date}T${clock[0]}:${clock[1]}`
  const digits = DIGITS[unit] ?? 0
  return `${date}T${clock.join(':')}${digits ? `.${String(fraction).padStart(digits, '0')}` : ''}`
}

export function spanText(value: bigint, unit = '', count = 1): string {
  return value === NAT ? 'NaT' : `${value * BigInt(count)}${unit && ` ${unit}`}`
}

/** Formats a tick of an axis or a mean: a number of steps. */
export function dateOfNumber(steps: number, unit = '', count = 1): string {
  return Number.isFinite(steps) ? dateText(BigInt(Math.round(steps)), unit, count) : 'NaT'
}

const two = (n: bigint): string => String(n).padStart(2, '0')
/** NumPy counts the sign as a digit. */
const year = (n: bigint): string => (n < 0n ? '-' : '') + String(n < 0n ? -n : n).padStart(n < 0n ? 3 : 4, '0')

/** The date of a day since 1970, in the proleptic Gregorian calendar. */
function civil(day: bigint): string {
  const floor = (a: bigint, b: bigint) => (a - (((a % b) + b) % b)) / b
  const z = day + 719468n
  const era = floor(z, 146097n)
  const doe = z - era * 146097n
  const yoe = (doe - doe / 1460n + doe / 36524n - doe / 146096n) / 365n
  const doy = doe - (365n * yoe + yoe / 4n - yoe / 100n)
  const mp = (5n * doy + 2n) / 153n
  const month = mp < 10n ? mp + 3n : mp - 9n
  return `${year(yoe + era * 400n + (month <= 2n ? 1n : 0n))}-${two(month)}-${two(doy - (153n * mp + 2n) / 5n + 1n)}`
}
