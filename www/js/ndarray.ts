import type { Traffic } from './cache.js'
import { constructorOf, scalar, toData, widthOf, type Data, type Int64, type Scalar, type TypedArray } from './dtype.js'
import { ARRAY, type Items } from './job.js'
import { viewOf } from './lists.js'
import { engineError } from './messages.js'
import { argument } from './errors.js'
import type { ArrayFacts, Type } from './facts.js'
import type { Frame } from './frame.js'
import { partsOf } from './parts.js'
import { estimate, readChunks, type Reading } from './reading.js'
import { SChunk } from './schunk.js'
import { strides, type Selection } from './selection.js'
import { Stored } from './stored.js'
import { statsOf, type Stats, type StatsOptions } from './stats.js'

/** How far a call is. */
export interface Progress {
  /** Bytes of the result that are there. */
  loaded: number
  /** Bytes of the result. */
  total: number
  /** Reads since the call began, this call's and others'. */
  requests: number
  /** Bytes that they brought. */
  bytes: number
}

/** How to read. */
export interface GetOptions {
  /** Stops reading: the call rejects with the signal's reason. Reads that others wait for go on. */
  signal?: AbortSignal
  /** Called whenever a part of the result is there. */
  onProgress?: (progress: Progress) => void
  /** How integers of 64 bits and times come: `bigint` unless told otherwise. */
  int64?: Int64
}

/** Items in C order. */
export interface NDSlice<D extends Data = Data> {
  /** The items: what `Data` says that its dtype comes as. */
  data: D
  /** The shape of the result. Axes of which one position was taken are not there. */
  shape: number[]
  /** For each axis, items from one position to the next. */
  stride: number[]
  /** Elements of `data` that an item has: more than 1 where it is complex, a subarray, or bytes. */
  width: number
}

/** A part of a result. */
export interface NDPart<D extends Data = Data> extends NDSlice<D> {
  /** Where in the result it begins. */
  start: number[]
}

/** What a selection would cost. */
export interface Cost extends Traffic {
  /** Whether `requests` and `bytes` are exact, or an estimate because the heads of some chunks are not known yet. */
  exact: boolean
  /** Bytes of the result. */
  decodedBytes: number
  /** Chunks that are touched. */
  chunks: number
  /** Blocks that are wanted. */
  blocks: number
}

/** An n-dimensional array in a frame. `D` is what its data come as: `NDArray<Float32Array>`, say. */
export class NDArray<D extends Data = Data> extends Stored {
  protected override get items(): Items {
    return ARRAY
  }
  /** Items along each axis; empty for a scalar. */
  declare readonly shape: readonly number[]
  /** The shape of a chunk, in items. */
  declare readonly chunks: readonly number[]
  /** The shape of a block, in items; `null` where each chunk decides. */
  declare readonly blocks: readonly number[] | null
  /** NumPy's name for the dtype; `null` in files of Caterva, which know only the size of an item. */
  declare readonly dtype: string | null
  /** The dtype, taken apart; `null` where it is not known or not understood. */
  declare readonly type: Type | null
  /** Bytes of an item. */
  declare readonly itemsize: number

  /** @internal */
  constructor(frame: Frame, array: ArrayFacts) {
    super(frame)
    Object.assign(this, array)
  }

  /** The super-chunk that the array lies in. */
  get schunk(): SChunk {
    return new SChunk(this.frame)
  }

  /**
   * Reads a selection, or everything. Fails as `argument` where the selection does not fit the shape, as `limit` where the
   * result would be larger than may be, as `format` or `unsupported` where a chunk cannot be decoded.
   */
  get(selection?: Selection, options: GetOptions = {}): Promise<NDSlice<D>> {
    return this.#read(selection, options)
  }

  /** Reads into an array that is there. It has to be of the kind that `get` gives, and as long, or fails as `argument`. */
  getInto(out: TypedArray, selection?: Selection, options: Omit<GetOptions, 'int64'> = {}): Promise<NDSlice<D>> {
    return this.#read(selection, { ...options, int64: 'bigint' }, out)
  }

  /** Reads one item: a position for each axis, negative ones from its end. */
  async at(...index: (number | bigint)[]): Promise<Scalar> {
    if (index.length !== this.shape.length) {
      throw engineError([2, 1, index.length, this.shape.length])
    }
    const { data, width } = await this.get(index)
    return scalar(this.type, data, 0, width)
  }

  /**
   * Reads a selection piece by piece, in the order of its chunks, so that memory stays bounded: a piece for each chunk.
   * About 16 MiB are read ahead. To leave the loop stops reading.
   */
  async *parts(selection?: Selection, options: GetOptions = {}): AsyncGenerator<NDPart<D>, void, undefined> {
    const reading = this.planned(selection, options, false)
    const progress = this.#progress(reading, options)
    for await (const { start, count, bytes } of partsOf(reading)) {
      progress(bytes.length)
      yield { start, ...this.#slice(count, toData(this.type, bytes, options.int64)) }
    }
  }

  /** What reading a selection would cost, with what is held in mind. Reads no data, at most the index. */
  async plan(selection?: Selection, options: { signal?: AbortSignal } = {}): Promise<Cost> {
    const reading = this.planned(selection, options, false)
    const blocks = reading.chunks.reduce((sum, chunk) => sum + chunk.wanted, 0)
    return { ...await estimate(reading), decodedBytes: reading.nbytes, chunks: reading.chunks.length, blocks }
  }

  /**
   * Minimum, maximum, mean, and on demand a histogram, in one pass that holds little. Of what are no real numbers it fails
   * as `unsupported`.
   */
  stats(selection?: Selection, options: StatsOptions = {}): Promise<Stats> {
    return statsOf(this.type, this.parts(selection, options), options)
  }

  /** Reads the bytes of a selection, to be there when they are asked for. */
  async prefetch(selection?: Selection, options: { signal?: AbortSignal } = {}): Promise<void> {
    const reading = this.planned(selection, options, false)
    if (!this.frame.cache.free) await readChunks(reading)
  }

  async #read(selection: Selection | undefined, options: GetOptions, out?: TypedArray): Promise<NDSlice<D>> {
    const reading = this.planned(selection, options)
    if (out) this.#check(out, reading.nbytes)
    const bytes = await this.fill(reading, this.#progress(reading, options), out && viewOf(out))
    const data = toData(this.type, bytes, options.int64)
    return this.#slice(reading.shape, out ?? data)
  }

  #check(out: TypedArray, nbytes: number): void {
    const expected = constructorOf(this.type)
    if (expected && out instanceof expected && out.byteLength === nbytes) return
    const kind = expected?.name ?? 'what is no typed array'
    throw argument(`${nbytes} bytes of ${kind} needed, ${out.byteLength} of ${out.constructor.name} given`)
  }

  #progress(reading: Reading, options: GetOptions): (bytes: number) => void {
    const before = this.traffic
    let loaded = 0
    return bytes => {
      loaded += bytes
      if (!options.onProgress) return
      const { requests, bytes: read } = this.traffic
      options.onProgress({ loaded, total: reading.nbytes, requests: requests - before.requests, bytes: read - before.bytes })
    }
  }

  #slice(shape: number[], data: Data): NDSlice<D> {
    return { data: data as D, shape, stride: strides(shape), width: widthOf(this.type, this.itemsize) }
  }
}
