import { inSteps } from '../base/turns.js'
import type { Facts } from '../engine/facts.js'
import { SPECIAL } from '../engine/protocol.js'
import type { Frame } from '../reading/frame.js'

/** What a frame's header tells. */
export interface Info extends Omit<Facts, 'recipe' | 'array'> {
  /** How many times smaller the chunks are than what they hold. */
  ratio: number
}

/** Where a chunk is, or chunks in a row that are all zeros, say. */
export interface ChunkPlace {
  /** Number of the chunk, in C order; of several, of the first. */
  nchunk: number
  /** How many chunks there are in a row. More than 1 mostly where they are stored nowhere. */
  count: number
  /** Its byte in the frame; of a sparse frame the number of its file; `null` if it is stored nowhere. */
  offset: number | null
  /** Bytes from its start to what comes next; `null` where it is a file of its own. */
  extent: number | null
  /**
   * What all its items are, if it is stored nowhere; `damaged` if the index is; `unfetched` if the file is a proxy that does
   * not hold it.
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
