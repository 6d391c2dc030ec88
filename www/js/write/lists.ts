// Items in lists: each value must be one of the dtype.

import { argument, formatValue } from '../base/errors.js'
import { product } from '../base/numbers.js'
import { float16Bits, NAT } from '../data/values.js'
import type { Type } from '../engine/facts.js'

/** More axes than any array and its items have. */
const MAX_DEPTH = 64

/** The lengths of nested lists, by the first of each. */
export function lengthsOf(list: readonly unknown[]): number[] {
  const lengths: number[] = []
  for (let inner: unknown = list; Array.isArray(inner); inner = (inner as unknown[])[0]) {
    if (lengths.push(inner.length) > MAX_DEPTH) throw argument('data: nested too deeply')
  }
  return lengths
}

/** The values of nested lists with these lengths. Fails as `argument` for others. */
export function flat(
  list: readonly unknown[],
  lengths: readonly number[],
  axis = 0,
  place = 'data',
): readonly unknown[] {
  if (axis === lengths.length - 1) return list
  return Array.from(list).flatMap((inner, k) => {
    const at = `${place}[${k}]`
    if (!Array.isArray(inner)) throw argument(`${at}: ${formatValue(inner)} is not a list, but those before are`)
    if (inner.length === lengths[axis + 1]) return flat(inner, lengths, axis + 1, at)
    throw argument(`${at}: a list of ${inner.length}, after lists of ${lengths[axis + 1]}`)
  })
}

/** Where a value is in nested lists with these lengths. */
function placeOf(at: number, lengths: readonly number[]): string {
  const index = (length: number, axis: number) => Math.floor(at / product(lengths.slice(axis + 1))) % length
  return `data${lengths.map((length, axis) => `[${index(length, axis)}]`).join('')}`
}

/** A value as an item takes it; `undefined` if it is none. */
type Convert<T> = (value: unknown) => T | undefined

/** The values of a dtype, in words, and their conversion. */
interface Kind<T> {
  readonly words: string
  readonly convert: Convert<T>
}

/** Calls `put` with each value as an item takes it. Fails as `argument` for one that does not fit. */
export function convertEach<T>(
  values: ArrayLike<unknown>,
  lengths: readonly number[],
  { words, convert }: Kind<T>,
  put: (value: T, at: number) => void,
): void {
  for (let at = 0; at < values.length; at++) {
    const value = convert(values[at])
    if (value === undefined) throw argument(`${placeOf(at, lengths)}: ${formatValue(values[at])} is not ${words}`)
    put(value, at)
  }
}

/** The values of a dtype of numbers; `undefined` for other dtypes. Those of float16 are its bits. */
export function numbersOf({ kind, size }: Type): Kind<number | bigint> | undefined {
  // There are no typed arrays for others.
  if (size > (kind === 'complex' ? 16 : 8)) return undefined
  switch (kind) {
    case 'bool':
      return { words: 'true, false, 1 or 0', convert: value => (value === 0 || value === 1 ? value : truth(value)) }
    case 'int':
    case 'uint':
      return integers(kind, size)
    case 'datetime':
    case 'timedelta': {
      const { words, convert } = integers('int', size)
      return { words: `${words}, or NaN`, convert: value => (Number.isNaN(value) ? NAT : convert(value)) }
    }
    case 'float':
      return reals(size)
    case 'complex':
      return reals(size / 2)
    default:
      return undefined
  }
}

const truth = (value: unknown): number | undefined => (typeof value === 'boolean' ? Number(value) : undefined)

function integers(kind: 'int' | 'uint', size: number): Kind<number | bigint> {
  const bits = BigInt(8 * size)
  const [low, high] = kind === 'int' ? [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n] : [0n, 2n ** bits - 1n]
  const fits = (value: unknown) => (value as bigint) >= low && (value as bigint) <= high
  const whole = (value: unknown) => (typeof value === 'bigint' || Number.isSafeInteger(value)) && fits(value)
  const cast = size === 8 ? BigInt : Number
  return {
    words: `an integer from ${low} to ${high}${size === 8 ? ', beyond 2^53 a bigint' : ''}`,
    convert: value => (typeof value === 'boolean' || whole(value) ? cast(value as number) : undefined),
  }
}

/** Numbers are rounded to floats, but not to infinity. */
function reals(size: number): Kind<number> {
  const most = size === 2 ? 65520 : size === 4 ? 2 ** 128 - 2 ** 103 : Infinity
  const convert: Convert<number> = value => {
    const number = typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : truth(value)
    if (number === undefined || (typeof value === 'bigint' && (number === Infinity || BigInt(number) !== value)))
      return undefined
    if (Number.isFinite(number) && Math.abs(number) >= most) return undefined
    return size === 2 ? float16Bits(number) : number
  }
  return { words: `a number that float${8 * size} can hold`, convert }
}

/** Texts of at most so many characters, by their code points. */
export const texts = (length: number, wide: boolean): Kind<number[]> => ({
  words: `a text of at most ${length} characters${wide ? '' : ' of a byte'}`,
  convert: value => {
    if (typeof value !== 'string') return undefined
    const points = Array.from(value, char => char.codePointAt(0)!)
    return points.length > length || (!wide && points.some(point => point > 0xff)) ? undefined : points
  },
})
