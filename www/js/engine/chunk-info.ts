/** The header of a chunk. */
export interface ChunkInfo {
  /** Version of the chunk format: 1 and 2 are Blosc1, later versions Blosc2. */
  readonly version: number
  /** Bytes of the header: 16 or 32. */
  readonly headerLength: number
  /** Bytes of an item. */
  readonly typesize: number
  /** Uncompressed size in bytes. */
  readonly nbytes: number
  /** Uncompressed size of a block in bytes. */
  readonly blocksize: number
  /** Compressed size in bytes, header included. */
  readonly cbytes: number
  /** Number of blocks. */
  readonly nblocks: number
  /** Id of the codec in Blosc's registry. */
  readonly codec: number
  /** Parameter of the codec. */
  readonly codecMeta: number
  /**
   * How the data is stored: uncompressed (`copied`), as one value (`zeros`, `nan`, `repeated`), not at all (`uninit`), or in
   * compressed blocks of equal or variable length (`blocks`, `vlblocks`).
   */
  readonly body: 'copied' | 'zeros' | 'nan' | 'repeated' | 'uninit' | 'blocks' | 'vlblocks'
  /** Whether a block has a stream for each byte of the items. */
  readonly split: boolean
  /** Whether the blocks share a dictionary. */
  readonly dictionary: boolean
  /** The filters in the order in which they were applied: id in Blosc's registry, and parameter. */
  readonly filters: { readonly id: number; readonly meta: number }[]
}
