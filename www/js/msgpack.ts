import { B2ndError } from './errors.js'

/** An extension that MessagePack leaves to its users. */
export interface Extension {
  /** Its number: those below 0 are MessagePack's own. */
  readonly type: number
  /** Its bytes. */
  readonly data: Uint8Array
}

const DEPTH = 32

/**
 * The value that MessagePack bytes stand for. Maps become objects without prototype, their keys strings; integers
 * beyond 2^53 become bigints.
 */
export function decodeMsgpack(bytes: Uint8Array): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = new TextDecoder()
  let at = 0

  const wrong = (what: string) => new B2ndError('format', `MessagePack: ${what} at byte ${at}`, { offset: at })
  const fits = (length: number) => {
    if (length > bytes.length - at) throw wrong('the value ends too early')
  }
  const take = (length: number) => {
    fits(length)
    at += length
    return at - length
  }
  const uint = (size: number): number => {
    const start = take(size)
    return size === 1 ? view.getUint8(start) : size === 2 ? view.getUint16(start) : view.getUint32(start)
  }
  const int = (size: number) => {
    const start = take(size)
    return size === 1 ? view.getInt8(start) : size === 2 ? view.getInt16(start)
      : size === 4 ? view.getInt32(start) : small(view.getBigInt64(start))
  }
  const small = (value: bigint) => (BigInt.asIntN(54, value) === value ? Number(value) : value)
  const bin = (length: number) => {
    const start = take(length)
    return new Uint8Array(bytes.subarray(start, start + length))
  }
  const string = (length: number) => text.decode(bin(length))
  const extension = (length: number): Extension => ({ type: view.getInt8(take(1)), data: bin(length) })
  const array = (length: number, depth: number) => {
    // Each element takes a byte at least: no more is allocated than there can be.
    fits(length)
    return Array.from({ length }, () => value(depth))
  }
  const map = (length: number, depth: number) => {
    fits(2 * length)
    const object = Object.create(null) as Record<string, unknown>
    for (; length > 0; length--) {
      const key = value(depth)
      object[typeof key === 'object' && key !== null ? JSON.stringify(key) : String(key)] = value(depth)
    }
    return object
  }

  function value(depth: number): unknown {
    if (depth > DEPTH) throw new B2ndError('limit', `MessagePack: more than ${DEPTH} levels of nesting`)
    const marker = uint(1)
    if (marker < 0x80) return marker
    if (marker < 0x90) return map(marker & 15, depth + 1)
    if (marker < 0xa0) return array(marker & 15, depth + 1)
    if (marker < 0xc0) return string(marker & 31)
    if (marker >= 0xe0) return marker - 0x100
    // Lengths of one, two or four bytes.
    const width = (first: number) => 1 << (marker - first)
    if (marker === 0xc0) return null
    if (marker === 0xc1) throw wrong('a byte that starts no value')
    if (marker < 0xc4) return marker === 0xc3
    if (marker < 0xc7) return bin(uint(width(0xc4)))
    if (marker < 0xca) return extension(uint(width(0xc7)))
    if (marker === 0xca) return view.getFloat32(take(4))
    if (marker === 0xcb) return view.getFloat64(take(8))
    if (marker < 0xcf) return uint(width(0xcc))
    if (marker === 0xcf) return small(view.getBigUint64(take(8)))
    if (marker < 0xd4) return int(width(0xd0))
    if (marker < 0xd9) return extension(width(0xd4))
    if (marker < 0xdc) return string(uint(width(0xd9)))
    if (marker < 0xde) return array(uint(2 * width(0xdc)), depth + 1)
    return map(uint(2 * width(0xde)), depth + 1)
  }

  const decoded = value(0)
  if (at < bytes.length) throw wrong('more bytes than the value has')
  return decoded
}
