import { bytesIn, joined, utf8 } from '../base/bytes.js'
import { argument, formatValue } from '../base/errors.js'
import { STORED, type Extension, type Pieces } from '../engine/values.js'

/** The deepest nesting that readers accept. */
const MAX_DEPTH = 32

/**
 * The value of a metalayer as the engine takes it: tags, and what follows them, as ABI.md tells. Null, booleans, numbers, bigints, strings,
 * bytes, arrays, maps, sets, extensions, plain objects, and what was read, as it was stored. The engine makes integers of whole numbers.
 */
export function valueBytes(value: unknown): Uint8Array<ArrayBuffer> {
  const parts: number[] = []
  const view = new DataView(new ArrayBuffer(8))
  const put = (tag: number, length: number, bytes: Iterable<number> = []) => {
    parts.push(tag)
    for (let at = 0; at < length; at++) parts.push(view.getUint8(at))
    for (const byte of bytes) parts.push(byte)
  }
  const sized = (tag: number, bytes: Uint8Array) => {
    view.setUint32(0, bytes.length, true)
    put(tag, 4, bytes)
  }
  const add = (value: unknown, depth: number): void => {
    const all = (tag: number, values: readonly unknown[]) => {
      parts.push(tag)
      for (const one of values) add(one, depth + 1)
      parts.push(0)
    }
    if (depth > MAX_DEPTH) throw argument(`metalayer: nested more than ${MAX_DEPTH} levels deep`)
    const stored = (value as { [STORED]?: Pieces } | null | undefined)?.[STORED]
    if (stored) sized(7, joined((stored as unknown[]).flat(Infinity) as Uint8Array[], Uint8Array))
    else if (value === null || value === undefined) parts.push(8)
    else if (typeof value === 'boolean') parts.push(9 + Number(value))
    else if (typeof value === 'number') {
      view.setFloat64(0, value, true)
      put(11, 8)
    } else if (typeof value === 'bigint') {
      if (BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value)
        throw argument(`metalayer: ${value} has more than 64 bits`)
      view.setBigInt64(0, value, true)
      put(value < 0n ? 12 : 13, 8)
    } else if (typeof value === 'string') sized(14, utf8(value))
    else if (Array.isArray(value)) all(1, value)
    else if (value instanceof Set) all(4, [...value])
    else if (bytesIn(value)) sized(15, bytesIn(value)!)
    else if (isExtension(value)) sized(16, joined([Uint8Array.of(value.type), value.data], Uint8Array))
    else all(2, entriesOf(value).flat())
  }
  add(value, 1)
  return new Uint8Array(parts)
}

/** The entries of a map or a plain object. python-blosc2 takes only strings and bytes for keys. */
function entriesOf(value: unknown): [unknown, unknown][] {
  const name = (Object.getPrototypeOf(value) as object | null)?.constructor?.name ?? 'Object'
  if (name !== 'Object' && name !== 'Map') throw argument(`metalayer: ${name} cannot be encoded as MessagePack`)
  const entries = name === 'Map' ? [...(value as Map<unknown, unknown>)] : Object.entries(value as object)
  const wrong = entries.find(([key]) => typeof key !== 'string' && !bytesIn(key))
  if (wrong) throw argument(`metalayer: the key ${formatValue(wrong[0])} is neither a string nor bytes`)
  return entries
}

function isExtension(value: unknown): value is Extension {
  const { type, data } = value as Partial<Extension>
  return typeof type === 'number' && data instanceof Uint8Array && Object.keys(value as object).length === 2
}
