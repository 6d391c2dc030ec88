import type { Type } from './engine.js'

/** Names of NumPy's scalar types whose items a typed array holds. */
export type TypedArray =
  | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array
  | BigInt64Array | BigUint64Array | Float16Array | Float32Array | Float64Array

/** Items of a structured dtype: a column for each field, by its name. */
export interface Columns {
  readonly length: number
  readonly columns: Record<string, Data>
}

/**
 * Items of an array in C order:
 * - integers, floats: the typed array of their size; 64-bit integers, dates and durations as `BigInt64Array`, float16 as
 *   `Float16Array` where there is one and widened to `Float32Array` elsewhere, `long double` as bytes;
 * - bool: `Uint8Array` of 0 and 1; complex: real and imaginary parts in turns; sub-arrays: their items in turns;
 * - strings: `string[]`; structures: {@link Columns}; all else: bytes.
 */
export type Data = TypedArray | string[] | Columns

/** How to hand over what JavaScript has more than one form for. */
export interface TypeOptions {
  /** 64-bit integers as numbers: those that a number cannot hold are rounded. `'bigint'` by default. */
  int64?: 'bigint' | 'number'
}

type Constructor = new (buffer: ArrayBuffer) => TypedArray

const INTS: Record<number, [Constructor, Constructor]> = {
  1: [Int8Array, Uint8Array],
  2: [Int16Array, Uint16Array],
  4: [Int32Array, Uint32Array],
  8: [BigInt64Array, BigUint64Array],
}

/** The type of items of which only the size is known. */
export function unknownType(size: number): Type {
  return size === 1 ? { kind: 'uint', size, order: '|' } : { kind: 'void', size, order: '|' }
}

/** How many elements of {@link Data} an item takes. */
export function elements(type: Type): number {
  switch (type.kind) {
    case 'complex': return 2
    case 'subarray': return type.shape!.reduce((count, length) => count * length, elements(type.item!))
    case 'void': case 'object': return type.size
    case 'float': return type.size > 8 ? type.size : 1
    default: return 1
  }
}

/** Items out of their bytes, which become part of the result. */
export function typed(bytes: Uint8Array<ArrayBuffer>, type: Type, options: TypeOptions = {}): Data {
  const { kind, size } = type
  switch (kind) {
    case 'int': case 'uint': return integers(bytes, type, options)
    case 'datetime': case 'timedelta': return numbers(bytes, BigInt64Array, 8, type.order)
    case 'bool': return numbers(bytes, Uint8Array, 1, '|')
    case 'float': return size === 2 ? halves(bytes, type.order) : size > 8 ? bytes : floats(bytes, size, type.order)
    case 'complex': return size > 16 ? bytes : floats(bytes, size / 2, type.order)
    case 'bytes': return split(bytes, size, item => latin(trimmed(item, 1)))
    case 'str': return split(bytes, size, item => codePoints(trimmed(item, 4), type.order))
    case 'subarray': return typed(bytes, type.item!, options)
    case 'struct': return columns(bytes, type, options)
    default: return bytes
  }
}

function integers(bytes: Uint8Array<ArrayBuffer>, { kind, size, order }: Type, { int64 }: TypeOptions): TypedArray {
  const [signed, unsigned] = INTS[size] ?? [Uint8Array, Uint8Array]
  const data = numbers(bytes, kind === 'int' ? signed : unsigned, size, order)
  return size === 8 && int64 === 'number' ? Float64Array.from(data as BigInt64Array, Number) : data
}

function floats(bytes: Uint8Array<ArrayBuffer>, size: number, order: string): TypedArray {
  return numbers(bytes, size === 4 ? Float32Array : Float64Array, size, order)
}

function numbers(bytes: Uint8Array<ArrayBuffer>, array: Constructor, size: number, order: string): TypedArray {
  if (order === '>') swap(bytes, size)
  const aligned = bytes.byteOffset % size === 0 ? bytes : bytes.slice()
  return new (array as new (buffer: ArrayBuffer, offset: number, length: number) => TypedArray)(aligned.buffer, aligned.byteOffset, Math.floor(bytes.length / size))
}

/** Turns the bytes of each number around, in place. */
function swap(bytes: Uint8Array, size: number): void {
  for (let at = 0; at + size <= bytes.length; at += size) bytes.subarray(at, at + size).reverse()
}

function halves(bytes: Uint8Array<ArrayBuffer>, order: string): TypedArray {
  const bits = numbers(bytes, Uint16Array, 2, order) as Uint16Array
  if (typeof Float16Array !== 'undefined') return new Float16Array(bits.buffer, bits.byteOffset, bits.length)
  return Float32Array.from(bits, half)
}

function half(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023]
  const size = exponent === 31 ? (fraction ? NaN : Infinity) : exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction
  return bits & 0x8000 ? -size : size
}

function split(bytes: Uint8Array, size: number, text: (item: Uint8Array) => string): string[] {
  const count = size ? bytes.length / size : 0
  return Array.from({ length: count }, (_, k) => text(bytes.subarray(k * size, (k + 1) * size)))
}

/** Without the zeros at the end, which are padding. */
function trimmed(item: Uint8Array, unit: number): Uint8Array {
  let end = item.length
  while (end > 0 && item[end - 1] === 0) end--
  return item.subarray(0, Math.ceil(end / unit) * unit)
}

/** Bytes are characters: what Python shows as `b'…'`. */
function latin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

function codePoints(item: Uint8Array, order: string): string {
  const view = new DataView(item.buffer, item.byteOffset, item.length)
  const points = Array.from({ length: item.length / 4 }, (_, k) => view.getUint32(4 * k, order !== '>'))
  return points.map(point => (point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd')).join('')
}

function columns(bytes: Uint8Array, { size, fields }: Type, options: TypeOptions): Columns {
  const length = size ? bytes.length / size : 0
  const column = ({ offset, type }: NonNullable<Type['fields']>[number]) => {
    const own = new Uint8Array(length * type.size)
    for (let k = 0; k < length; k++) own.set(bytes.subarray(k * size + offset, k * size + offset + type.size), k * type.size)
    return typed(own, type, options)
  }
  return { length, columns: Object.fromEntries(fields!.map(field => [field.name, column(field)])) }
}
