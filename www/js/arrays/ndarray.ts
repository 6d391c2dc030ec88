import { viewOf } from '../base/bytes.js'
import { argument, named, shown } from '../base/errors.js'
import { check, READ } from '../base/validation.js'
import { scalar, toDataInTurns, type Data, type Int64, type Scalar } from '../data/convert.js'
import { statsOf, type Stats, type StatsOptions } from '../data/stats.js'
import { constructorsOf, widthOf, type TypedArray } from '../data/typed-arrays.js'
import type { ArrayFacts, Type } from '../engine/facts.js'
import { engineError } from '../engine/messages.js'
import { ARRAY, type Items } from '../engine/protocol.js'
import { estimate, type Cost } from '../reading/estimate.js'
import type { Frame } from '../reading/frame.js'
import { partsOf } from '../reading/parts.js'
import { createProgress, type Progress } from '../reading/progress.js'
import { readChunks } from '../reading/read-chunks.js'
import { integer, strides, type Selection } from '../reading/selection.js'
import type { Reading } from '../reading/waves.js'
import { OpenedFrame } from './opened-frame.js'
import { SChunk } from './schunk.js'

/** How to read. */
export interface GetOptions {
  /** Stops reading: the call rejects with the signal's reason. Reads that others wait for go on. */
  signal?: AbortSignal | undefined
  /** Called whenever a part of the result is there. */
  onProgress?: ((progress: Progress) => void) | undefined
  /** How integers of 64 bits and times come: `bigint` unless told otherwise. */
  int64?: Int64 | undefined
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

/** An n-dimensional array in a frame. `D` is what its data come as: `NDArray<Float32Array>`, say. */
export class NDArray<D extends Data = Data> extends OpenedFrame {
  static {
    named(this, 'NDArray')
  }

  protected override get items(): Items {
    return ARRAY
  }
  /** Items along each axis; empty for a scalar. */
  readonly shape: readonly number[]
  /** The shape of a chunk, in items. */
  readonly chunks: readonly number[]
  /** The shape of a block, in items; `null` where each chunk decides. */
  readonly blocks: readonly number[] | null
  /** NumPy's name for the dtype; `null` in files of Caterva, which know only the size of an item. */
  readonly dtype: string | null
  /** The dtype, taken apart; `null` where it is not known or not understood. */
  readonly type: Type | null
  /** Bytes of an item. */
  readonly itemsize: number

  /** @internal */
  constructor(frame: Frame, array: ArrayFacts) {
    super(frame)
    ;({
      shape: this.shape,
      chunks: this.chunks,
      blocks: this.blocks,
      dtype: this.dtype,
      type: this.type,
      itemsize: this.itemsize,
    } = array)
  }

  /** The super-chunk that the array lies in. */
  get schunk(): SChunk {
    return new SChunk(this.frame)
  }

  /**
   * Reads a selection, or everything. Fails as `argument` where the selection does not fit the shape, as `limit` where the
   * result would be larger than may be, as `format` or `unsupported` where a chunk cannot be decoded.
   */
  async get(selection?: Selection, options: GetOptions = {}): Promise<NDSlice<D>> {
    const reading = this.planned(selection, options)
    const bytes = await this.fill(reading, this.#progress(reading.nbytes, options))
    return this.#slice(reading.shape, await toDataInTurns(this.type, bytes, options.int64, reading.signal))
  }

  /**
   * Reads into an array that is there. It has to be of a kind that `get` can give, and as long, or fails as `argument`.
   * Integers of 64 bits and times are put in a `Float64Array` as `int64: 'number'` has them, whatever the options say; float16
   * in a `Float16Array` or a `Float32Array`.
   */
  async getInto(out: TypedArray, selection?: Selection, options: GetOptions = {}): Promise<NDSlice<D>> {
    const reading = this.planned(selection, options)
    const stored = this.#check(out, reading.shape)
    const bytes = await this.fill(reading, this.#progress(reading.nbytes, options), stored ? viewOf(out) : undefined)
    const data = await toDataInTurns(
      this.type,
      bytes,
      out instanceof Float64Array ? 'number' : 'bigint',
      reading.signal,
    )
    if (!stored) out.set(data as never)
    return this.#slice(reading.shape, out)
  }

  /** Reads one item: a position for each axis, negative ones from its end. */
  async at(...index: (number | bigint)[]): Promise<Scalar> {
    if (index.length !== this.shape.length) {
      throw engineError([2, 1, index.length, this.shape.length])
    }
    const { data, width } = await this.get(index.map(position => integer(position)))
    return scalar(this.type, data, 0, width)
  }

  /**
   * Reads a selection piece by piece, in the order of its chunks, so that memory stays bounded: a piece for each chunk,
   * several for one of more than 8 MiB. About 16 MiB are read ahead. To leave the loop stops reading.
   */
  async *parts(selection?: Selection, options: GetOptions = {}): AsyncGenerator<NDPart<D>, void, undefined> {
    const reading = this.planned(selection, options, false)
    yield* this.#parts(reading, this.#progress(reading.nbytes, options), options.int64)
  }

  /** What reading a selection would cost, with what is held in mind. Reads no data, at most the index. */
  async plan(selection?: Selection, options: { signal?: AbortSignal | undefined } = {}): Promise<Cost> {
    return estimate(this.planned(selection, options, false))
  }

  /**
   * Minimum, maximum, mean, and on demand a histogram. It holds some 32 MiB of the items at a time. With `bins` and without
   * `range` it reads everything twice, first to know the range: what the cache does not hold comes from the source again.
   * Of what are no real numbers it fails as `unsupported`.
   */
  async stats(selection?: Selection, options: StatsOptions = {}): Promise<Stats> {
    const reading = this.planned(selection, options, false)
    const { bins, range } = options
    if (range) check('bins', bins, READ.bins)
    const progress = this.#progress(reading.nbytes * (bins && !range ? 2 : 1), options)
    return statsOf(this.type, () => this.#parts(reading, progress), options)
  }

  /** Reads the bytes of a selection, to be there when they are asked for. */
  async prefetch(selection?: Selection, options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    const reading = this.planned(selection, options, false)
    if (!this.frame.cache.free) await readChunks(reading)
  }

  /** Whether `out` takes items as they are stored. Fails if it takes none of this type, or not as many. */
  #check(out: TypedArray, shape: readonly number[]): boolean {
    const kinds = constructorsOf(this.type)
    const at = kinds.findIndex(kind => kind && out instanceof kind)
    const length = shape.reduce((product, length) => product * length, widthOf(this.type, this.itemsize))
    if (at >= 0 && out.length === length) return !at
    const given = ArrayBuffer.isView(out) ? `${out.length} of ${out.constructor.name}` : shown(out)
    throw argument(`out: ${length} elements for ${this.dtype} needed, ${given} given`)
  }

  async *#parts(
    reading: Reading,
    progress: (bytes: number) => void,
    int64?: Int64,
  ): AsyncGenerator<NDPart<D>, void, undefined> {
    for await (const { start, count, bytes } of partsOf(reading)) {
      progress(bytes.length)
      yield { start, ...this.#slice(count, await toDataInTurns(this.type, bytes, int64, reading.signal)) }
    }
  }

  #progress(total: number, { onProgress }: { onProgress?: GetOptions['onProgress'] }) {
    return createProgress(total, this.frame.cache.traffic, onProgress)
  }

  #slice(shape: number[], data: Data): NDSlice<D> {
    return { data: data as D, shape, stride: strides(shape), width: widthOf(this.type, this.itemsize) }
  }
}
