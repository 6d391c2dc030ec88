// Opens files in other formats: their arrays are encoded in memory, and then shown like any other.
import type { Source } from '../model/dataset.js'
import type { Request } from './decode.js'
import { encoded, type Options } from './encoded.js'
import { formatOf } from './formats.js'
import { blobOf, headOf } from './head.js'
import { readNpy } from './npy.js'
import { CONVERTED, named } from './values.js'

/** The source of the array in a file of another format; `null` if the format is unknown. */
export async function imported(source: Source, options: Options & { signal: AbortSignal }): Promise<Source | null> {
  const { signal } = options
  const { openable, name, isCut } = source
  if (isCut) return import('./recovered.js').then(({ recovered }) => recovered(source, signal))
  const head = await headOf(openable)
  const format = head && formatOf(head, name)
  if (!format) return null
  const file = await blobOf(openable, signal)
  const { kind } = format
  try {
    const bytes = await (kind === 'npy'
      ? encoded(await readNpy(file), options)
      : converted({ kind, file, name }, options))
    return { ...source, openable: bytes, imported: CONVERTED }
  } catch (error) {
    signal.throwIfAborted()
    throw named(name, error)
  }
}

/** Decoding is the first half of the work. */
async function converted(
  request: Request,
  { signal, onProgress }: Options & { signal: AbortSignal },
): Promise<Uint8Array> {
  const { decoded } = await import('./decoded.js')
  onProgress(0)
  const values = await decoded(request, { signal, onProgress: share => onProgress(share / 2) })
  return encoded(values, { signal, onProgress: share => onProgress((1 + share) / 2) })
}
