import { copyOf } from '../base/bytes.js'

/** A MessagePack extension. */
export interface Extension {
  /** Type number. MessagePack itself defines the negative ones. */
  readonly type: number
  /** Content. */
  readonly data: Uint8Array
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** The arrays for packed lists of numbers, in the order of their kinds. */
const PACKED = [Float64Array, BigInt64Array, BigUint64Array, Uint8Array] as const

/** The value that a call returned: a tag, and what follows it, as ABI.md tells. Maps have no prototype. */
export function valueIn(output: Uint8Array): unknown {
  const view = new DataView(output.buffer, output.byteOffset, output.length)
  let at = 0
  const skip = (length: number) => (at += length) - length
  const size = () => view.getUint32(skip(4), true)
  const part = (length: number) => output.subarray(skip(length), at)
  const list = (length: number) => Array.from({ length }, value)
  const map = (length: number) => {
    const object = Object.create(null) as Record<string, unknown>
    for (; length > 0; length--) object[keyOf(value())] = value()
    return object
  }
  const packed = (length: number) => {
    const [kind, hasNulls] = part(2) as unknown as [0 | 1 | 2 | 3, number]
    const numbers = new PACKED[kind](copyOf(part(length * PACKED[kind].BYTES_PER_ELEMENT)).buffer)
    const values: unknown[] = kind === 3 ? Array.from(numbers, Boolean) : [...numbers]
    if (hasNulls) part(length).forEach((valid, row) => valid || (values[row] = null))
    return values
  }
  /** By their tags. */
  const kinds: (() => unknown)[] = [
    () => null,
    () => false,
    () => true,
    () => view.getFloat64(skip(8), true),
    () => view.getBigInt64(skip(8), true),
    () => view.getBigUint64(skip(8), true),
    () => UTF8.decode(part(size())),
    () => copyOf(part(size())),
    () => list(size()),
    () => map(size()),
    () => new Set(list(size())),
    () => {
      const length = size()
      return { type: view.getInt8(skip(1)), data: copyOf(part(length)) } satisfies Extension
    },
    () => packed(size()),
  ]
  function value(): unknown {
    return kinds[output[at++]!]!()
  }
  return value()
}

/** The key of a property. One that is a list or such becomes JSON. */
const keyOf = (key: unknown): string =>
  typeof key === 'string' || typeof key === 'number'
    ? `${key}`
    : JSON.stringify(key, (_, part: unknown) => (typeof part === 'bigint' ? `\u0001${part}` : part)).replace(
        /"\\u0001(-?\d+)"/g,
        '$1',
      )
