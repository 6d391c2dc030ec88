import { copyOf } from '../base/bytes.js'
import { inSteps } from '../base/yielding.js'

/** A MessagePack extension. */
export interface Extension {
  /** Type number. MessagePack itself defines the negative ones. */
  readonly type: number
  /** Content. */
  readonly data: Uint8Array
}

/**
 * The key of the stored form of a list, a set or an object that was made of what MessagePack does not have: pieces of bytes, also those
 * of values within it. Each entry of the package has its own copy of this module.
 */
export const STORED = Symbol.for('b2nd.stored')

export type Pieces = (Uint8Array | Pieces)[]

/** Methods of a set that nothing may change: freezing it does not suffice. */
const LOCKED = { add: {}, delete: {}, clear: {} }

/** Bytes that are built to values in one step. */
const STEP = 2 ** 18

/** The tag for the number of values in the next list, after the first tags. */
const ROOM = 247

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** The value that a call returned: tags, and what follows them, as ABI.md tells. Maps have no prototype. */
export const valueIn = (output: Uint8Array): unknown => builder(output)(output.length)

/** Makes values in short steps. `output` must not change meanwhile. */
export async function valueInSteps(output: Uint8Array): Promise<unknown> {
  const build = builder(output)
  await inSteps(output.length, STEP, (_, end) => build(end))
  return build(0)
}

/** Builds what begins before `end`, and returns the value, which may be incomplete. */
function builder(output: Uint8Array): (end: number) => unknown {
  const view = new DataView(output.buffer, output.byteOffset, output.length)
  let at = 0
  let result: unknown
  let text = ''
  let room = 0
  /** Adds a value to the innermost container; how those around it do. */
  let put = (value: unknown): unknown => (result = value)
  const outer: [add: typeof put, around: typeof pieces, container: unknown][] = []
  /** The stored form of the innermost value that has one. */
  let pieces: Pieces | undefined

  const skip = (length: number) => (at += length) - length
  const size = () => view.getUint32(skip(4), true)
  const part = () => {
    const length = size()
    return output.subarray(skip(length), at)
  }
  const enter = (add: typeof put, container?: unknown) => {
    outer.push([put, pieces, container])
    put = add
  }
  const begin = (container: unknown, add: typeof put) => {
    put(container)
    enter(add, container)
  }
  const map = (object: Record<string, unknown>) => {
    /** It may be a list that is not complete before its value comes. */
    let key: unknown
    begin(object, value => {
      if (key === undefined) key = value
      else {
        object[keyOf(key)] = value
        key = undefined
      }
    })
  }
  /** By their tags. */
  const others: (() => void)[] = [
    () => {
      const [add, around, container] = outer.pop()!
      // Its stored form would tell something else after a change.
      if (pieces) {
        if (container instanceof Set) Object.defineProperties(container, LOCKED)
        Object.freeze(container)
      }
      put = add
      pieces = around
    },
    () => {
      // Room for all at once takes less memory than growing.
      const list = new Array<unknown>(room)
      let length = (room = 0)
      begin(list, value => (list[length++] = value))
    },
    () => map(Object.create(null) as Record<string, unknown>),
    () => map({}),
    () => {
      const set = new Set()
      begin(set, value => set.add(value))
    },
    () => (text += UTF8.decode(part(), { stream: true })),
    () => {
      const own: Pieces = []
      const add = put
      pieces?.push(own)
      enter(value => add(Object.defineProperty(value, STORED, { value: own })))
      pieces = own
    },
    () => pieces!.push(copyOf(part())),
  ]
  /** By the tags after these. */
  const values: (() => unknown)[] = [
    () => null,
    () => false,
    () => true,
    () => view.getFloat64(skip(8), true),
    () => view.getBigInt64(skip(8), true),
    () => view.getBigUint64(skip(8), true),
    () => {
      const whole = text + UTF8.decode(part())
      text = ''
      return whole
    },
    () => {
      const bytes = copyOf(part())
      pieces?.push(bytes)
      return bytes
    },
  ]
  return end => {
    while (at < end) {
      const tag = output[at++]! - others.length
      if (tag < 0) others[tag + others.length]!()
      else if (tag === ROOM) room = size()
      else put(tag < values.length ? values[tag]!() : tag - values.length)
    }
    return result
  }
}

/** The key of a property. One that is a list or such becomes JSON, in which sets are lists. */
const keyOf = (key: unknown): string =>
  typeof key === 'string' || typeof key === 'number'
    ? `${key}`
    : JSON.stringify(key, (_, part: unknown) =>
        typeof part === 'bigint' ? `\u0001${part}` : part instanceof Set ? [...part] : part,
      ).replace(/"\\u0001(-?\d+)"/g, '$1')
