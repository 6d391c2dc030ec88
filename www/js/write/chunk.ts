import { viewOf } from '../base/bytes.js'
import { bytes, check, checked } from '../base/validation.js'
import { encodeAlone } from '../engine/engine.js'
import { getEngine, getEngineSync } from '../engine/init.js'
import { compressionNumbers, ENCODE_CHUNK, type CompressionOptions } from './options.js'

/** How to encode a chunk. */
export interface EncodeChunkOptions extends CompressionOptions {
  /** Size of an item in bytes. Default: that of the elements of a typed array. */
  typesize?: number | undefined
  /** Size of a block in bytes. Default: 0, chosen as C-Blosc2 does. */
  blocksize?: number | undefined
  /** The format. `blosc1` can be read by Blosc1, and has only the filters shuffle and bitshuffle. Default: `blosc2`. */
  format?: 'blosc1' | 'blosc2' | undefined
}

/** Encodes bytes, or the bytes of a typed array, as a chunk outside of a frame. */
export async function encodeChunk(
  plain: ArrayBuffer | ArrayBufferView,
  options?: EncodeChunkOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  await getEngine()
  return encodeChunkSync(plain, options)
}

/** The synchronous `encodeChunk`. Call `init` first. */
export function encodeChunkSync(
  plain: ArrayBuffer | ArrayBufferView,
  options: EncodeChunkOptions = {},
): Uint8Array<ArrayBuffer> {
  check('plain', plain, bytes)
  const { typesize, blocksize, format } = checked(options, ENCODE_CHUNK)
  const engine = getEngineSync()
  const numbers = compressionNumbers(engine, options, {
    format: format === 'blosc1' ? 1 : 2,
    typesize: typesize ?? (plain as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1,
    blocksize: blocksize ?? 0,
  })
  return encodeAlone(engine, numbers, viewOf(plain))
}
