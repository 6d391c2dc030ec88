import { type Data, type TypeOptions, elements, typed, unknownType } from './dtype.js'
import type { Box, Facts, Type } from './engine.js'
import { B2ndError } from './errors.js'
import { SPECIAL, type Frame } from './frame.js'
import { merge } from './merging.js'
import { decode } from './msgpack.js'
import { place } from './place.js'
import { type ReadOptions, type Wanted, plan, read } from './reading.js'
import { type Selection, encode, strides } from './selection.js'
import { Counter, type Stats } from './stats.js'
import { getEngine } from './wasm.js'

export interface GetOptions extends ReadOptions, TypeOptions {}

/** Part of an array: items in C order, and how they make up an array. zarrita's shape. */
export interface NDSlice {
  data: Data
  shape: number[]
  /** Items from one to the next along each axis. */
  stride: number[]
}

/** One chunk's share of a selection, and where in the result it begins. */
export interface NDPart extends NDSlice {
  start: number[]
}

/** What a read would cost. */
export interface Cost {
  /** Requests and compressed bytes, at most; what is cached costs nothing. */
  requests: number
  bytes: number
  /** Plain bytes that are decoded, and the blocks that they are in. */
  decodedBytes: number
  blocks: number
  chunks: number
}

/** How the array is stored. */
export interface Info {
  codec: Facts['codec']
  clevel: number
  filters: Facts['filters']
  splitMode: string | null
  /** Bytes of all chunks, plain and stored, and how many times smaller they are. */
  nbytes: number
  cbytes: number
  ratio: number
  typesize: number
  blocksize: number
  chunksize: number
  sparse: boolean
  version: number
}

/** What is known of each chunk without reading it. */
export interface ChunkMap {
  /** Chunks along each axis. */
  shape: number[]
  /** Byte offset in the frame, the file's number of a sparse frame; −1 where nothing is stored. */
  offset: Float64Array
  /** Stored bytes; NaN where the frame does not tell, as of sparse frames. */
  bytes: Float64Array
  /** The value that a chunk is throughout, if the index says so. */
  special: ('zeros' | 'uninit' | 'nan' | null)[]
}

/** Everything that frames of arrays and of plain super-chunks have in common. */
export abstract class Stored implements AsyncDisposable {
  /** The frame below; not for users. */
  readonly frame: Frame
  readonly info: Info
  #meta: Record<string, unknown> | undefined

  protected constructor(frame: Frame) {
    this.frame = frame
    const { codec, clevel, filters, splitMode, nbytes, cbytes, typesize, blocksize, chunksize, sparse, version } = frame.facts
    this.info = { codec, clevel, filters, splitMode, nbytes, cbytes, ratio: nbytes / cbytes, typesize, blocksize, chunksize, sparse, version }
  }

  /** Requests made and bytes read so far. */
  get traffic(): Readonly<{ requests: number; bytes: number }> {
    return this.frame.cache.traffic
  }

  /** The metalayers in the frame's header, decoded; their bytes where they are no MessagePack. */
  async meta(): Promise<Readonly<Record<string, unknown>>> {
    return (this.#meta ??= decoded((await getEngine()).metalayers(this.frame.recipe)))
  }

  /** The variable-length metalayers, which is where attributes are: `schunk.vlmeta` in Python. Read when first asked for. */
  async attrs({ signal }: { signal?: AbortSignal } = {}): Promise<Readonly<Record<string, unknown>>> {
    return decoded(await this.frame.trailer(signal))
  }

  /** Lets go of caches and files. */
  async close(): Promise<void> {
    await this.frame.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

function decoded(blobs: Map<string, Uint8Array>): Record<string, unknown> {
  return Object.fromEntries(Array.from(blobs, ([name, bytes]) => {
    try {
      return [name, decode(bytes)]
    } catch {
      return [name, bytes]
    }
  }))
}

/** An n-dimensional array, whose items are read when they are asked for. */
export class NDArray extends Stored {
  readonly shape: readonly number[]
  /** Items of a chunk, and of a block, along each axis; arrays of Caterva before 0.4 have no blocks. */
  readonly chunks: readonly number[]
  readonly blocks: readonly number[] | null
  /** The dtype as it is stored: `<f4`, or a literal of Python for structures. */
  readonly dtype: string | null
  /** What the dtype says; bytes where it says nothing, or contradicts the size of items. */
  readonly type: Type
  /** Bytes of an item. */
  readonly itemsize: number

  constructor(frame: Frame) {
    super(frame)
    const { array } = frame.facts
    if (!array) throw new B2ndError('argument', 'not an n-dimensional array')
    this.shape = array.shape
    this.chunks = array.chunks
    this.blocks = array.blocks
    this.dtype = array.dtype
    this.itemsize = array.itemsize
    this.type = array.type?.size === array.itemsize ? array.type : unknownType(array.itemsize)
  }

  get ndim(): number {
    return this.shape.length
  }

  /** Items in all. */
  get size(): number {
    return this.shape.reduce((size, length) => size * length, 1)
  }

  /** Reads a selection; all of the array if there is none. */
  async get(selection?: Selection, options: GetOptions = {}): Promise<NDSlice> {
    const { bytes, shape } = await this.#bytes(selection, options)
    return { data: typed(bytes, this.type, options), shape, stride: strides(shape) }
  }

  /** Reads a selection into a typed array of the array's own kind, or into bytes. */
  async getInto(out: ArrayBufferView, selection?: Selection, options: ReadOptions = {}): Promise<{ shape: number[]; stride: number[] }> {
    const bytes = new Uint8Array(out.buffer, out.byteOffset, out.byteLength)
    const { shape } = await this.#bytes(selection, options, bytes)
    if (this.type.order === '>') typed(bytes as Uint8Array<ArrayBuffer>, this.type)
    return { shape, stride: strides(shape) }
  }

  /** The bytes of a selection, in C order and in their own byte order. */
  async getBytes(selection?: Selection, options: ReadOptions = {}): Promise<{ bytes: Uint8Array; shape: number[] }> {
    return this.#bytes(selection, options)
  }

  /** One item: a number, bigint, string, `[re, im]`, an object with the fields of a structure, or bytes. */
  async at(...index: number[]): Promise<unknown> {
    if (index.length !== this.ndim) throw new B2ndError('argument', `${index.length} indices for ${this.ndim} dimensions`)
    const { data } = await this.get(index)
    return single(data, this.type)
  }

  /** Reads a selection chunk by chunk, in C order of the chunks: for what is larger than memory. */
  async *parts(selection?: Selection, options: GetOptions = {}): AsyncGenerator<NDPart, void> {
    const wanted = this.#wanted(selection)
    const { touched, ...rest } = await plan(this.frame, wanted)
    const one = async (k: number): Promise<Box | undefined> => {
      let found: Box | undefined
      await read(this.frame, wanted, { ...rest, touched: [touched[k]!] }, box => (found = box), options)
      return found
    }
    // The next ones are on their way while one is used.
    const ahead: Promise<Box | undefined>[] = []
    for (let k = 0; k < touched.length; k++) {
      while (ahead.length < AHEAD && k + ahead.length < touched.length) {
        const next = one(k + ahead.length)
        next.catch(() => {})
        ahead.push(next)
      }
      const box = await ahead.shift()!
      if (!box) continue
      const { start, count: shape, data } = box
      yield { start, shape, stride: strides(shape), data: typed(data as Uint8Array<ArrayBuffer>, this.type, options) }
    }
  }

  /** What reading a selection would cost. Reads the index of chunks, if that is not known, and nothing else. */
  async plan(selection?: Selection, { signal }: { signal?: AbortSignal } = {}): Promise<Cost> {
    const { touched } = await plan(this.frame, this.#wanted(selection))
    const index = touched.length ? await this.frame.index(signal) : new Float64Array()
    const cost: Cost = { requests: 0, bytes: 0, decodedBytes: 0, blocks: 0, chunks: touched.length }
    const pieces = []
    for (const { nchunk, nbytes, wanted, blocks, head } of touched) {
      cost.blocks += wanted
      cost.decodedBytes += (nbytes * wanted) / blocks
      const location = index[nchunk]!
      if (location < 0 || this.frame.inMemory) continue
      const { part, offset } = this.frame.place(location)
      const extent = this.frame.extent(index, location, nbytes + head)
      const bytes = wanted === blocks || extent <= 64 << 10 ? extent : Math.min(extent, head + (extent * wanted) / blocks)
      if (this.frame.peek(part, offset, offset + extent)) continue
      if (bytes < extent && !this.frame.peek(part, offset, offset + head)) cost.requests++
      pieces.push({ part, start: offset, end: offset + bytes })
    }
    const merged = merge(pieces)
    cost.requests += merged.length
    cost.bytes = Math.ceil(merged.reduce((sum, { start, end }) => sum + end - start, 0))
    return cost
  }

  /** Smallest and largest number, mean, NaNs; with `bins` a histogram as well. Reads chunk by chunk. */
  async stats(selection?: Selection, { bins, range, ...options }: ReadOptions & { bins?: number; range?: [number, number] } = {}): Promise<Stats> {
    const count = async (counter: Counter) => {
      const dates = this.type.kind === 'datetime' || this.type.kind === 'timedelta'
      for await (const { data } of this.parts(selection, options)) counter.add(data, dates)
      return counter.finish()
    }
    if (!bins) return count(new Counter())
    if (range) return count(new Counter(bins, range))
    const { min, max } = await count(new Counter())
    return count(new Counter(bins, [min, max]))
  }

  /** Where each chunk is, and how large. */
  async chunkMap({ signal }: { signal?: AbortSignal } = {}): Promise<ChunkMap> {
    const index = await this.frame.index(signal)
    const offset = index.map(location => (location < 0 ? -1 : location))
    const bytes = index.map(location => (location < 0 ? 0 : this.info.sparse ? NaN : this.frame.extent(index, location, Infinity)))
    const special = Array.from(index, location => SPECIAL.get(location) ?? null)
    return { shape: this.shape.map((length, axis) => Math.ceil(length / this.chunks[axis]!)), offset, bytes, special }
  }

  /** Brings the bytes of a selection into the cache, as far as they fit. */
  async prefetch(selection?: Selection, options: ReadOptions = {}): Promise<void> {
    const wanted = this.#wanted(selection)
    await read(this.frame, wanted, await plan(this.frame, wanted), () => {}, options)
  }

  /** The result's shape and size, and the chunks and blocks that a selection touches. */
  async touched(selection?: Selection): Promise<{ nchunk: number; wanted: number; blocks: number }[]> {
    return (await plan(this.frame, this.#wanted(selection))).touched
  }

  #wanted(selection: Selection | undefined): Wanted {
    return { items: 0, selection: encode(selection) }
  }

  async #bytes(selection: Selection | undefined, options: ReadOptions, out?: Uint8Array): Promise<{ bytes: Uint8Array<ArrayBuffer>; shape: number[] }> {
    const wanted = this.#wanted(selection)
    const planned = await plan(this.frame, wanted)
    if (out && out.length !== planned.nbytes) {
      throw new B2ndError('argument', `buffer of ${out.length} bytes, ${planned.nbytes} needed`)
    }
    let bytes = out
    await read(this.frame, wanted, planned, box => {
      // A box that is all of it needs no copy.
      if (!bytes && planned.touched.length === 1) bytes = box.data
      else place(box, (bytes ??= new Uint8Array(planned.nbytes)), planned.shape, planned.itemsize)
    }, options)
    return { bytes: (bytes ?? new Uint8Array(planned.nbytes)) as Uint8Array<ArrayBuffer>, shape: planned.shape }
  }
}

/** Chunks that are read before they are asked for. */
const AHEAD = 3

function single(data: Data, type: Type): unknown {
  if (Array.isArray(data)) return data[0]
  if ('columns' in data) {
    return Object.fromEntries(type.fields!.map(field => [field.name, single(data.columns[field.name]!, field.type)]))
  }
  if (type.kind === 'bool') return data[0] === 1
  return elements(type) === 1 ? data[0] : Array.from(data as ArrayLike<number>)
}
