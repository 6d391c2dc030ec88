import { B2ndError, argument } from './errors.js'
import type { Type } from './facts.js'
import { StructArray } from './struct.js'
import { inTurn } from './turns.js'

/** `Float16Array`, where TypeScript's `lib` has it. */
type Float16 = typeof globalThis extends { Float16Array: { prototype: infer T } } ? T : never

/** Arrays of numbers that results come in. */
export type TypedArray =
  | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array
  | BigInt64Array | BigUint64Array | Float16 | Float32Array | Float64Array

/**
 * Items in C order, as their dtype has them:
 *
 * | dtype | data |
 * |---|---|
 * | integers, floats | the typed array of that kind; `Float32Array` for float16 where there is no `Float16Array` |
 * | bool | `Uint8Array` of 0 and 1 |
 * | complex | `Float32Array` or `Float64Array`: real and imaginary parts in turns |
 * | datetime64, timedelta64 | `BigInt64Array`; the smallest value is NaT |
 * | S, U | strings |
 * | structured | `StructArray` |
 * | all else | `Uint8Array` with the bytes of the items |
 *
 * Bytes are in the machine's order, whatever order the file has; only in the last line are they as stored.
 */
export type Data = TypedArray | string[] | StructArray

/** How 64-bit integers and times come: exact, or as numbers, which fails where one is beyond 2^53. NaT becomes NaN. */
export type Int64 = 'bigint' | 'number'

/** One item: a number, bigint or boolean, `[real, imaginary]`, a string, an object of a structured item's fields, bytes. */
export type Scalar = number | bigint | boolean | string | readonly (number | bigint)[] | Uint8Array | { [field: string]: Scalar }

interface Constructor {
  new (buffer: ArrayBuffer, offset?: number, length?: number): TypedArray
  BYTES_PER_ELEMENT: number
  name: string
}

const NUMBERS: Record<string, Constructor | undefined> = {
  int1: Int8Array, int2: Int16Array, int4: Int32Array, int8: BigInt64Array,
  uint1: Uint8Array, uint2: Uint16Array, uint4: Uint32Array, uint8: BigUint64Array,
  float4: Float32Array, float8: Float64Array, bool1: Uint8Array,
  // There is none everywhere.
  get float2() {
    return (globalThis as { Float16Array?: Constructor }).Float16Array
  },
  complex8: Float32Array, complex16: Float64Array, datetime8: BigInt64Array, timedelta8: BigInt64Array,
}

/** The type of the numbers of an item, past the dimensions of subarrays. */
function base(type: Type | null): Type | null {
  return type?.kind === 'subarray' ? base(type.item!) : type
}

/** The typed array that holds items as they are stored, but for the order of their bytes, if data are one. */
export function constructorOf(type: Type | null): Constructor | undefined {
  const item = base(type)
  const name = `${item?.kind}${item?.size}`
  return name in NUMBERS ? NUMBERS[name] : /bytes|str/.test(name) ? undefined : Uint8Array
}

/** The typed arrays that items can come in. The first takes them as they are stored, if there is one; others are converted to. */
export function constructorsOf(type: Type | null): (Constructor | undefined)[] {
  const item = base(type)
  const array = constructorOf(type)
  if (item?.kind === 'float' && item.size === 2) return [array, Float32Array]
  return [array, array && /^Big/.test(array.name) ? Float64Array : undefined]
}

/** How many elements of the data an item is: 2 for complex numbers, the bytes of what comes as bytes, else 1. */
export function widthOf(type: Type | null, itemsize: number): number {
  if (!type) return itemsize
  if (type.kind === 'subarray') {
    return type.shape!.reduce((product, length) => product * length, widthOf(type.item!, type.item!.size))
  }
  const array = constructorOf(type)
  return array ? type.size / array.BYTES_PER_ELEMENT : 1
}

/** Bytes that are converted in one step. */
const STEP = 2 ** 15

const LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** Data in the making: `convert` makes some of the items, of which there are none where all are as they are stored. */
interface Conversion {
  readonly data: Data
  readonly items: number
  convert(from: number, to: number): void
}

function conversion(type: Type | null, bytes: Uint8Array<ArrayBuffer>, int64: Int64): Conversion {
  const item = base(type)
  const kind = item?.kind
  const done = (data: Data) => ({ data, items: 0, convert() {} })
  if (kind === 'struct') return done(new StructArray(item!, bytes, int64))
  const text = kind === 'str' || kind === 'bytes'
  const array = constructorOf(type) ?? (kind === 'str' ? Uint32Array : text ? Uint8Array : Uint16Array)
  const element = array.BYTES_PER_ELEMENT
  const stored = new array(bytes.buffer, bytes.byteOffset, bytes.length / element)
  const swapped = (item?.order === '>') === LITTLE && element > 1
  const width = text ? item!.size / element : 1
  const half = kind === 'float' && stored instanceof Uint16Array
  const numbers = int64 === 'number' && isBig(stored)
  if (!swapped && !text && !half && !numbers) return done(stored)
  const items = stored.length / width || 0
  const data: Data = text ? [] : half ? new Float32Array(items) : numbers ? new Float64Array(items) : stored
  const value = text ? (at: number) => string(stored as Uint8Array, at * width, width)
    : half ? (at: number) => float16(stored[at] as number)
    : numbers ? (at: number) => toNumber(stored[at] as bigint, kind!, true) : undefined
  return {
    data,
    items,
    convert(from, to) {
      if (swapped) swap(bytes.subarray(from * width * element, to * width * element), element)
      if (value) for (let at = from; at < to; at++) (data as unknown[])[at] = value(at)
    },
  }
}

/** The data that `bytes` are. They are changed where their order is not the machine's. */
export function toData(type: Type | null, bytes: Uint8Array<ArrayBuffer>, int64: Int64 = 'bigint'): Data {
  const { data, items, convert } = conversion(type, bytes, int64)
  convert(0, items)
  return data
}

/** The same in short steps, between which others have the thread and the signal is looked at. */
export async function toDataInTurns(
  type: Type | null, bytes: Uint8Array<ArrayBuffer>, int64: Int64 = 'bigint', signal?: AbortSignal,
): Promise<Data> {
  const { data, items, convert } = conversion(type, bytes, int64)
  const step = Math.ceil(items * STEP / bytes.length)
  for (let at = 0; at < items; at += step) {
    await inTurn(() => {
      signal?.throwIfAborted()
      convert(at, Math.min(at + step, items))
    })
  }
  return data
}

/** Item `at` of the data. */
export function scalar(type: Type | null, data: Data, at: number, width: number): Scalar {
  if (data instanceof StructArray) {
    if (width > 1) throw argument('subarrays of structures have no scalars; use get')
    return data.row(at)
  }
  if (width === 1) return type?.kind === 'bool' ? data[at] !== 0 : data[at] as Scalar
  const items = data.slice(at * width, (at + 1) * width)
  return items instanceof Uint8Array && base(type)?.kind !== 'uint' ? items : (Array.from(items as ArrayLike<number>))
}

export const isBig = (data: Data): data is BigInt64Array | BigUint64Array =>
  data instanceof BigInt64Array || data instanceof BigUint64Array

const NAT = -(2n ** 63n)

/** A 64-bit integer or time as a double, NaT as NaN. Unless `exact`, it may be rounded. */
function toNumber(value: bigint, kind: Type['kind'], exact: boolean): number {
  if (value === NAT && /time/.test(kind)) return NaN
  if (exact && BigInt.asIntN(54, value) !== value) {
    throw new B2ndError('unsupported', `${value} is no safe integer: read it with int64: 'bigint'`)
  }
  return Number(value)
}

/** 64-bit integers and times as doubles, which may be rounded. */
export const toNumbers = (data: BigInt64Array | BigUint64Array, kind: Type['kind']): Float64Array =>
  Float64Array.from(data as Iterable<bigint> & ArrayLike<bigint>, (value: bigint) => toNumber(value, kind, false))

function swap(bytes: Uint8Array, size: number): void {
  for (let item = 0; item < bytes.length; item += size) {
    for (let low = item, high = item + size - 1; low < high; low++, high--) {
      const byte = bytes[low]!
      bytes[low] = bytes[high]!
      bytes[high] = byte
    }
  }
}

/** The text of `width` code points, zeros at its end left out. */
function string(points: Uint8Array | Uint32Array, from: number, width: number): string {
  const char = (point: number) => String.fromCodePoint(point > 0x10ffff ? 0xfffd : point)
  return Array.from(points.subarray(from, from + width), char).join('').replace(/\0+$/, '')
}

function float16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction ? NaN : sign * Infinity
  return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction / 2 ** 24)
}
