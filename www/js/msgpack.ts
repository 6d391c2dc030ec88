import { B2ndError } from './errors.js'

/** MessagePack's extension types: their number and their bytes. */
export interface Extension {
  type: number
  data: Uint8Array
}

const DEEPEST = 32

/** Decodes one MessagePack value. Integers that a number cannot hold are bigints, binary data are bytes. */
export function decode(bytes: Uint8Array): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 0

  function skip(length: number): number {
    const start = at
    at += length
    if (at > bytes.length) throw new B2ndError('format', `MessagePack cut short: ${at} bytes needed, ${bytes.length} there`, { offset: start })
    return start
  }
  const uint = (size: number): number =>
    size === 1 ? view.getUint8(skip(1)) : size === 2 ? view.getUint16(skip(2)) : view.getUint32(skip(4))
  const long = (value: bigint) => (BigInt.asIntN(54, value) === value ? Number(value) : value)
  const binary = (length: number) => bytes.slice(skip(length), at)
  const text = (length: number) => new TextDecoder().decode(bytes.subarray(skip(length), at))
  const extension = (length: number): Extension => ({ type: view.getInt8(skip(1)), data: binary(length) })

  function array(length: number, depth: number): unknown[] {
    const items: unknown[] = []
    while (items.length < length) items.push(value(depth + 1))
    return items
  }
  function map(length: number, depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = []
    while (entries.length < length) {
      const key = value(depth + 1)
      entries.push([typeof key === 'string' ? key : JSON.stringify(key, (_, part) => (typeof part === 'bigint' ? `${part}` : part)), value(depth + 1)])
    }
    return Object.fromEntries(entries)
  }
  function value(depth: number): unknown {
    if (depth > DEEPEST) throw new B2ndError('limit', `nested ${depth} levels deep, limited to ${DEEPEST}`, { offset: at })
    const start = at
    const marker = uint(1)
    if (marker < 0x80) return marker
    if (marker < 0x90) return map(marker & 15, depth)
    if (marker < 0xa0) return array(marker & 15, depth)
    if (marker < 0xc0) return text(marker & 31)
    if (marker >= 0xe0) return marker - 256
    switch (marker) {
      case 0xc0: return null
      case 0xc2: return false
      case 0xc3: return true
      case 0xc4: case 0xc5: case 0xc6: return binary(uint(1 << (marker - 0xc4)))
      case 0xc7: case 0xc8: case 0xc9: return extension(uint(1 << (marker - 0xc7)))
      case 0xca: return view.getFloat32(skip(4))
      case 0xcb: return view.getFloat64(skip(8))
      case 0xcc: case 0xcd: case 0xce: return uint(1 << (marker - 0xcc))
      case 0xcf: return long(view.getBigUint64(skip(8)))
      case 0xd0: return view.getInt8(skip(1))
      case 0xd1: return view.getInt16(skip(2))
      case 0xd2: return view.getInt32(skip(4))
      case 0xd3: return long(view.getBigInt64(skip(8)))
      case 0xd4: case 0xd5: case 0xd6: case 0xd7: case 0xd8: return extension(1 << (marker - 0xd4))
      case 0xd9: case 0xda: case 0xdb: return text(uint(1 << (marker - 0xd9)))
      case 0xdc: case 0xdd: return array(uint(2 << (marker - 0xdc)), depth)
      case 0xde: case 0xdf: return map(uint(2 << (marker - 0xde)), depth)
      default: throw new B2ndError('format', `unexpected MessagePack marker 0x${marker.toString(16)}`, { offset: start })
    }
  }
  return value(0)
}
