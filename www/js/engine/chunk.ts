import { bytes, check, checked, CHUNK } from '../base/validation.js'
import type { ChunkInfo } from './chunk-info.js'
import { decodeAlone, readChunkInfo } from './engine.js'
import { getEngine, getEngineSync } from './init.js'
import { limitsOf, type Limits } from './protocol.js'

/** How to decode a chunk. */
export interface ChunkOptions {
  /**
   * The array to decode into. The result is a view of its first bytes. Fails as `argument` if it is too short.
   */
  out?: Uint8Array | undefined
  /** How much may be allocated. More fails as `limit`. */
  limits?: { [name in keyof Limits]?: Limits[name] | undefined } | undefined
}

/** Decodes a chunk of Blosc1 or Blosc2. Bytes after its end are ignored. A truncated chunk fails as `format`. */
export async function decodeChunk(chunk: Uint8Array, options?: ChunkOptions): Promise<Uint8Array> {
  await getEngine()
  return decodeChunkSync(chunk, options)
}

/** The synchronous `decodeChunk`. Call `init` first. */
export function decodeChunkSync(chunk: Uint8Array, options: ChunkOptions = {}): Uint8Array {
  check('chunk', chunk, bytes)
  const { out, limits } = checked(options, CHUNK)
  return decodeAlone(getEngineSync(), chunk, out, limitsOf(limits))
}

/** Reads the header of a chunk, from its first 32 bytes or from the whole chunk. */
export async function chunkInfo(chunk: Uint8Array): Promise<ChunkInfo> {
  check('chunk', chunk, bytes)
  return readChunkInfo(await getEngine(), chunk)
}
