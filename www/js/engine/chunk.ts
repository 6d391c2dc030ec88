import { bytes, check, checked, CHUNK } from '../base/validation.js'
import type { ChunkInfo } from './chunk-info.js'
import { decodeAlone, readChunkInfo } from './engine.js'
import { getEngine, getEngineSync } from './init.js'
import { limitsOf, type Limits } from './protocol.js'

/** How to decode a chunk. */
export interface ChunkOptions {
  /**
   * Where to put the bytes. The result is a view of as much of it as there are; where it is too short, decoding fails
   * as `argument`.
   */
  out?: Uint8Array | undefined
  /** What may be allocated. More fails as `limit`. */
  limits?: { [name in keyof Limits]?: Limits[name] | undefined } | undefined
}

/** The plain bytes of a chunk, of Blosc1 or Blosc2. Bytes after its end do not matter; fewer fail as `format`. */
export async function decodeChunk(chunk: Uint8Array, options?: ChunkOptions): Promise<Uint8Array> {
  await getEngine()
  return decodeChunkSync(chunk, options)
}

/** The same, at once. `init` has to be called before. */
export function decodeChunkSync(chunk: Uint8Array, options: ChunkOptions = {}): Uint8Array {
  check('chunk', chunk, bytes)
  const { out, limits } = checked(options, CHUNK)
  return decodeAlone(getEngineSync(), chunk, out, limitsOf(limits))
}

/** The header of a chunk, of its first 32 bytes or of all of it. */
export async function chunkInfo(chunk: Uint8Array): Promise<ChunkInfo> {
  check('chunk', chunk, bytes)
  return readChunkInfo(await getEngine(), chunk)
}
