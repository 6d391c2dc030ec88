import { setName } from '../base/errors.js'
import type { Facts } from '../engine/facts.js'
import { SPECIAL } from '../engine/protocol.js'
import type { ChunkIndex } from '../reading/chunk-index.js'
import type { Frame } from '../reading/frame.js'

/** The header of a frame. */
export interface Info extends Omit<Facts, 'recipe' | 'state' | 'array'> {
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
  const { recipe: _, state: __, array: ___, ...rest } = facts
  return Object.freeze({ ...rest, ratio: facts.cbytes ? facts.nbytes / facts.cbytes : NaN })
}

/**
 * The locations of the chunks in C order. Consecutive chunks with the same location are one entry. Entries are made when they are
 * asked for: a million of them take 24 MB.
 */
export class ChunkMap implements Iterable<ChunkPlace> {
  static {
    setName(this, 'ChunkMap')
  }
  /** Number of entries. */
  readonly length: number
  readonly #index: ChunkIndex
  readonly #facts: Facts

  /** @internal */
  constructor(index: ChunkIndex, facts: Facts) {
    this.length = index.runs
    this.#index = index
    this.#facts = facts
  }

  /** The entry at a position; a negative one counts from the end. `undefined` if there is none. */
  at(position: number): ChunkPlace | undefined {
    const run = position < 0 ? this.length + position : position
    if (!(Number.isInteger(run) && run >= 0 && run < this.length)) return undefined
    const { first, location, extent } = this.#index.run(run)
    const { sparse, chunksize } = this.#facts
    return {
      nchunk: first,
      count: this.#index.run(run + 1).first - first,
      offset: location < 0 ? null : location,
      extent: sparse ? null : location < 0 ? 0 : extent || chunksize + 32,
      special: SPECIAL[-1 - location] ?? null,
    }
  }

  /** All entries. */
  *[Symbol.iterator](): Generator<ChunkPlace, void, undefined> {
    for (let run = 0; run < this.length; run++) yield this.at(run)!
  }
}
