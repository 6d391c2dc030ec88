import type { ChunkInfo } from './engine.js'
import { engineSync, getEngine } from './wasm.js'

/** Which part of a chunk: one block, or items by their positions. */
export type ChunkPart = { block: number } | { items: readonly [start: number, end: number] }

/** Decodes a chunk of Blosc or Blosc2, or part of it; into `out` if that is given. */
export async function decodeChunk(chunk: Uint8Array, out?: Uint8Array, part?: ChunkPart): Promise<Uint8Array> {
  return (await getEngine()).decodeChunk(chunk, out, part)
}

/** The same without waiting, once `init` is done. */
export function decodeChunkSync(chunk: Uint8Array, out?: Uint8Array, part?: ChunkPart): Uint8Array {
  return engineSync().decodeChunk(chunk, out, part)
}

/** What a chunk's header says. The first 32 bytes are enough. */
export async function chunkInfo(chunk: Uint8Array): Promise<ChunkInfo> {
  return (await getEngine()).chunkInfo(chunk.subarray(0, 32))
}
