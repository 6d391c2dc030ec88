import { argument, B2ndError, setName, formatValue } from './base/errors.js'
import { check, object } from './base/validation.js'
import { decodeChunk, decodeChunkSync } from './engine/chunk.js'

export { B2ndError, isB2ndError } from './base/errors.js'
export { getModule, init, initSync, type InitOptions } from './engine/init.js'

/** The shuffle filters by number (Zarr 2) and name (Zarr 3). */
const SHUFFLES = [undefined, -1, 0, 1, 2, 'noshuffle', 'shuffle', 'bitshuffle']
const COMPRESSORS = ['blosclz', 'lz4', 'lz4hc', 'snappy', 'zlib', 'zstd']

/** The configuration of the codec in Zarr. Version 2 has shuffle numbers (−1: depends on the item size), version 3 names. */
export interface BloscConfig {
  /** `blosc`, in Zarr 2. */
  id?: string | undefined
  /** The compressor: `blosclz`, `lz4`, `lz4hc`, `snappy`, `zlib` or `zstd`. */
  cname?: string | undefined
  /** Compression level, 0 to 9. */
  clevel?: number | undefined
  /** The shuffle filter. */
  shuffle?: 'noshuffle' | 'shuffle' | 'bitshuffle' | -1 | 0 | 1 | 2 | undefined
  /** Size of an item in bytes. */
  typesize?: number | undefined
  /** Size of a block in bytes; 0 is automatic. */
  blocksize?: number | undefined
}

/** The Blosc codec of Zarr, with the interface of numcodecs. Decodes chunks of Blosc1 and Blosc2. */
export class Blosc {
  static {
    setName(this, 'Blosc')
  }

  static readonly codecId = 'blosc'
  /** The kind of codec, for zarrita. */
  readonly kind = 'bytes_to_bytes'
  /** The configuration. Decoding does not use it: chunks describe themselves. */
  readonly config: Readonly<BloscConfig>

  constructor(config: BloscConfig = {}) {
    check('config', config, object)
    const { cname, shuffle } = config
    if (cname !== undefined && !COMPRESSORS.includes(cname)) throw argument(`unknown compressor ${formatValue(cname)}`)
    if (!SHUFFLES.includes(shuffle)) throw argument(`unknown shuffle ${formatValue(shuffle)}`)
    this.config = config
  }

  static fromConfig(config: BloscConfig = {}): Blosc {
    return new Blosc(config)
  }

  /** Not implemented: fails as `unsupported`. */
  async encode(_plain: Uint8Array): Promise<Uint8Array> {
    throw new B2ndError('unsupported', 'this version only decodes')
  }

  /** Decodes a chunk, into `out` if given. */
  decode(chunk: Uint8Array, out?: Uint8Array): Promise<Uint8Array> {
    return decodeChunk(chunk, { out: out ?? undefined })
  }

  /** The synchronous `decode`. Call `init` first. */
  decodeSync(chunk: Uint8Array, out?: Uint8Array): Uint8Array {
    return decodeChunkSync(chunk, { out: out ?? undefined })
  }
}

export default Blosc
