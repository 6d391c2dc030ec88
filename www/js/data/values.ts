// Conversion of single values.

import { B2ndError } from '../base/errors.js'
import type { Type } from '../engine/facts.js'

/** The value of times that are not known. */
export const NAT = -(2n ** 63n)

/** Whether this machine is little-endian. */
export const LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** Converts a 64-bit integer or time to a double, NaT to NaN. Fails for a value that is not exact if `exact`, else rounds. */
export function toNumber(value: bigint, kind: Type['kind'], exact: boolean): number {
  if (value === NAT && /time/.test(kind)) return NaN
  if (exact && BigInt.asIntN(54, value) !== value) {
    throw new B2ndError('unsupported', `${value} is no safe integer: read it with int64: 'bigint'`)
  }
  return Number(value)
}

/** Converts 64-bit integers and times to doubles, rounded. */
export const toNumbers = (data: BigInt64Array | BigUint64Array, kind: Type['kind']): Float64Array =>
  Float64Array.from(data as Iterable<bigint> & ArrayLike<bigint>, (value: bigint) => toNumber(value, kind, false))

/** Reverses the bytes of each item of `size` bytes. */
export function swap(bytes: Uint8Array, size: number): void {
  for (let item = 0; item < bytes.length; item += size) {
    for (let low = item, high = item + size - 1; low < high; low++, high--) {
      const byte = bytes[low]!
      bytes[low] = bytes[high]!
      bytes[high] = byte
    }
  }
}

/** Decodes `width` code points without trailing zeros. */
export function string(points: Uint8Array | Uint32Array, from: number, width: number): string {
  const char = (point: number) => String.fromCodePoint(point > 0x10ffff ? 0xfffd : point)
  let end = from + width
  while (end > from && points[end - 1] === 0) end--
  return Array.from(points.subarray(from, end), char).join('')
}

/** Converts the bits of a float16. */
export function float16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction ? NaN : sign * Infinity
  return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction / 2 ** 24)
}

/** The bits of a number as float16, rounded to the nearest, to even in the middle. */
export function float16Bits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0
  const size = Math.abs(value)
  if (Number.isNaN(value)) return 0x7e00
  // Halfway to the number after the largest one.
  if (size >= 65520) return sign | 0x7c00
  const exponent = Math.max(-14, Math.floor(Math.log2(size)))
  // The logarithm may be rounded up to a power of two.
  const low = size < 2 ** exponent ? Math.max(-14, exponent - 1) : exponent
  const scaled = size / 2 ** (low - 10)
  const floor = Math.floor(scaled)
  const rest = scaled - floor
  const rounded = floor + (rest > 0.5 || (rest === 0.5 && floor % 2) ? 1 : 0)
  // A fraction that is rounded up to 2048 carries into the exponent.
  return sign | (rounded < 1024 ? rounded : ((low + 15) << 10) + (rounded - 1024))
}
