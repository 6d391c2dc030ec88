import type { Facts } from './facts.js'
import type { Frame } from './frame.js'
import { SPECIAL } from './job.js'

/** What a frame's header tells. */
export interface Info extends Omit<Facts, 'recipe' | 'array'> {
  /** How many times smaller the chunks are than what they hold. */
  ratio: number
}

/** Where a chunk is. */
export interface ChunkPlace {
  /** Its byte in the frame; of a sparse frame the number of its file; `null` if it is stored nowhere. */
  offset: number | null
  /** Bytes from its start to what comes next; `null` where it is a file of its own. */
  extent: number | null
  /** What all its items are, if it is stored nowhere; `damaged` if the index is. */
  special: 'zeros' | 'uninit' | 'nan' | 'damaged' | null
}

export function infoOf(frame: Frame): Readonly<Info> {
  const { facts } = frame
  const { recipe: _, array: __, ...rest } = facts
  return Object.freeze({ ...rest, ratio: facts.cbytes ? facts.nbytes / facts.cbytes : NaN })
}

export async function chunkMap(frame: Frame, signal?: AbortSignal): Promise<ChunkPlace[]> {
  const index = await frame.index(signal)
  return Array.from(index, location => ({
    offset: location < 0 ? null : location,
    extent: frame.facts.sparse ? null : frame.extent(location, frame.facts.chunksize),
    special: SPECIAL[-1 - location] ?? null,
  }))
}
