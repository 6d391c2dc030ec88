import { viewOf } from './base/bytes.js'
import { argument, setName, formatValue } from './base/errors.js'
import { bytes, check, checked, number, object, type Rules } from './base/validation.js'
import { decodeChunk, decodeChunkSync } from './engine/chunk.js'
import { encodeAlone } from './engine/engine.js'
import { getEngine, getEngineSync } from './engine/init.js'

export { B2ndError, isB2ndError } from './base/errors.js'
export { getModule, init, initSync, type InitOptions } from './engine/init.js'

/** The shuffle filters by number (Zarr 2) and name (Zarr 3), each at its number or 3 above; −1 depends on the item size. */
const SHUFFLES: readonly Shuffle[] = [0, 1, 2, 'noshuffle', 'shuffle', 'bitshuffle', -1]
const COMPRESSORS: readonly string[] = ['blosclz', 'lz4', 'lz4hc', 'snappy', 'zlib', 'zstd']

/** A shuffle filter, by its number in Zarr 2 or its name in Zarr 3. */
export type Shuffle = 'noshuffle' | 'shuffle' | 'bitshuffle' | -1 | 0 | 1 | 2

/** The configuration of the codec in Zarr. Version 2 has shuffle numbers (−1: depends on the item size), version 3 names. */
export interface BloscConfig {
  /** `blosc`, in Zarr 2. */
  id?: string | undefined
  /** The compressor: `blosclz`, `lz4`, `lz4hc`, `snappy`, `zlib` or `zstd`. */
  cname?: string | undefined
  /** Compression level, 0 to 9. */
  clevel?: number | undefined
  /** The shuffle filter. */
  shuffle?: Shuffle | undefined
  /** Size of an item in bytes. */
  typesize?: number | undefined
  /** Size of a block in bytes; 0 is automatic. */
  blocksize?: number | undefined
}

/** The parts of the metadata of an array that zarrita passes. */
export interface ArrayMeta {
  /** The data type, such as `float32`. */
  dataType?: unknown
}

const CONFIG: Rules = {
  clevel: number(0, 9, true),
  typesize: number(1, 2 ** 31 - 1, true),
  blocksize: number(0, 2 ** 31 - 1, true),
}
/** Chunks of Blosc1 have one byte for the size of an item; larger items are treated as bytes. */
const MAX_TYPESIZE = 255

/** The Blosc codec of Zarr, with the interface of numcodecs. Encodes chunks of Blosc1, decodes those of Blosc1 and Blosc2. */
export class Blosc {
  static {
    setName(this, 'Blosc')
  }

  static readonly codecId: string = 'blosc'
  static readonly COMPRESSORS: readonly string[] = COMPRESSORS
  static readonly NOSHUFFLE = 0
  static readonly SHUFFLE = 1
  static readonly BITSHUFFLE = 2
  static readonly AUTOSHUFFLE = -1
  /** The kind of codec, for zarrita. */
  readonly kind = 'bytes_to_bytes'
  // Decoding does not use these: chunks describe themselves.
  /** The format, in the form of the engine. */
  protected readonly format: number = 1
  /** Compression level, 0 to 9. */
  readonly clevel!: number
  /** The compressor. */
  readonly cname!: string
  /** The shuffle filter. */
  readonly shuffle!: Shuffle
  /** Size of a block in bytes; 0 is automatic. */
  readonly blocksize!: number
  /** Size of an item in bytes, if it is known. */
  readonly typesize: number | undefined

  /** Creates the codec, with the arguments of numcodecs; `typesize` is not one of them. */
  constructor(clevel = 5, cname = 'lz4', shuffle: Shuffle = 1, blocksize = 0, typesize?: number) {
    checked({ clevel, typesize, blocksize }, CONFIG, 'config')
    if (!COMPRESSORS.includes(cname)) throw argument(`unknown compressor ${formatValue(cname)}`)
    if (!SHUFFLES.includes(shuffle)) throw argument(`unknown shuffle ${formatValue(shuffle)}`)
    Object.assign(this, { clevel, cname, shuffle, blocksize, typesize })
  }

  /** Creates the codec. `meta` tells the size of an item if the configuration does not. */
  static fromConfig(config: BloscConfig = {}, meta?: ArrayMeta): Blosc {
    check('config', config, object)
    const { clevel, cname, shuffle, blocksize, typesize } = config
    return new this(clevel, cname, shuffle, blocksize, typesize ?? itemsizeOf(meta?.dataType))
  }

  /**
   * Encodes bytes, or the bytes of a typed array. The size of an item is `typesize`, or that of the data type of the array, or
   * that of the elements of `plain`.
   */
  async encode(plain: ArrayBufferView | ArrayBuffer): Promise<Uint8Array<ArrayBuffer>> {
    await getEngine()
    return this.encodeSync(plain)
  }

  /** The synchronous `encode`. Call `init` first. */
  encodeSync(plain: ArrayBufferView | ArrayBuffer): Uint8Array<ArrayBuffer> {
    check('plain', plain, bytes)
    const { format, cname, clevel, shuffle, blocksize, typesize } = this
    const given = typesize ?? (plain as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1
    let filter = SHUFFLES.indexOf(shuffle) % 3
    if (shuffle === -1) filter = given > 1 ? 1 : 2
    // Readers lose the last bytes of bitshuffled parts of items.
    const whole = given <= MAX_TYPESIZE && (filter < 2 || plain.byteLength % given === 0)
    const head = [format, COMPRESSORS.indexOf(cname), clevel, whole ? given : 1, blocksize, 3, 0, 0]
    const cparams = new Float64Array(filter ? [...head, filter, 0] : head)
    return encodeAlone(getEngineSync(), cparams, viewOf(plain))
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

/** The codec `blosc2` of Zarr. Encodes chunks of Blosc2, decodes those of Blosc1 and Blosc2. */
export class Blosc2 extends Blosc {
  static {
    setName(this, 'Blosc2')
  }

  static override readonly codecId: string = 'blosc2'
  protected override readonly format = 2
}

/** The size of an item of a data type of Zarr 3, such as `float32`, or of one of Zarr 2, such as `<f4`, if it is known. */
function itemsizeOf(dataType: unknown): number | undefined {
  if (typeof dataType !== 'string') return undefined
  if (dataType === 'bool') return 1
  const [, zarr3, zarr2] = /^(?:[a-z]+?(\d+)|[<>|][a-zA-Z](\d+).*)$/.exec(dataType) ?? []
  return zarr3 ? Number(zarr3) / 8 : zarr2 ? Number(zarr2) : undefined
}

export default Blosc
