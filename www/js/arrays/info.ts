import { inSteps } from '../base/yielding.js'
import type { Facts } from '../engine/facts.js'
import { SPECIAL } from '../engine/protocol.js'
import type { Frame } from '../reading/frame.js'

/** The header of a frame. */
export interface Info extends Omit<Facts, 'recipe' | 'array'> {
  /** Compression ratio: uncompressed by compressed size of the chunks. */
  ratio: number
}

/** The location of a chunk, or of consecutive chunks with the same location. */
export interface ChunkPlace {
  /** Index of the chunk, or of the first of several, in C order. */
  nchunk: number
  /** Number of chunks. More than 1 mostly for chunks that are not stored. */
  count: number
  /** Byte offset in the frame, or file number in a sparse frame; `null` if it is not stored. */
  offset: number | null
  /** Bytes from the start of the chunk to whatever follows; `null` in a sparse frame. */
  extent: number | null
  /**
   * The value of all items, if the chunk is not stored; `damaged` if the index entry is invalid; `unfetched` if the file is a
   * proxy that has not fetched the chunk.
   */
  special: (typeof SPECIAL)[number] | null
}

export function infoOf(frame: Frame): Readonly<Info> {
  const { facts } = frame
  const { recipe: _, array: __, ...rest } = facts
  return Object.freeze({ ...rest, ratio: facts.cbytes ? facts.nbytes / facts.cbytes : NaN })
}

export async function chunkMap(frame: Frame, signal?: AbortSignal): Promise<ChunkPlace[]> {
  const places = await frame.chunkIndex(signal)
  const { runs, first } = places
  const { sparse, chunksize } = frame.facts
  const map: ChunkPlace[] = []
  const add = (run: number, end: number) => {
    for (; run < end; run++) {
      const location = places.location(run)
      map.push({
        nchunk: first(run),
        count: first(run + 1) - first(run),
        offset: location < 0 ? null : location,
        extent: sparse ? null : places.extent(location, chunksize),
        special: SPECIAL[-1 - location] ?? null,
      })
    }
  }
  await inSteps(runs, 2 ** 12, add, signal)
  return map
}
