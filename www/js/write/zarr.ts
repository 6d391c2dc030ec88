import { copyOf } from '../base/bytes.js'
import { argument, B2ndError } from '../base/errors.js'
import { checked, number, type Rules } from '../base/validation.js'
import { NO_FRAME } from '../engine/engine.js'
import { getEngine } from '../engine/init.js'
import { describe } from './array-writer.js'
import { ENCODE_CHUNK, type CodecName } from './options.js'

/** The configuration of the codec `b2nd`. */
interface Configuration {
  block_shape: readonly number[]
  endian?: 'little' | 'big' | undefined
  cname: CodecName
  clevel: number
  filters: readonly string[]
  codec_meta?: number | undefined
}

/** The used part of the codec `bytes` of zarrita. */
interface Bytes<Chunk> {
  encode(chunk: Chunk): Uint8Array
  decode(bytes: Uint8Array): Chunk & { data: { BYTES_PER_ELEMENT: number } }
}

/** The class of that codec. */
export interface BytesCodec<Chunk = unknown> {
  fromConfig(config: { endian: string }, meta: Meta): Bytes<Chunk>
}

/** What zarrita tells of an array. */
interface Meta {
  shape: readonly number[]
  codecs?: readonly { name: string }[]
}

const list = ['an array', Array.isArray] as const
/** Decoding needs no more: the codec and the filters of a chunk, which need not be known here, are in its header. */
const CONFIGURATION: Rules = {
  block_shape: list,
  endian: ["'little' or 'big'", value => value === 'little' || value === 'big'],
  cname: ['a name', value => typeof value === 'string'],
  clevel: number(0, 9, true),
  filters: list,
  codec_meta: number(0, 255, true),
}
const NEEDED = ['block_shape', 'cname', 'clevel', 'filters'] as const

/** The codec `b2nd` for zarrita, whose codec `bytes` converts items to bytes and back. */
export const b2ndWith = <Chunk>(bytes: BytesCodec<Chunk>) => ({
  fromConfig(config: Configuration, meta: Meta) {
    checked(config, CONFIGURATION, 'config')
    const missing = NEEDED.find(name => config[name] === undefined)
    if (missing) throw argument(`config: ${missing} is missing`)
    // Zarrita does not tell in which order the axes are then.
    if (meta.codecs?.some(({ name }) => name === 'transpose'))
      throw new B2ndError('unsupported', 'the codec b2nd after transpose')
    const { block_shape: blocks, endian, cname: codec, clevel, filters, codec_meta: codecMeta } = config
    const items = bytes.fromConfig({ endian: endian ?? 'little' }, meta)
    const itemsize = items.decode(new Uint8Array()).data.BYTES_PER_ELEMENT
    if (itemsize > 1 && !endian) throw argument('config: endian is missing')
    const array = { shape: meta.shape, chunks: meta.shape, blocks, dtype: `|V${itemsize}` }
    const described = describe(array)
    const run = async (name: string, description: Uint8Array[], input: Uint8Array) =>
      (await getEngine()).call(NO_FRAME, name, [...description, input], copyOf, Number(endian === 'big'))
    return {
      kind: 'array_to_bytes',
      async encode(chunk: Chunk): Promise<Uint8Array> {
        const named = filters.filter(name => name !== 'nofilter')
        const compression = checked({ codec, clevel, filters: named, codecMeta }, ENCODE_CHUNK, 'config')
        return run('zarr_encode', describe({ ...array, ...compression }), items.encode(chunk))
      },
      async decode(chunk: Uint8Array): Promise<Chunk> {
        return items.decode(await run('zarr_decode', described, chunk))
      },
    }
  },
})
