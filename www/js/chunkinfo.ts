/** The header of a chunk. */
export interface ChunkInfo {
  /** Version of the chunk format: 1 and 2 are Blosc1, later ones Blosc2. */
  readonly version: number
  readonly headerLength: number
  readonly typesize: number
  readonly nbytes: number
  readonly blocksize: number
  readonly cbytes: number
  readonly nblocks: number
  readonly codec: number
  readonly codecMeta: number
  readonly body: 'copied' | 'zeros' | 'nan' | 'repeated' | 'uninit' | 'blocks' | 'vlblocks'
  readonly split: boolean
  readonly dictionary: boolean
  readonly filters: { readonly id: number; readonly meta: number }[]
}

const BODIES = ['copied', 'zeros', 'nan', 'repeated', 'uninit', 'blocks', 'vlblocks'] as const

/** Makes it of the engine's numbers. */
export function toChunkInfo(numbers: ArrayLike<number>): ChunkInfo {
  const at = (k: number) => numbers[k]!
  return {
    version: at(0), headerLength: at(1), typesize: at(2), nbytes: at(3), blocksize: at(4), cbytes: at(5),
    nblocks: at(6), codec: at(7), codecMeta: at(8), body: BODIES[at(9)]!, split: !!at(10), dictionary: !!at(11),
    filters: Array.from({ length: at(12) }, (_, k) => ({ id: at(13 + 2 * k), meta: at(14 + 2 * k) })),
  }
}
