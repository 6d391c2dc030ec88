import { copyOf } from '../base/bytes.js'
import { checked } from '../base/validation.js'
import { NO_FRAME } from '../engine/engine.js'
import { getEngine } from '../engine/init.js'
import { describe, type ArrayOptions } from './array-writer.js'
import { ENCODE_CHUNK } from './options.js'

/** Encodes a chunk of Zarr's codec `b2nd`: the items of an array of one chunk, in C order. */
export async function encodeB2nd(
  array: ArrayOptions & { shape: readonly number[]; dtype: string },
  { codec, clevel, filters, codecMeta }: ArrayOptions,
  isBig: boolean,
  items: Uint8Array,
): Promise<Uint8Array> {
  const compression = checked({ codec, clevel, filters, codecMeta }, ENCODE_CHUNK, 'config')
  const engine = await getEngine()
  const sections = [...describe(engine, { ...array, ...compression }), items]
  return engine.call(NO_FRAME, 'zarr_encode', sections, copyOf, Number(isBig))
}
