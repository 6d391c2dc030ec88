import { pairs } from '../base/numbers.js'

/** The header of a chunk. */
export interface ChunkInfo {
  /** Version of the chunk format: 1 and 2 are Blosc1, later ones Blosc2. */
  readonly version: number
  /** Bytes of the header: 16 or 32. */
  readonly headerLength: number
  /** Bytes of an item. */
  readonly typesize: number
  /** Bytes when decoded. */
  readonly nbytes: number
  /** Bytes of a block when decoded. */
  readonly blocksize: number
  /** Bytes of the chunk, header included. */
  readonly cbytes: number
  /** Number of blocks. */
  readonly nblocks: number
  /** Id of the codec in Blosc's registry. */
  readonly codec: number
  /** The codec's parameter. */
  readonly codecMeta: number
  /**
   * How the bytes are there: as they are, not at all because they are all alike or were never written, or in
   * compressed blocks.
   */
  readonly body: 'copied' | 'zeros' | 'nan' | 'repeated' | 'uninit' | 'blocks' | 'vlblocks'
  /** Whether each byte of the items is a stream of its own in a block. */
  readonly split: boolean
  /** Whether the blocks share a dictionary. */
  readonly dictionary: boolean
  /** The filters, in the order in which they were applied: ids in Blosc's registry and parameters. */
  readonly filters: { readonly id: number; readonly meta: number }[]
}

const BODIES = ['copied', 'zeros', 'nan', 'repeated', 'uninit', 'blocks', 'vlblocks'] as const

type N = number

/** Makes it of the engine's numbers. */
export function toChunkInfo(numbers: Iterable<number>): ChunkInfo {
  const [
    version,
    headerLength,
    typesize,
    nbytes,
    blocksize,
    cbytes,
    nblocks,
    codec,
    codecMeta,
    body,
    split,
    dictionary,
    _,
    ...filters
  ] = numbers as unknown as [N, N, N, N, N, N, N, N, N, N, N, N, N, ...N[]]
  return {
    version,
    headerLength,
    typesize,
    nbytes,
    blocksize,
    cbytes,
    nblocks,
    codec,
    codecMeta,
    body: BODIES[body]!,
    split: !!split,
    dictionary: !!dictionary,
    filters: pairs(filters).map(([id, meta]) => ({ id, meta })),
  }
}
