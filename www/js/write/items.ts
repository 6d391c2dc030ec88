import { viewOf } from '../base/bytes.js'
import { argument, formatValue } from '../base/errors.js'
import type { Data, StructArray } from '../data/convert.js'
import { base, constructorOf, widthOf, type TypedArray } from '../data/typed-arrays.js'
import { LITTLE, float16Bits, NAT, swap } from '../data/values.js'
import type { Type } from '../engine/facts.js'

/**
 * Items in C order: what `get` returns for the dtype, lists of numbers, bigints, booleans or strings, or bytes of items as
 * stored.
 */
export type Items = Data | Uint8ClampedArray | ArrayBuffer | DataView | readonly (number | bigint | boolean | string)[]

/** NumPy's names of typed arrays, without byte order. */
const DTYPES: Record<string, string> = {
  Int8Array: 'i1',
  Int16Array: 'i2',
  Int32Array: 'i4',
  BigInt64Array: 'i8',
  Uint8Array: 'u1',
  Uint8ClampedArray: 'u1',
  Uint16Array: 'u2',
  Uint32Array: 'u4',
  BigUint64Array: 'u8',
  Float16Array: 'f2',
  Float32Array: 'f4',
  Float64Array: 'f8',
}

/** The dtype of data that has one by itself. */
export function dtypeOf(data: Items): string {
  const name = DTYPES[data?.constructor?.name]
  if (name && ArrayBuffer.isView(data)) return (name.endsWith('1') ? '|' : LITTLE ? '<' : '>') + name
  if (Array.isArray(data) && data.length && data.every(item => typeof item === 'string')) {
    return `<U${data.reduce((most, text) => Math.max(most, Array.from(text).length), 1)}`
  }
  throw argument(`dtype: give the dtype of ${formatValue(data)}`)
}

/** The number of items of data, if it has this type. */
export function countOf(data: Items, type: Type): number {
  const bytes = rawBytes(data)
  return bytes ? bytes.length / type.size : (data as ArrayLike<unknown>).length / width(type)
}

/** Elements of an item in a list. */
const width = (type: Type) => widthOf(type, type.size)

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
  if (array && data instanceof array) return data
  if (data instanceof Uint8ClampedArray) return array === Uint8Array ? new Uint8Array(viewOf(data)) : undefined
  const floats = data instanceof Float64Array || data instanceof Float32Array
  const listed = Array.isArray(data)
  if (!floats && !listed) return undefined
  const values = data as ArrayLike<number>
  if (item.kind === 'float' && item.size === 2) return Uint16Array.from(values, value => float16Bits(value))
  if (array === BigInt64Array || array === BigUint64Array)
    return bigints(values, new array(new ArrayBuffer(8 * values.length)) as BigInt64Array, /time/.test(item.kind))
  if (!array || !listed || item.kind === 'void' || item.kind === 'object') return undefined
  return (array as unknown as Uint8ArrayConstructor).from(values, Number)
}

function bigints(
  values: ArrayLike<number | bigint>,
  big: BigInt64Array | BigUint64Array,
  time: boolean,
): BigInt64Array | BigUint64Array {
  for (let k = 0; k < values.length; k++) {
    const value = values[k]!
    if (typeof value === 'number' && !Number.isSafeInteger(value) && !(time && Number.isNaN(value))) {
      throw argument(`data: ${value} is no safe integer`)
    }
    big[k] = Number.isNaN(value) ? NAT : BigInt(value)
  }
  return big
}

/** Strings, padded with zeros. */
function textBytes(data: Items, item: Type): Uint8Array<ArrayBuffer> {
  if (!Array.isArray(data)) throw argument(`data: ${formatValue(data?.constructor?.name)} does not fit the dtype`)
  const wide = item.kind === 'str'
  const length = wide ? item.size / 4 : item.size
  const most = wide ? 0x10ffff : 0xff
  const bytes = new Uint8Array(data.length * item.size)
  const view = new DataView(bytes.buffer)
  data.forEach((text: unknown, k) => {
    const points = Array.from(String(text), char => char.codePointAt(0)!)
    if (points.length > length || points.some(point => point > most)) {
      throw argument(`data: ${formatValue(text)} does not fit ${length} characters${wide ? '' : ' of a byte'}`)
    }
    points.forEach((point, at) => {
      if (wide) view.setUint32(k * item.size + 4 * at, point, item.order !== '>')
      else bytes[k * item.size + at] = point
    })
  })
  return bytes
}

/** Whether a value is a single item and not a list of items. */
export const isItem = (data: unknown): data is number | bigint | boolean | string =>
  !(Object(data) === data) && data !== undefined && data !== null
