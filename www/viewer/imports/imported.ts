// Opens files in other formats: their arrays are encoded in memory, and then shown like any other.
import type { Source } from '../data/dataset.js'
import { encoded, type Options } from './encoded.js'
import { formatOf } from './formats.js'
import { blobOf, headOf } from './head.js'

/** The source of the array in a file of another format; `null` if the format is unknown. */
export async function imported(source: Source, options: Options & { signal: AbortSignal }): Promise<Source | null> {
  const { signal } = options
  const head = await headOf(source.openable)
  const format = head && formatOf(head, source.name)
  if (!format) return null
  const values = await format.read(await blobOf(source.openable, signal), source.name, signal)
  signal.throwIfAborted()
  return { ...source, openable: await encoded(values, options), isImported: true }
}
