import { memoryFile } from './memory-file.js'
import type { ObjectOptions, ObjectValues } from './sequence.js'

/**
 * Encodes a sequence of objects as a frame, the content of a `.b2b` file. Objects are null, booleans, numbers, bigints of 64 bits, strings,
 * `Uint8Array`, arrays, `Set`, `Map` and plain objects with strings or bytes for keys, typed arrays and `PackedArray`, which are arrays of
 * NumPy, `{ type, data }`, an extension of MessagePack, and what attributes have. Whole numbers are integers, `undefined` is null. What
 * `Objects` reads can be written; its complex numbers, tuples, frames and references are the arrays and objects that reading makes of them.
 * Fails as `argument` for other values, as `limit` for those that readers refuse, and tells the index of the object.
 */
export async function encodeObjects(
  values: ObjectValues,
  options: ObjectOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const file = memoryFile()
  const { writeObjects } = await import('./archive.js')
  await writeObjects(async () => file, values, options)
  return file.bytes.slice()
}
