import type { Type } from '../engine/facts.js'

/** `Float16Array`, if TypeScript's `lib` has it. */
export type Float16 = typeof globalThis extends { Float16Array: { prototype: infer T } } ? T : never

/** The typed arrays of results, and of what they are read into. */
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float16
  | Float32Array
  | Float64Array

interface Constructor {
  new (buffer: ArrayBuffer, offset?: number, length?: number): Exclude<TypedArray, Float16>
  BYTES_PER_ELEMENT: number
  name: string
}

const NUMBERS: Record<string, Constructor | undefined> = {
  int1: Int8Array,
  int2: Int16Array,
  int4: Int32Array,
  int8: BigInt64Array,
  uint1: Uint8Array,
  uint2: Uint16Array,
  uint4: Uint32Array,
  uint8: BigUint64Array,
  float4: Float32Array,
  float8: Float64Array,
  bool1: Uint8Array,
  // Not all runtimes have an array for these, so they are converted everywhere.
  float2: undefined,
  complex8: Float32Array,
  complex16: Float64Array,
  datetime8: BigInt64Array,
  timedelta8: BigInt64Array,
}

/** The item type of nested subarrays; other types as they are. */
export function base(type: Type | null): Type | null {
  return type?.kind === 'subarray' ? base(type.item!) : type
}

/** The typed array for items as stored, apart from byte order; `undefined` if there is none. */
export function constructorOf(type: Type | null): Constructor | undefined {
  const item = base(type)
  const name = `${item?.kind}${item?.size}`
  return name in NUMBERS ? NUMBERS[name] : /bytes|str/.test(name) ? undefined : Uint8Array
}

/** The typed arrays for a dtype: the one that takes items as stored, if there is one, then the one to convert them to. */
export function constructorsOf(type: Type | null): (Constructor | undefined)[] {
  const item = base(type)
  const array = constructorOf(type)
  if (item?.kind === 'float' && item.size === 2)
    return [(globalThis as unknown as { Float16Array?: Constructor }).Float16Array, Float32Array]
  return [array, array && array.name.startsWith('Big') ? Float64Array : undefined]
}

/** Elements of the data per item: 2 for complex numbers, the size of items that are read as bytes, else 1. */
export function widthOf(type: Type | null, itemsize: number): number {
  if (!type) return itemsize
  if (type.kind === 'subarray') {
    return type.shape!.reduce((product, length) => product * length, widthOf(type.item!, type.item!.size))
  }
  const array = constructorOf(type)
  return array ? type.size / array.BYTES_PER_ELEMENT : 1
}

export const isBig = (data: unknown): data is BigInt64Array | BigUint64Array =>
  data instanceof BigInt64Array || data instanceof BigUint64Array
