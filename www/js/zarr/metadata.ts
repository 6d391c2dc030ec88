// How an array of zarrita is stored: what its metadata say, in the form of Zarr 3.

import { textOf } from '../base/bytes.js'
import { B2ndError, wrapError } from '../base/errors.js'
import { arrayLike, type ReadableStore, type StoreOptions, type StoreRange, type ZarrArray } from './array.js'

interface Codec {
  name: string
  configuration?: Record<string, unknown> | undefined
}

/** The used metadata. */
interface Metadata {
  codecs: Codec[]
}

/** How an array is stored. */
export interface Storing {
  /** The order of axes in which the items of a chunk are stored. */
  readonly order: readonly number[]
  /** The facts of chunks that Blosc encoded as the last codec; `undefined` for other chunks. */
  readonly blosc?: { readonly blocks: readonly number[] | undefined; readonly isBig: boolean } | undefined
  /** Finds a chunk; `undefined` if it is missing. */
  find(position: number[], options: StoreOptions): Promise<Place | undefined>
}

/** Where a chunk is: a file of a store, or a part of it. */
export interface Place {
  readonly key: string
  readonly start: number
  /** The end, if it is a part. */
  readonly end?: number | undefined
}

const known = new WeakMap<ZarrArray, Promise<Storing>>()

/** How an array is stored. The metadata are read once. */
export async function storingOf(array: ZarrArray, options: StoreOptions): Promise<Storing> {
  const found = known.get(array)
  if (found) return found
  const reading = read(array, options)
  known.set(array, reading)
  // The next call tries again.
  reading.catch(() => known.delete(array))
  return reading
}

async function read(array: ZarrArray, options: StoreOptions): Promise<Storing> {
  const parsed = async (name: string) => {
    const bytes = await array.store.get(array.resolve(name).path, options)
    return bytes && (JSON.parse(textOf(bytes)) as unknown)
  }
  const metadata =
    ((await parsed('zarr.json')) as Metadata | undefined) ??
    modern(array, (await parsed('.zarray')) as Zarr2 | undefined)
  return { ...chainOf(shardsIn(metadata) ?? metadata.codecs, array.shape.length), find: finder(array, metadata) }
}

const shardsIn = ({ codecs }: Metadata): Codec[] | undefined =>
  codecs.find(({ name }) => name === 'sharding_indexed')?.configuration?.['codecs'] as Codec[] | undefined

/** The used metadata of Zarr 2. */
interface Zarr2 {
  dtype: string
  order?: string | undefined
  dimension_separator?: string | undefined
  filters?: { id: string }[] | null | undefined
  compressor?: { id: string } | null | undefined
}

/** Metadata of Zarr 2 in the form of Zarr 3. */
function modern(array: ZarrArray, metadata: Zarr2 | undefined): Metadata {
  if (!metadata) throw new B2ndError('source', `no metadata of the array at ${array.path} in its store`)
  const { dtype, order, filters, compressor, dimension_separator: separator = '.' } = metadata
  const codec = ({ id, ...configuration }: { id: string }) => ({ name: `numcodecs.${id}`, configuration })
  const endian = dtype.startsWith('>') ? 'big' : 'little'
  const codecs: Codec[] = [
    ...(order === 'F' ? [{ name: 'transpose', configuration: { order } }] : []),
    ...(filters ?? []).map(codec),
    { name: 'bytes', configuration: { endian } },
    ...(compressor ? [codec(compressor)] : []),
  ]
  const { shape, chunks, dtype: data_type, fillValue: fill_value } = array
  const grid = { name: 'regular', configuration: { chunk_shape: chunks } }
  const encoding = { name: 'v2', configuration: { separator } }
  return {
    shape,
    data_type,
    fill_value,
    codecs,
    chunk_grid: grid,
    chunk_key_encoding: encoding,
    attributes: {},
  } as Metadata
}

/** Which codecs there are, and whether a part of a chunk can be read. */
function chainOf(codecs: readonly Codec[], ndim: number): Pick<Storing, 'order' | 'blosc'> {
  const first = codecs.findIndex(({ name }) => name === 'transpose')
  const given = codecs[first]?.configuration?.['order'] ?? 'C'
  const axes = Array.from({ length: ndim }, (_, axis) => axis)
  const order = Array.isArray(given) ? (given as number[]) : given === 'F' ? axes.map(axis => ndim - 1 - axis) : axes
  const [array, ...bytes] = codecs.filter(({ name }) => name !== 'transpose')
  const { block_shape: blocks, endian } = array?.configuration ?? {}
  const isBig = endian === 'big'
  if (array?.name === 'b2nd' && !bytes.length && first < 0)
    return { order, blosc: { blocks: blocks as number[], isBig } }
  const isAlone = array?.name === 'bytes' && bytes.length === 1 && BLOSC.has(bytes[0]!.name)
  return isAlone && first <= 0 ? { order, blosc: { blocks: undefined, isBig } } : { order }
}

const BLOSC = new Set(['blosc', 'blosc2', 'numcodecs.blosc', 'numcodecs.blosc2'])

/** Finds chunks as zarrita does: by an array of the same metadata, whose store says what it is asked for. */
function finder(array: ZarrArray, metadata: Metadata): Storing['find'] {
  const { store } = array
  const asked: ReadableStore = {
    get(key: string) {
      throw new Asked({ key, start: 0 })
    },
    // The index of a shard is at its end.
    getRange(key: string, range: StoreRange, options: StoreOptions) {
      if ('suffixLength' in range) return store.getRange!(key, range, options)
      throw new Asked({ key, start: range.offset, end: range.offset + range.length })
    },
  }
  let same: ZarrArray | undefined
  return async (position, options) => {
    try {
      // Items of one byte: zarrita makes a chunk of those that are missing.
      same ??= arrayLike(array, asked, array.path, { ...metadata, data_type: 'uint8', fill_value: 0 })
      await same.getChunk(position, options)
      return undefined
    } catch (answer) {
      if (answer instanceof Asked) return answer.place
      options.signal?.throwIfAborted()
      throw wrapError('source', 'the place of a chunk', answer)
    }
  }
}

/** Thrown by a store in place of bytes. */
class Asked extends Error {
  constructor(readonly place: Place) {
    super('a place')
  }
}
