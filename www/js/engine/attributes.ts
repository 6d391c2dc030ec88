import { isB2ndError } from '../base/errors.js'
import type { Opened } from './engine.js'
import { unpacked } from './msgpack.js'
import { valueIn } from './values.js'

/**
 * Metalayers by name: the decoded value, or the bytes if they are not valid MessagePack. What python-blosc2 adds to it is read as objects
 * are: complex numbers as `[re, im]`, tuples as lists, sets as `Set`, frames as `{ frame }`, tensors and references as their description,
 * other extensions as `{ type, data }`. These lists, sets and objects are frozen, and written again as they were stored.
 */
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
