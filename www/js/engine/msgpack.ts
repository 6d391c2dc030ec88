import { textOf } from '../base/bytes.js'
import { inSteps, yieldThen } from '../base/yielding.js'
import { engineError, truncated } from './messages.js'

/** A MessagePack extension. */
export interface Extension {
  /** Type number. MessagePack itself defines the negative ones. */
  readonly type: number
  /** Content. */
  readonly data: Uint8Array
}

const DEPTH = 32

/** Values decoded in one step. */
const STEP = 2 ** 14

/** Bytes of text decoded in one step. */
const TEXT_STEP = 2 ** 20

/** What values take in memory, about, in bytes: each; an object, bytes or an extension; an entry of an object. */
const EACH = 16
const OBJECT = 256
const ENTRY = 48

/** The number types in the order of their markers, from 0xca. */
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

/** A map or an array that is incomplete. */
interface Container {
  /** The number of missing values, keys included. */
  left: number
  readonly put: (value: unknown) => void
}

/** A text that takes several steps to decode. */
class LongText {
  constructor(readonly bytes: Uint8Array) {}

  async decode(): Promise<string> {
    const decoder = new TextDecoder()
    let text = ''
    await inSteps(this.bytes.length, TEXT_STEP, (from, to) => {
      text += decoder.decode(this.bytes.subarray(from, to), { stream: true })
    })
    return text + decoder.decode()
  }
}

/**
 * Decodes MessagePack in short steps. Maps become objects without prototype and with string keys. Integers beyond 2^53 become
 * bigints. Fails as `limit` if the values take more than `most` bytes of memory, about.
 */
export async function decodeMsgpack(bytes: Uint8Array, most = Infinity): Promise<unknown> {
  let used = 0
  const charge = (bytes: number) => {
    if ((used += bytes) > most) throw engineError([3, 1, used, most])
  }
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
  /** Reads a length of 1, 2 or 4 bytes, for `before` = 0, 1 or 2. */
  const length = (before: number) => number(2 + before) as number
  const part = (length: number) => bytes.subarray(take(length), at)
  const short = (length: number) => {
    fits(length)
    charge(2 * length)
    return textOf(part(length))
  }
  const text = (length: number) => (length > TEXT_STEP ? new LongText(part(length)) : short(length))
  const bin = (length: number) => {
    fits(length)
    charge(OBJECT + length)
    return part(length).slice()
  }
  const extension = (length: number): Extension => ({ type: number(6) as number, data: bin(length) })
  const begin = <T>(container: T, left: number, put: (value: unknown) => void): T => {
    // Each value takes at least one byte. This bounds the values that a damaged length can claim.
    fits(left)
    charge(left * EACH)
    if (open.length > DEPTH) throw engineError([3, 2, open.length, DEPTH])
    open.push({ left, put })
    return container
  }
  const array = (length: number) => {
    const values: unknown[] = []
    return begin(values, length, value => values.push(value))
  }
  const map = (length: number) => {
    charge(OBJECT + length * ENTRY)
    const object = Object.create(null) as Record<string, unknown>
    let key: unknown
    let keyed = false
    return begin(object, 2 * length, value => {
      if (keyed) object[typeof key === 'object' ? keyText(key) : (key as string)] = value
      key = value
      keyed = !keyed
    })
  }

  /** Reads the next value. The values of a container follow it. */
  function value(): unknown {
    const marker = length(0)
    if (marker < 0x80) return marker
    if (marker < 0x90) return map(marker & 15)
    if (marker < 0xa0) return array(marker & 15)
    if (marker < 0xc0) return short(marker & 31)
    if (marker === 0xc0) return null
    if (marker === 0xc1) throw misplaced(marker)
    if (marker < 0xc4) return marker === 0xc3
    if (marker < 0xc7) return bin(length(marker - 0xc4))
    if (marker < 0xca) return extension(length(marker - 0xc7))
    if (marker < 0xd4) return number(marker - 0xca)
    if (marker < 0xd9) return extension(1 << (marker - 0xd4))
    if (marker < 0xdc) return text(length(marker - 0xd9))
    if (marker < 0xde) return array(length(marker - 0xdb))
    if (marker < 0xe0) return map(length(marker - 0xdd))
    return marker - 0x100
  }

  /** Decodes some values, up to the next long text, which it returns. */
  const step = () => {
    for (let k = 0; k < STEP && open.length; k++) {
      const container = open.at(-1)!
      if (container.left-- > 0) {
        const next = value()
        if (next instanceof LongText) return { next, container }
        container.put(next)
      } else open.pop()
    }
    return undefined
  }
  while (open.length) {
    const long = await yieldThen(step)
    if (long) {
      charge(2 * long.next.bytes.length)
      long.container.put(await long.next.decode())
    }
  }
  if (at < bytes.length) throw misplaced(bytes[at]!)
  return result
}

/** A key that is a list or such, as JSON. */
const keyText = (key: unknown): string =>
  JSON.stringify(key, (_, part: unknown) => (typeof part === 'bigint' ? `\u0001${part}` : part)).replace(
    /"\\u0001(-?\d+)"/g,
    '$1',
  )

const misplaced = (marker: number) => engineError([0, 4, marker])
