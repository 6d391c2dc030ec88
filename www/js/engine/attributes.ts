import { textOf } from '../base/bytes.js'
import { decodeMsgpack } from './msgpack.js'

/** Metalayers by name: what they decode to, or their bytes where they are no MessagePack. */
export type Attributes = Readonly<Record<string, unknown>>

/** Metalayers as the engine writes them: how many, and for each its name and content, each after its length. */
export function attributesIn(answer: Uint8Array): Attributes {
  const values = Object.create(null) as Record<string, unknown>
  const view = new DataView(answer.buffer, answer.byteOffset)
  let at = 4
  const next = () => {
    const start = at + 4
    at = start + view.getUint32(at, true)
    return answer.slice(start, at)
  }
  while (at < answer.length) {
    const name = textOf(next())
    const bytes = next()
    try {
      values[name] = decodeMsgpack(bytes)
    } catch {
      values[name] = bytes
    }
  }
  return Object.freeze(values)
}
