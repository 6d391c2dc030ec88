import { isB2ndError } from '../base/errors.js'
import type { Opened } from './engine.js'
import { unpacked } from './msgpack.js'
import { valueIn } from './values.js'

/** Metalayers by name: the decoded value, or the bytes if they are not valid MessagePack. */
export type Attributes = Readonly<Record<string, unknown>>

/** Decodes metalayers, a map of their bytes. With these, the values of one take at most the limit of metadata. */
export async function attributesIn({ engine, recipe }: Opened, answer: Uint8Array): Promise<Attributes> {
  const values = valueIn(answer) as Record<string, unknown>
  for (const [name, bytes] of Object.entries(values)) {
    try {
      values[name] = await unpacked(engine, recipe, bytes as Uint8Array, answer.length)
    } catch (error) {
      if (isB2ndError(error, 'limit')) throw error
    }
  }
  return Object.freeze(values)
}
