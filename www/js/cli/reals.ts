// Floating-point numbers as text: the fewest digits that identify the number in its precision.

import { float16, float16Bits } from '../data/values.js'

/** A floating-point number and its size in bytes. Those of more than 8 bytes are rounded to 8. */
export interface Real {
  readonly value: number
  readonly size: number
}

/** The exponent of the sign and the exponent of a number of 80 or 128 bits that is 1. */
const BIAS = 16383

/**
 * Reads 2, 4, 8, 12 or 16 bytes. The format of C's `long double` is not recorded: little-endian ones are read as the 80 bits of x87,
 * big-endian ones as IEEE 754's quadruple precision.
 */
export function readReal(view: DataView, at: number, size: number, little: boolean): Real {
  if (size === 2) return { value: float16(view.getUint16(at, little)), size }
  if (size === 4) return { value: view.getFloat32(at, little), size }
  if (size === 8) return { value: view.getFloat64(at, little), size }
  if (little)
    return { value: scaled(view.getBigUint64(at, true), view.getUint16(at + 8, true), 63, 1n << 63n), size: 8 }
  const [high, low] = [view.getBigUint64(at), view.getBigUint64(at + 8)]
  const exponent = Number(high >> 48n)
  const hidden = exponent & 0x7fff ? 1n << 112n : 0n
  return { value: scaled((BigInt.asUintN(48, high) << 64n) | low | hidden, exponent, 112, hidden), size: 8 }
}

/** The number of a significand with `digits` binary digits after the point. An infinite one has just the bit `one`. */
function scaled(significand: bigint, signed: number, digits: number, one: bigint): number {
  const sign = signed & 0x8000 ? -1 : 1
  const exponent = signed & 0x7fff
  if (exponent === 0x7fff) return significand === one || significand === 0n ? sign * Infinity : NaN
  let value = Number(significand)
  for (let power = Math.max(exponent, 1) - BIAS - digits; power && value && Number.isFinite(value);) {
    const step = Math.min(1000, Math.max(-1000, power))
    value *= 2 ** step
    power -= step
  }
  return sign * value
}

/** NumPy's format: `0.1`, `nan`, `-inf`, `1e-7`. Numbers from 1e-4 to 1e16 have a point. */
export function realText({ value, size }: Real): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  if (value === 0) return `${sign}0.0`
  const [, first, rest = '', exponent] = /^(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(shortest(Math.abs(value), size))!
  const power = Number(exponent)
  const digits = first! + rest
  if (power < -4 || power >= 16) return `${sign}${first}${rest && `.${rest}`}e${power}`
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`
  return `${sign}${digits.slice(0, power + 1).padEnd(power + 1, '0')}.${digits.slice(power + 1) || '0'}`
}

/** The fewest digits, as `1.5e+3`. */
function shortest(value: number, size: number): string {
  if (size === 8) return value.toExponential()
  const bits = new Float32Array(1)
  const same = (text: string) => {
    if (size === 2) return float16Bits(Number(text)) === float16Bits(value)
    bits[0] = Number(text)
    return bits[0] === value
  }
  for (let digits = 0; digits < 9; digits++) {
    const found = candidates(value, digits).find(same)
    if (found) return found.replace(/\.?0+e/, 'e')
  }
  return value.toExponential()
}

/**
 * The nearest number with so many digits after the first, of two the one with an even digit; and the next one: below a power of
 * two numbers are closer, so that the nearest one may identify another number, and the next one this.
 */
function candidates(value: number, digits: number): string[] {
  const [, mantissa, exponent] = /^(.*)(e.*)$/.exec(value.toExponential(digits))!
  const other = (sign: number) => (Number(mantissa) + sign * 10 ** -digits).toFixed(digits) + exponent!
  const rest = value
    .toExponential(20)
    .replace('.', '')
    .slice(digits + 1, 21)
  const isOdd = /[13579]$/.test(mantissa!)
  // JavaScript rounds up in the middle.
  return [/^50*$/.test(rest) && isOdd ? other(-1) : mantissa! + exponent!, other(1)]
}
