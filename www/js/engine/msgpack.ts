import { textOf } from '../base/bytes.js'
import { inTurn } from '../base/turns.js'
import { engineError, truncated } from './messages.js'

/** An extension that MessagePack leaves to its users. */
export interface Extension {
  /** Its number: those below 0 are MessagePack's own. */
  readonly type: number
  /** Its bytes. */
  readonly data: Uint8Array
}

const DEPTH = 32

/** Values that are decoded in one step. */
const STEP = 2 ** 14

/** The numbers in the order of their markers, from 0xca on. */
const NUMBERS = [
  'Float32',
  'Float64',
  'Uint8',
  'Uint16',
  'Uint32',
  'BigUint64',
  'Int8',
  'Int16',
  'Int32',
  'BigInt64',
] as const
const SIZES = [4, 8, 1, 2, 4, 8, 1, 2, 4, 8]

/** A map or an array, whose next value is still to come. */
interface Container {
  /** How many values are to come, keys included. */
  left: number
  readonly put: (value: unknown) => void
}

/**
 * The value that MessagePack bytes stand for. Maps become objects without prototype, their keys strings; integers
 * beyond 2^53 become bigints. Decodes in short steps.
 */
export async function decodeMsgpack(bytes: Uint8Array): Promise<unknown> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  let result: unknown
  const open: Container[] = [{ left: 1, put: value => (result = value) }]

  const fits = (length: number) => {
    if (length > bytes.length - at) throw truncated(length, bytes.length - at)
  }
  const take = (length: number) => {
    fits(length)
    at += length
    return at - length
  }
  const number = (kind: number) => {
    const value = view[`get${NUMBERS[kind]!}`](take(SIZES[kind]!))
    return typeof value === 'bigint' && BigInt.asIntN(54, value) === value ? Number(value) : value
  }
  /** A length of 1, 2 or 4 bytes, by how many markers come before. */
  const length = (before: number) => number(2 + before) as number
  const bin = (length: number) => {
    const start = take(length)
    return bytes.slice(start, at)
  }
  const extension = (length: number): Extension => ({ type: number(6) as number, data: bin(length) })
  const begin = <T>(container: T, left: number, put: (value: unknown) => void): T => {
    // Each value takes a byte at least: there are no more than there can be.
    fits(left)
    if (open.length > DEPTH) throw engineError([3, 2, open.length, DEPTH])
    open.push({ left, put })
    return container
  }
  const array = (length: number) => {
    const values: unknown[] = []
    return begin(values, length, value => values.push(value))
  }
  const map = (length: number) => {
    const object = Object.create(null) as Record<string, unknown>
    let key: unknown
    let keyed = false
    return begin(object, 2 * length, value => {
      if (keyed) object[typeof key === 'object' ? JSON.stringify(key) : (key as string)] = value
      key = value
      keyed = !keyed
    })
  }

  /** The next value. Those in a container come after it. */
  function value(): unknown {
    const marker = length(0)
    if (marker < 0x80) return marker
    if (marker < 0x90) return map(marker & 15)
    if (marker < 0xa0) return array(marker & 15)
    if (marker < 0xc0) return textOf(bin(marker & 31))
    if (marker === 0xc0) return null
    if (marker === 0xc1) throw misplaced(marker)
    if (marker < 0xc4) return marker === 0xc3
    if (marker < 0xc7) return bin(length(marker - 0xc4))
    if (marker < 0xca) return extension(length(marker - 0xc7))
    if (marker < 0xd4) return number(marker - 0xca)
    if (marker < 0xd9) return extension(1 << (marker - 0xd4))
    if (marker < 0xdc) return textOf(bin(length(marker - 0xd9)))
    if (marker < 0xde) return array(length(marker - 0xdb))
    if (marker < 0xe0) return map(length(marker - 0xdd))
    return marker - 0x100
  }

  const step = () => {
    for (let k = 0; k < STEP && open.length; k++) {
      const container = open.at(-1)!
      if (container.left-- > 0) container.put(value())
      else open.pop()
    }
  }
  while (open.length) await inTurn(step)
  if (at < bytes.length) throw misplaced(bytes[at]!)
  return result
}

const misplaced = (marker: number) => engineError([0, 4, marker])
