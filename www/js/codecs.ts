import { argument, B2ndError, named, shown } from './base/errors.js'
import { check, object } from './base/validation.js'
import { decodeChunk, decodeChunkSync } from './engine/chunk.js'

export { B2ndError, isB2ndError } from './base/errors.js'
export { getModule, init, initSync, type InitOptions } from './engine/init.js'

/** The shuffles by Zarr's numbers and names. */
const SHUFFLES = [undefined, -1, 0, 1, 2, 'noshuffle', 'shuffle', 'bitshuffle']
const COMPRESSORS = ['blosclz', 'lz4', 'lz4hc', 'snappy', 'zlib', 'zstd']

/** How Zarr describes a compressor: version 2 with numbers of shuffles (−1: by the size of items), version 3 with names. */
export interface BloscConfig {
  /** `blosc`, in version 2. */
  id?: string | undefined
  /** The compressor: `blosclz`, `lz4`, `lz4hc`, `snappy`, `zlib` or `zstd`. */
  cname?: string | undefined
  /** How hard it tries: 0 to 9. */
  clevel?: number | undefined
  /** What is done with the bytes of items first. */
  shuffle?: 'noshuffle' | 'shuffle' | 'bitshuffle' | -1 | 0 | 1 | 2 | undefined
  /** Bytes of an item. */
  typesize?: number | undefined
  /** Bytes of a block; 0 lets the compressor choose. */
  blocksize?: number | undefined
}

/** Blosc as a codec of Zarr, in the shape that numcodecs gave codecs. Takes chunks of Blosc1 and of Blosc2. */
export class Blosc {
  static {
    named(this, 'Blosc')
  }

  static readonly codecId = 'blosc'
  /** What zarrita goes by: bytes to bytes. */
  readonly kind = 'bytes_to_bytes'
  /** What the codec was made of. Decoding needs none of it: chunks tell everything. */
  readonly config: Readonly<BloscConfig>

  constructor(config: BloscConfig = {}) {
    check('config', config, object)
    const { cname, shuffle } = config
    if (cname !== undefined && !COMPRESSORS.includes(cname)) throw argument(`no compressor is called ${shown(cname)}`)
    if (!SHUFFLES.includes(shuffle)) throw argument(`no shuffle is called ${shown(shuffle)}`)
    this.config = config
  }

  static fromConfig(config: BloscConfig = {}): Blosc {
    return new Blosc(config)
  }

  /** Fails as `unsupported`. */
  async encode(_plain: Uint8Array): Promise<Uint8Array> {
    throw new B2ndError('unsupported', 'this version only decodes')
  }

  /** The plain bytes: what the chunk does not say for certain fails. They are put in `out`, if that is given. */
  decode(chunk: Uint8Array, out?: Uint8Array): Promise<Uint8Array> {
    return decodeChunk(chunk, { out: out ?? undefined })
  }

  /** The same, at once. `init` has to be called before. */
  decodeSync(chunk: Uint8Array, out?: Uint8Array): Uint8Array {
    return decodeChunkSync(chunk, { out: out ?? undefined })
  }
}

export default Blosc
