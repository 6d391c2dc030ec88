import { viewOf } from '../base/bytes.js'
import { argument, formatValue } from '../base/errors.js'
import type { Data, StructArray } from '../data/convert.js'
import { base, constructorOf, constructorsOf, type TypedArray } from '../data/typed-arrays.js'
import { LITTLE, swap } from '../data/values.js'
import type { Type } from '../engine/facts.js'
import { convertEach, flat, lengthsOf, numbersOf, texts } from './lists.js'

/** A list of numbers, bigints, booleans or strings, or of such lists, all of one length. */
export type List = readonly (number | bigint | boolean | string | List)[]

/**
 * Items in C order: what `get` returns for the dtype, lists, or bytes of items as stored. The values of lists must be those of the
 * dtype, exactly but for floats, to which numbers are rounded. Nested lists must have the shape of what they are written to; complex
 * numbers are pairs in them.
 */
export type Items = Data | TypedArray | Uint8ClampedArray | ArrayBuffer | DataView | List

/** The dtype of data that has one by itself. */
export function dtypeOf(data: Items): string {
  const [, kind, bits] = /^(?:Big)?(I|U|F)\D+(\d+)(?:Clamped)?Array$/.exec(data?.constructor?.name) ?? []
  if (kind && ArrayBuffer.isView(data))
    return `${bits === '8' ? '|' : LITTLE ? '<' : '>'}${kind.toLowerCase()}${+bits! / 8}`
  const items = Array.isArray(data) ? flat(data, lengthsOf(data)) : []
  if (items.length && items.every(item => typeof item === 'string')) {
    return `<U${items.reduce((most: number, text) => Math.max(most, Array.from(text).length), 1)}`
  }
  throw argument(`dtype: give the dtype of ${formatValue(data)}`)
}

/** Fails as `argument` for nested lists of another shape. */
export function checkShape(data: Items, type: Type, shape: readonly number[]): void {
  const lengths = Array.isArray(data) ? lengthsOf(data) : []
  const needed = [...shape, ...innerShape(type)].join(', ')
  if (lengths.length < 2 || lengths.join(', ') === needed) return
  throw argument(`data: lists of [${lengths.join(', ')}], where [${needed}] are needed`)
}

/** The axes of an item in nested lists. */
const innerShape = (type: Type): readonly number[] =>
  type.kind === 'subarray' ? [...type.shape!, ...innerShape(type.item!)] : type.kind === 'complex' ? [2] : []

/** The bytes of the items as stored, if they are given so. */
function rawBytes(data: unknown): Uint8Array<ArrayBuffer> | undefined {
  // Each entry of the package has a `StructArray` of its own.
  const { bytes = data } = (data ?? {}) as Partial<StructArray>
  return bytes instanceof Uint8Array || bytes instanceof ArrayBuffer || bytes instanceof DataView
    ? viewOf(bytes)
    : undefined
}

/** The bytes of items, as the frame stores them. Views `data` if it has this form. Fails as `argument` for other types. */
export function bytesOf(data: Items, type: Type): Uint8Array<ArrayBuffer> {
  const raw = rawBytes(data)
  if (raw) return raw
  const item = base(type)!
  if (item.kind === 'str' || item.kind === 'bytes') return textBytes(data, item)
  const values = toTyped(data, item)
  if (!values) throw argument(`data: ${formatValue(data?.constructor?.name)} does not fit the dtype`)
  const bytes = viewOf(values)
  const element = values.BYTES_PER_ELEMENT
  if (element === 1 || (item.order === '<') === LITTLE) return bytes
  const swapped = bytes.slice()
  swap(swapped, element)
  return swapped
}

/** The typed array of the items as stored, apart from byte order. */
function toTyped(data: Items, item: Type): TypedArray | Uint16Array | undefined {
  const array = constructorOf(item)
  const [stored] = constructorsOf(item)
  if (stored && data instanceof stored) return data
  if (data instanceof Uint8ClampedArray) return array === Uint8Array ? new Uint8Array(viewOf(data)) : undefined
  const floats = data instanceof Float64Array || data instanceof Float32Array
  const half = item.kind === 'float' && item.size === 2
  const isBig = array === BigInt64Array || array === BigUint64Array
  const kind = numbersOf(item)
  if (!kind || !(half || array) || !(Array.isArray(data) || (floats && (half || isBig)))) return undefined
  const lengths = Array.isArray(data) ? lengthsOf(data) : [data.length]
  const values = Array.isArray(data) ? flat(data, lengths) : (data as ArrayLike<number>)
  const typed = new (half ? Uint16Array : (array as unknown as ArrayConstructor))(values.length) as (number | bigint)[]
  convertEach(values, lengths, kind, (value, at) => (typed[at] = value))
  return typed as unknown as TypedArray
}

/** Strings, padded with zeros. */
function textBytes(data: Items, item: Type): Uint8Array<ArrayBuffer> {
  if (!Array.isArray(data)) throw argument(`data: ${formatValue(data?.constructor?.name)} does not fit the dtype`)
  const wide = item.kind === 'str'
  const lengths = lengthsOf(data)
  const values = flat(data, lengths)
  const bytes = new Uint8Array(values.length * item.size)
  const view = new DataView(bytes.buffer)
  convertEach(values, lengths, texts(wide ? item.size / 4 : item.size, wide), (points, k) =>
    points.forEach((point, at) => {
      if (wide) view.setUint32(k * item.size + 4 * at, point, item.order !== '>')
      else bytes[k * item.size + at] = point
    }),
  )
  return bytes
}

/** Whether a value is a single item and not a list of items. */
export const isItem = (data: unknown): data is number | bigint | boolean | string =>
  !(Object(data) === data) && data !== undefined && data !== null
