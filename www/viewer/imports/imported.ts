// Opens files in other formats: their arrays are encoded in memory, and then shown like any other.
import type { Source } from '../data/dataset.js'
import { encoded, type Options } from './encoded.js'
import { formatOf } from './formats.js'
import { blobOf, headOf } from './head.js'
import { readNpy } from './npy.js'

/** The source of the array in a file of another format; `null` if the format is unknown. */
export async function imported(source: Source, options: Options & { signal: AbortSignal }): Promise<Source | null> {
  const { signal, onProgress } = options
  const { openable, name } = source
  const head = await headOf(openable)
  const format = head && formatOf(head, name)
  if (!format) return null
  const file = await blobOf(openable, signal)
  const frame = (bytes: Uint8Array): Source => ({ ...source, openable: bytes, isImported: true })
  if (format.kind === 'npy') return frame(await encoded(await readNpy(file), options))
  const { decoded } = await import('./decoded.js')
  onProgress(0)
  const request = { kind: format.kind, file, name }
  const values = await decoded(request, { signal, onProgress: share => onProgress(share / 2) })
  return frame(await encoded(values, { signal, onProgress: share => onProgress((1 + share) / 2) }))
}
