// The codec `b2nd` for zarrita.

import { copyOf } from '../base/bytes.js'
import { argument, B2ndError } from '../base/errors.js'
import { checked, checkLengths, number, type Rules } from '../base/validation.js'
import type { CodecName } from '../write/options.js'
import { cutOf, decodeBy, firstBox, type Workers } from './calls.js'

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

/** An array as zarrita describes it. */
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

/** The codec `b2nd` for zarrita, whose codec `bytes` converts items to bytes and back. Chunks are decoded in the pool, if there is one. */
export const b2ndWith = <Chunk>(bytes: BytesCodec<Chunk>, pool?: Workers) => ({
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
    const { shape } = meta
    checkLengths('blocks', blocks, shape.length)
    const array = { shape, chunks: shape, blocks }
    const sections = [cutOf({ ...array, itemsize }), ALL, ONE_SEGMENT] as const
    return {
      kind: 'array_to_bytes',
      async encode(chunk: Chunk): Promise<Uint8Array> {
        const named = filters.filter(name => name !== 'nofilter')
        const { encodeB2nd } = await import('../write/zarr.js')
        const described = { ...array, dtype: `|V${itemsize}` }
        const compression = { codec, clevel, filters: named, codecMeta } as const
        return encodeB2nd(described, compression, endian === 'big', items.encode(chunk))
      },
      async decode(chunk: Uint8Array): Promise<Chunk> {
        const output = await decodeBy(pool, { call: 'zarr_part', numbers: [0, 0], input: [...sections, chunk] })
        // Zarrita encodes all of the buffer again.
        return items.decode(copyOf(firstBox(output).bytes))
      },
    }
  },
})

/** All items, and that the bytes of the chunk are one segment from its start on. */
const ALL = new Float64Array()
const ONE_SEGMENT = Float64Array.of(0)
