import { viewOf } from '../base/bytes.js'
import { argument, setName, formatValue } from '../base/errors.js'
import { check, READ } from '../base/validation.js'
import { inSteps } from '../base/yielding.js'
import { scalar, toDataInSteps, type Data, type Int64, type Scalar, type StructArray } from '../data/convert.js'
import type { Stats, StatsOptions } from '../data/stats.js'
import { base, constructorsOf, widthOf, type TypedArray } from '../data/typed-arrays.js'
import { createEngine } from '../engine/engine.js'
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
  /** Aborts reading: the call rejects with the reason of the signal. Requests that other calls also wait for continue. */
  signal?: AbortSignal | undefined
  /** Called when a part of the result is complete. */
  onProgress?: ((progress: Progress) => void) | undefined
  /** The type of 64-bit integers and times. Default: `bigint`. */
  int64?: Int64 | undefined
}

/** Items in C order. */
export interface NDSlice<D extends Data | TypedArray = Data> {
  /** The items; `Data` lists the type for each dtype. */
  data: D
  /** The shape of the result. Axes indexed by an integer are dropped. */
  shape: number[]
  /** The distance between positions in items, for each axis. */
  stride: number[]
  /** Elements of `data` per item: more than 1 for complex numbers, subarrays and bytes. */
  width: number
}

/** A part of a result. */
export interface NDPart<D extends Data = Data> extends NDSlice<D> {
  /** The first position in the result, for each axis. */
  start: number[]
}

/** The type of the data for the dtypes that `is` tells apart. */
export type DataTypes = Record<'uint8' | 'bool', Uint8Array> &
  Record<'int8', Int8Array> &
  Record<'int16', Int16Array> &
  Record<'uint16', Uint16Array> &
  Record<'int32', Int32Array> &
  Record<'uint32', Uint32Array> &
  Record<'int64' | 'datetime64' | 'timedelta64', BigInt64Array> &
  Record<'uint64', BigUint64Array> &
  Record<'float16' | 'float32' | 'complex64', Float32Array> &
  Record<'float64' | 'complex128', Float64Array> &
  Record<'str' | 'bytes', string[]> &
  Record<'struct', StructArray>

/** The data of a read with these options: `int64: 'number'` converts 64-bit integers and times. */
export type Converted<D extends Data, O extends Pick<GetOptions, 'int64'>> = O extends { int64: 'number' }
  ? D extends BigInt64Array | BigUint64Array
    ? Float64Array
    : D
  : D

/** An n-dimensional array in a frame. `D` is the type of its data, for example `NDArray<Float32Array>`. */
export class NDArray<D extends Data = Data> extends OpenedFrame {
  static {
    setName(this, 'NDArray')
  }

  protected override get items(): Items {
    return ARRAY
  }
  /** The shape in items; empty for a scalar. */
  readonly shape!: readonly number[]
  /** The shape of a chunk, in items. */
  readonly chunks!: readonly number[]
  /** The shape of a block, in items; `null` if it differs between chunks. */
  readonly blocks!: readonly number[] | null
  /** The dtype in NumPy's notation; `null` in Caterva files, which have only the item size. */
  readonly dtype!: string | null
  /** The parsed dtype; `null` if it is missing or unknown. */
  readonly type!: Type | null
  /** Size of an item in bytes. */
  readonly itemsize!: number

  /** @internal */
  constructor(frame: Frame, array: ArrayFacts) {
    super(frame)
    Object.assign(this, array)
  }

  /** The super-chunk of the array. */
  get schunk(): SChunk {
    return new SChunk(this.frame)
  }

  /** Whether items, or the items of subarrays, have this dtype, in either byte order. TypeScript then knows the type of the data. */
  is<K extends keyof DataTypes>(dtype: K): this is NDArray<DataTypes[K]> {
    const item = base(this.type)
    return [item?.kind, `${item?.kind}${8 * (item?.size ?? 0)}`].includes(dtype)
  }

  /**
   * Reads a selection, or the whole array. Fails as `argument` if the selection does not fit the shape, as `limit` if the result
   * exceeds `limits.memory`, as `format` or `unsupported` if a chunk cannot be decoded.
   */
  async get<O extends GetOptions>(selection?: Selection, options: O = {} as O): Promise<NDSlice<Converted<D, O>>> {
    const reading = this.planned(selection, options)
    const bytes = await this.fill(reading, this.#progress(reading.nbytes, options))
    return this.toSlice(reading.shape, bytes, options)
  }

  /**
   * Reads into an existing array. Fails as `argument` unless it has the type and length of the data that `get` returns. A
   * `Float64Array` also accepts 64-bit integers and times, converted as with `int64: 'number'`. A `Float32Array` also accepts
   * float16. A pool's workers write to a `SharedArrayBuffer` themselves, the running ones also after the call was aborted.
   */
  async getInto<T extends TypedArray>(out: T, selection?: Selection, options: GetOptions = {}): Promise<NDSlice<T>> {
    const reading = this.planned(selection, options)
    const stored = this.#check(out, reading.shape)
    const bytes = await this.fill(reading, this.#progress(reading.nbytes, options), stored ? viewOf(out) : undefined)
    const int64 = out instanceof Float64Array ? 'number' : 'bigint'
    const slice = await this.toSlice(reading.shape, bytes, { ...options, int64 })
    if (!stored) {
      const copy = (from: number, to: number) => out.set((slice.data as TypedArray).subarray(from, to) as never, from)
      await inSteps(out.length, 2 ** 20, copy, reading.signal)
    }
    return { ...slice, data: out }
  }

  /** Reads one item. Negative positions count from the end of the axis. */
  async at(...index: (number | bigint)[]): Promise<Scalar> {
    if (index.length !== this.shape.length) {
      throw engineError([2, 1, index.length, this.shape.length])
    }
    const { data, width } = await this.get(index.map(position => integer(position)))
    return scalar(this.type, data, 0, width)
  }

  /**
   * Reads a selection in parts, in the order of the chunks, with bounded memory. A chunk is one part, or several if it has more
   * than 8 MiB. Reads about 16 MiB ahead. Leaving the loop aborts reading.
   */
  async *parts<O extends GetOptions>(
    selection?: Selection,
    options: O = {} as O,
  ): AsyncGenerator<NDPart<Converted<D, O>>, void, undefined> {
    const reading = this.planned(selection, options, false)
    yield* this.#parts(reading, this.#progress(reading.nbytes, options), options)
  }

  /** Returns the cost of reading a selection with the current cache. Reads at most the index, no data. */
  async plan(selection?: Selection, options: { signal?: AbortSignal | undefined } = {}): Promise<Cost> {
    return estimate(this.planned(selection, options, false))
  }

  /**
   * Computes minimum, maximum and mean, and a histogram if `bins` is given. Holds about 32 MiB of items at a time. With `bins`
   * and without `range` it reads everything twice, first to find the range; bytes that are not cached are fetched again.
   * Fails as `unsupported` unless items are real numbers.
   */
  async stats(selection?: Selection, options: StatsOptions = {}): Promise<Stats> {
    const reading = this.planned(selection, options, false)
    const { bins, range } = options
    if (range) check('bins', bins, READ.bins)
    const progress = this.#progress(reading.nbytes * (bins && !range ? 2 : 1), options)
    const { statsOf } = await import('../data/stats.js')
    return statsOf(
      createEngine,
      this,
      () => this.boxes(reading),
      async ({ count, bytes }) => (await this.toSlice(count, bytes, { signal: reading.signal })).data,
      { ...options, progress },
    )
  }

  /** Reads the compressed bytes of a selection into the cache. */
  async prefetch(selection?: Selection, options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    const reading = this.planned(selection, options, false)
    if (!this.frame.cache.free) await readChunks(reading)
  }

  /** Whether `out` has the type of the stored items. Fails if it has the wrong type or length. */
  #check(out: TypedArray, shape: readonly number[]): boolean {
    const kinds = constructorsOf(this.type)
    const at = kinds.findIndex(kind => kind && out instanceof kind)
    const length = shape.reduce((product, length) => product * length, widthOf(this.type, this.itemsize))
    if (at >= 0 && out.length === length) return !at
    const given = ArrayBuffer.isView(out) ? `${out.length} of ${out.constructor.name}` : formatValue(out)
    throw argument(`out: ${length} elements for ${this.dtype} needed, ${given} given`)
  }

  /**
   * Reads boxes of a result in the order of the chunks.
   * @internal
   */
  protected boxes(reading: Reading): ReturnType<typeof partsOf> {
    return partsOf(reading)
  }

  async *#parts<O extends GetOptions>(
    reading: Reading,
    progress: (bytes: number) => void,
    { int64 }: O,
  ): AsyncGenerator<NDPart<Converted<D, O>>, void, undefined> {
    for await (const { start, count, bytes } of this.boxes(reading)) {
      progress(bytes.length)
      yield { start, ...(await this.toSlice(count, bytes, { int64, signal: reading.signal } as O)) }
    }
  }

  #progress(total: number, { onProgress }: { onProgress?: GetOptions['onProgress'] }) {
    return createProgress(total, this.frame.cache.traffic, onProgress)
  }

  /**
   * Converts items as they are stored.
   * @internal
   */
  protected async toSlice<O extends GetOptions>(
    shape: number[],
    bytes: Uint8Array<ArrayBuffer>,
    { int64, signal }: O,
  ): Promise<NDSlice<Converted<D, O>>> {
    const data = (await toDataInSteps(this.type, bytes, int64, signal)) as Converted<D, O>
    return { data, shape, stride: strides(shape), width: widthOf(this.type, this.itemsize) }
  }
}
