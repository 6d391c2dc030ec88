import { copyOf, textOf } from '../base/bytes.js'
import { isB2ndError } from '../base/errors.js'
import { decodeMsgpack } from './msgpack.js'
import type { Limits } from './protocol.js'

/** Metalayers by name: the decoded value, or the bytes if they are not valid MessagePack. */
export type Attributes = Readonly<Record<string, unknown>>

/**
 * Decodes metalayers as the engine writes them: a count, then for each the length and bytes of its name and of its content. With
 * their bytes, the values of one take at most `metadata`.
 */
export async function attributesIn(answer: Uint8Array, { metadata }: Limits): Promise<Attributes> {
  const values = Object.create(null) as Record<string, unknown>
  const view = new DataView(answer.buffer, answer.byteOffset)
  let at = 4
  const next = () => {
    const start = at + 4
    at = start + view.getUint32(at, true)
    return answer.subarray(start, at)
  }
  while (at < answer.length) {
    const name = textOf(next())
    const bytes = next()
    try {
      values[name] = await decodeMsgpack(bytes, metadata - answer.length)
    } catch (error) {
      if (isB2ndError(error, 'limit')) throw error
      values[name] = copyOf(bytes)
    }
  }
  return Object.freeze(values)
}
