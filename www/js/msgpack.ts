import { B2ndError } from './errors.js'

/** An extension that MessagePack leaves to its users. */
export interface Extension {
  readonly type: number
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
  const take = (length: number) => {
    if (length > bytes.length - at) throw wrong('the value ends too early')
    at += length
    return at - length
  }
  const uint = (size: number): number => {
    const start = take(size)
    return size === 1 ? view.getUint8(start) : size === 2 ? view.getUint16(start) : view.getUint32(start)
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
    if (length > bytes.length - at) throw wrong('the array ends too early')
    return Array.from({ length }, () => value(depth))
  }
  const map = (length: number, depth: number) => {
    if (length * 2 > bytes.length - at) throw wrong('the map ends too early')
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
    switch (marker) {
      case 0xc0: return null
      case 0xc2: return false
      case 0xc3: return true
      case 0xc4: case 0xc5: case 0xc6: return bin(uint(1 << (marker - 0xc4)))
      case 0xc7: case 0xc8: case 0xc9: return extension(uint(1 << (marker - 0xc7)))
      case 0xca: return view.getFloat32(take(4))
      case 0xcb: return view.getFloat64(take(8))
      case 0xcc: case 0xcd: case 0xce: return uint(1 << (marker - 0xcc))
      case 0xcf: return small(view.getBigUint64(take(8)))
      case 0xd0: return view.getInt8(take(1))
      case 0xd1: return view.getInt16(take(2))
      case 0xd2: return view.getInt32(take(4))
      case 0xd3: return small(view.getBigInt64(take(8)))
      case 0xd4: case 0xd5: case 0xd6: case 0xd7: case 0xd8: return extension(1 << (marker - 0xd4))
      case 0xd9: case 0xda: case 0xdb: return string(uint(1 << (marker - 0xd9)))
      case 0xdc: case 0xdd: return array(uint(2 << (marker - 0xdc)), depth + 1)
      case 0xde: case 0xdf: return map(uint(2 << (marker - 0xde)), depth + 1)
      default: throw wrong('a byte that starts no value')
    }
  }

  const decoded = value(0)
  if (at < bytes.length) throw wrong('more bytes than the value has')
  return decoded
}
