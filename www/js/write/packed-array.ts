import { dtypeOf, type Items } from './items.js'

/** A NumPy array among objects, as they are read. */
export interface Packed {
  readonly dtype: unknown
  readonly shape: readonly number[]
  readonly data: Uint8Array
}

/** The NumPy array that a value is: a typed array of anything but bytes, or what reading makes of such an array. */
export function packedArray(value: unknown): Packed | undefined {
  if (ArrayBuffer.isView(value)) {
    if (value instanceof Uint8Array || value instanceof DataView) return undefined
    const data = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    return { dtype: { str: dtypeOf(value as Items) }, shape: [(value as Int8Array).length], data }
  }
  const { dtype, shape, data } = value as Partial<Packed>
  const isPacked = Object(dtype) === dtype && Array.isArray(shape) && data instanceof Uint8Array
  return isPacked && Object.keys(value as object).length === 3 ? { dtype, shape, data } : undefined
}
