import { bytesIn, joined, utf8 } from '../base/bytes.js'
import { argument, formatValue } from '../base/errors.js'
import { STORED, type Extension, type Pieces } from '../engine/values.js'

/** The deepest nesting that readers accept. */
const MAX_DEPTH = 32

/** Tells the array of NumPy that a value is, if it is one. */
type Packer = (value: object) => object | undefined

/**
 * A value as the engine takes it: tags, and what follows them, as ABI.md tells. Null, booleans, numbers, bigints, strings, bytes, arrays,
 * maps, sets, extensions, plain objects, and what was read, as it was stored. The engine makes integers of whole numbers. Errors tell `name`.
 */
export function valueBytes(
  value: unknown,
  name = 'metalayer',
  packed: Packer = () => undefined,
): Uint8Array<ArrayBuffer> {
  let out = new Uint8Array(64)
  let view = new DataView(out.buffer)
  let at = 0
  const fail = (what: string) => argument(`${name}: ${what}`)
  /** Puts a tag and makes room for what follows. Returns where that is. */
  const tag = (tag: number, length = 0) => {
    if (at + length >= 2 ** 31) throw fail('more than 2 GiB')
    if (at + length >= out.length) {
      const longer = new Uint8Array(2 * (at + length))
      longer.set(out)
      out = longer
      view = new DataView(out.buffer)
    }
    out[at] = tag
    at += 1 + length
    return at - length
  }
  const fixed = (kind: number, set: (place: number) => void) => set(tag(kind, 8))
  const sized = (kind: number, bytes: Uint8Array) => {
    const place = tag(kind, 4 + bytes.length)
    view.setUint32(place, bytes.length, true)
    out.set(bytes, place + 4)
  }
  const add = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH) throw fail(`nested more than ${MAX_DEPTH} levels deep`)
    if (value === null || value === undefined) tag(8)
    else if (typeof value === 'string') sized(14, utf8(value))
    else if (typeof value === 'number') fixed(11, place => view.setFloat64(place, value, true))
    else if (typeof value === 'boolean') tag(9 + Number(value))
    else if (typeof value === 'bigint') {
      if (BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value)
        throw fail(`${value} has more than 64 bits`)
      fixed(value < 0n ? 12 : 13, place => view.setBigInt64(place, value, true))
    } else addObject(value, depth)
  }
  const addObject = (value: object, depth: number): void => {
    const all = (kind: number, values: Iterable<unknown>) => {
      tag(kind)
      for (const one of values) add(one, depth + 1)
      tag(0)
    }
    const { [STORED]: stored } = value as { [STORED]?: Pieces }
    if (stored) return sized(7, joined((stored as unknown[]).flat(Infinity) as Uint8Array[], Uint8Array))
    if (Array.isArray(value)) return all(1, value)
    if (value instanceof Set) return all(4, value)
    const array = packed(value)
    const bytes = array ? undefined : bytesIn(value)
    if (bytes) return sized(15, bytes)
    if (isExtension(value)) return sized(16, joined([Uint8Array.of(value.type), value.data], Uint8Array))
    if (array) tag(17)
    all(2, entriesOf(array ?? value, fail).flat())
  }
  add(value, 1)
  return out.slice(0, at)
}

/** The entries of a map or a plain object. python-blosc2 takes only strings and bytes for keys. */
function entriesOf(value: unknown, fail: (what: string) => Error): [unknown, unknown][] {
  const name = (Object.getPrototypeOf(value) as object | null)?.constructor?.name ?? 'Object'
  if (name !== 'Object' && name !== 'Map') throw fail(`${name} cannot be encoded as MessagePack`)
  const entries = name === 'Map' ? [...(value as Map<unknown, unknown>)] : Object.entries(value as object)
  const wrong = entries.find(([key]) => typeof key !== 'string' && !bytesIn(key))
  if (wrong) throw fail(`the key ${formatValue(wrong[0])} is neither a string nor bytes`)
  return entries
}

function isExtension(value: unknown): value is Extension {
  const { type, data } = value as Partial<Extension>
  return (type! << 24) >> 24 === type && data instanceof Uint8Array && Object.keys(value as object).length === 2
}
