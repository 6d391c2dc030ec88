import { bytesIn } from '../base/bytes.js'
import { argument, formatValue } from '../base/errors.js'
import type { Extension } from '../engine/values.js'

const UTF8 = new TextEncoder()

/** The deepest nesting that readers accept. */
const DEPTH = 32

/**
 * Encodes a value as MessagePack: null, booleans, numbers, bigints, strings, bytes, arrays, maps, extensions and plain objects.
 * Whole numbers become integers.
 */
export function encodeMsgpack(value: unknown): Uint8Array<ArrayBuffer> {
  const parts: number[] = []
  const number = (setter: 'setFloat64' | 'setBigUint64' | 'setBigInt64', value: number | bigint) => {
    const view = new DataView(new ArrayBuffer(8))
    view[setter](0, value as never)
    for (let k = 0; k < 8; k++) parts.push(view.getUint8(k))
  }
  const big = (value: number, size: number) => {
    for (let shift = 8 * (size - 1); shift >= 0; shift -= 8) parts.push((value >>> shift) & 255)
  }
  const put = (bytes: Uint8Array) => bytes.forEach(byte => parts.push(byte))
  /** A length with a short form of up to `most` in one byte, or a marker for 8 bits, if there is one, 16 or 32 bits. */
  const length = (length: number, short: number, most: number, markers: readonly [number, number, number]) => {
    if (length <= most) parts.push(short | length)
    else if (length < 0x100 && markers[0]) parts.push(markers[0], length)
    else {
      const long = length > 0xffff
      parts.push(markers[long ? 2 : 1])
      big(length, long ? 4 : 2)
    }
  }
  const integer = (value: number) => {
    if (value >= -32 && value < 128) parts.push(value & 255)
    else {
      const sizes = value < 0 ? [0xd0, 0xd1, 0xd2] : [0xcc, 0xcd, 0xce]
      const fits = (size: number) => (value < 0 ? -value <= 2 ** (8 * size - 1) : value < 2 ** (8 * size))
      const kind = [1, 2, 4].findIndex(fits)
      if (kind < 0) {
        parts.push(value < 0 ? 0xd3 : 0xcf)
        number(value < 0 ? 'setBigInt64' : 'setBigUint64', BigInt(value))
      } else {
        parts.push(sizes[kind]!)
        big(value, 1 << kind)
      }
    }
  }
  const encode = (value: unknown, depth: number): void => {
    if (depth > DEPTH) throw argument(`metalayer: nested more than ${DEPTH} levels deep`)
    if (value === null || value === undefined) parts.push(0xc0)
    else if (typeof value === 'boolean') parts.push(value ? 0xc3 : 0xc2)
    else if (typeof value === 'number') {
      if (Number.isSafeInteger(value) && !Object.is(value, -0)) return integer(value)
      parts.push(0xcb)
      number('setFloat64', value)
    } else if (typeof value === 'bigint') {
      if (BigInt.asIntN(54, value) === value) return integer(Number(value))
      if (BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value) {
        throw argument(`metalayer: ${value} has more than 64 bits`)
      }
      parts.push(value < 0n ? 0xd3 : 0xcf)
      number(value < 0n ? 'setBigInt64' : 'setBigUint64', value)
    } else if (typeof value === 'string') {
      const bytes = UTF8.encode(value)
      length(bytes.length, 0xa0, 31, [0xd9, 0xda, 0xdb])
      put(bytes)
    } else if (Array.isArray(value)) {
      length(value.length, 0x90, 15, [0, 0xdc, 0xdd])
      for (const item of value) encode(item, depth + 1)
    } else if (bytesIn(value)) {
      const bytes = bytesIn(value)!
      length(bytes.length, 0, -1, [0xc4, 0xc5, 0xc6])
      put(bytes)
    } else if (typeof value === 'object') object(value, depth)
    else throw argument(`metalayer: ${formatValue(value)} cannot be encoded as MessagePack`)
  }
  const object = (value: object, depth: number) => {
    const { type, data } = value as Partial<Extension>
    if (typeof type === 'number' && data instanceof Uint8Array && Object.keys(value).length === 2) {
      const fixed = [1, 2, 4, 8, 16].indexOf(data.length)
      if (fixed >= 0) parts.push(0xd4 + fixed)
      else length(data.length, 0, -1, [0xc7, 0xc8, 0xc9])
      parts.push(type & 255)
      put(data)
      return
    }
    const entries = value instanceof Map ? [...value] : Object.entries(value)
    length(entries.length, 0x80, 15, [0, 0xde, 0xdf])
    for (const [key, item] of entries) {
      encode(key, depth + 1)
      encode(item, depth + 1)
    }
  }
  encode(value, 1)
  return new Uint8Array(parts)
}
