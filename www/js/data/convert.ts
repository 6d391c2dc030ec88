import { argument, setName, formatValue } from '../base/errors.js'
import { checked, READ } from '../base/validation.js'
import { inSteps } from '../base/yielding.js'
import type { Field, Type } from '../engine/facts.js'
import { engineError } from '../engine/messages.js'
import { base, constructorOf, isBig, widthOf, type Float16, type TypedArray } from './typed-arrays.js'
import { float16, LITTLE, string, swap, toNumber } from './values.js'

/**
 * Items in C order. The type depends on the dtype:
 *
 * | dtype | data |
 * |---|---|
 * | integers, floats | the typed array of that type; `Float32Array` for float16 |
 * | bool | `Uint8Array` of 0 and 1 |
 * | complex | `Float32Array` or `Float64Array`: real and imaginary parts alternate |
 * | datetime64, timedelta64 | `BigInt64Array`; the smallest value is NaT |
 * | S, U | strings |
 * | structured | `StructArray` |
 * | other | `Uint8Array` with the bytes of the items |
 *
 * Numbers are in native byte order. The bytes of the last row are as stored.
 */
export type Data = Exclude<TypedArray, Float16> | string[] | StructArray

/** The type of 64-bit integers and times. `number` fails for values beyond 2^53 and turns NaT into NaN. */
export type Int64 = 'bigint' | 'number'

/** One item: a number, bigint, boolean or string, `[real, imaginary]`, an object with the fields of a structure, or bytes. */
export type Scalar =
  | number
  | bigint
  | boolean
  | string
  | readonly (number | bigint)[]
  | Uint8Array
  | { [field: string]: Scalar }

/** Bytes converted in one step. */
const STEP = 2 ** 15

/** A conversion to `data`. `convert` fills a range of its items; `items` is 0 if the bytes need no conversion. */
interface Conversion {
  readonly data: Data
  readonly items: number
  readonly convert: (from: number, to: number) => void
}

function conversion(type: Type | null, bytes: Uint8Array<ArrayBuffer>, int64: Int64): Conversion {
  const item = base(type)
  const kind = item?.kind
  const done = (data: Data) => ({ data, items: 0, convert: () => {} })
  // Addresses of Python's objects: no dtype that is known here.
  if (kind === 'object') throw engineError([1, 7])
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
  const value = text
    ? (at: number) => string(stored as Uint8Array, at * width, width)
    : half
      ? (at: number) => float16(stored[at] as number)
      : numbers
        ? (at: number) => toNumber(stored[at] as bigint, kind!, true)
        : undefined
  return {
    data,
    items,
    convert(from, to) {
      if (swapped) swap(bytes.subarray(from * width * element, to * width * element), element)
      if (value) for (let at = from; at < to; at++) (data as unknown[])[at] = value(at)
    },
  }
}

/** Converts bytes to data. Swaps them in place if they are not in native order. */
export function toData(type: Type | null, bytes: Uint8Array<ArrayBuffer>, int64: Int64 = 'bigint'): Data {
  const { data, items, convert } = conversion(type, bytes, int64)
  convert(0, items)
  return data
}

/** Converts bytes to data in short steps, with pauses between. */
export async function toDataInSteps(
  type: Type | null,
  bytes: Uint8Array<ArrayBuffer>,
  int64: Int64 = 'bigint',
  signal?: AbortSignal,
): Promise<Data> {
  const { data, items, convert } = conversion(type, bytes, int64)
  await inSteps(items, Math.ceil((items * STEP) / bytes.length), convert, signal)
  return data
}

/** One item of the data. */
export function scalar(type: Type | null, data: Data, at: number, width: number): Scalar {
  if (data instanceof StructArray) {
    if (width > 1) throw argument('subarrays of structures have no scalars; use get')
    return data.row(at)
  }
  if (width === 1) return type?.kind === 'bool' ? data[at] !== 0 : (data[at] as Scalar)
  const items = data.slice(at * width, (at + 1) * width)
  return items instanceof Uint8Array && base(type)?.kind !== 'uint' ? items : Array.from(items as ArrayLike<number>)
}

/** Structured items: a table with the fields as columns. It converts items when they are read. */
export class StructArray {
  static {
    setName(this, 'StructArray')
  }
  /** Number of items. */
  readonly length: number
  /** The bytes of the items as stored. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The fields of an item. */
  readonly fields: readonly Field[]
  readonly #type: Type
  readonly #int64: Int64

  constructor(type: Type, bytes: Uint8Array<ArrayBuffer>, int64: Int64) {
    this.fields = type.fields!
    this.bytes = bytes
    this.length = bytes.length / type.size || 0
    this.#type = type
    this.#int64 = int64
  }

  /** The names of the fields. */
  get names(): string[] {
    return this.fields.map(field => field.name)
  }

  /** Returns the values of a field synchronously. For millions of items, use `readColumn`. */
  column(name: string): Data {
    return this.#values(this.#field(name), 0, this.length)
  }

  /** Returns the values of a field, converted in short steps that do not block the thread. Rejects with the reason of an
   * aborted signal. */
  async readColumn(name: string, options: { signal?: AbortSignal | undefined } = {}): Promise<Data> {
    const { signal } = checked(options, READ)
    const field = this.#field(name)
    const { type } = field
    const bytes = new Uint8Array(this.length * type.size)
    const copy = (from: number, to: number) => this.#copy(field, from, bytes.subarray(from * type.size, to * type.size))
    await inSteps(this.length, STEP, copy, signal)
    return toDataInSteps(type, bytes, this.#int64, signal)
  }

  #field(name: string): Field {
    const field = this.fields.find(field => field.name === name || (field.title ?? field.name) === name)
    if (field) return field
    throw argument(`no field is called ${formatValue(name)}: these are ${this.names.join(', ')}`)
  }

  /** An item, as an object. */
  row(at: number): { [field: string]: Scalar } {
    if (!(Number.isInteger(at) && at >= 0 && at < this.length)) throw engineError([2, 0, at, 0, this.length])
    const row = Object.create(null) as { [field: string]: Scalar }
    for (const field of this.fields) {
      row[field.name] = scalar(field.type, this.#values(field, at, at + 1), 0, widthOf(field.type, field.type.size))
    }
    return row
  }

  /** Iterates over the items as objects. */
  *[Symbol.iterator](): Iterator<{ [field: string]: Scalar }> {
    for (let at = 0; at < this.length; at++) yield this.row(at)
  }

  #values(field: Field, from: number, to: number): Data {
    const bytes = new Uint8Array((to - from) * field.type.size)
    this.#copy(field, from, bytes)
    return toData(field.type, bytes, this.#int64)
  }

  /** Copies a field of items from `from` on to `bytes`. */
  #copy({ type, offset }: Field, from: number, bytes: Uint8Array): void {
    let start = from * this.#type.size + offset
    for (let at = 0; at < bytes.length; at += type.size, start += this.#type.size) {
      bytes.set(this.bytes.subarray(start, start + type.size), at)
    }
  }
}
