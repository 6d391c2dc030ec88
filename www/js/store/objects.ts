// Sequences of objects: values of any type, stored as MessagePack in the chunks of a frame.

import type { NDArray } from '../arrays/ndarray.js'
import type { SChunk } from '../arrays/schunk.js'
import { Closeable } from '../base/closeable.js'
import { argument, formatValue, isB2ndError, setName } from '../base/errors.js'
import { numbersOf, type Engine } from '../engine/engine.js'
import { MESSAGES } from '../engine/message-table.js'
import type { Recipe } from '../engine/protocol.js'
import { valueIn } from '../engine/values.js'
import { getEngine, recipeOf } from './engine.js'

/** The signal that aborts reading. */
interface Abortable {
  /** Aborts the read. */
  signal?: AbortSignal | undefined
}

/** A NumPy array among objects: its dtype, as NumPy describes it, its shape, and its items in C order. */
export interface PackedArray {
  /** NumPy's short name as `{str}`, or its list of fields as `{descr}`. */
  dtype: unknown
  /** The shape. */
  shape: number[]
  /** The bytes of the items. */
  data: Uint8Array
}

function integer(index: unknown): number {
  const number = typeof index === 'bigint' ? Number(index) : index
  if (Number.isSafeInteger(number)) return number as number
  throw argument(`there is no object ${formatValue(index)}`)
}

/** Objects that are iterated over at a time. */
const STEP = 1024

/** A sequence of objects: an ObjectArray, BatchArray or ListArray of python-blosc2, or a column of variable-length values. */
export class Objects extends Closeable {
  static {
    setName(this, 'Objects')
  }
  /** The number of objects. */
  readonly length: number
  readonly #frame: SChunk
  readonly #engine: Engine
  readonly #recipe: Recipe
  /** The bytes that a batch may have. */
  readonly #most: number
  /** The last batch that was read. */
  #last: { batch: number; values: Promise<unknown[]> } | undefined

  /** @internal */
  constructor(frame: SChunk, engine: Engine, recipe: Recipe, length: number, most: number) {
    super()
    this.#frame = frame
    this.#engine = engine
    this.#recipe = recipe
    this.#most = most
    this.length = length
  }

  /**
   * Reads an object: null, a boolean, number, bigint, string, `Uint8Array`, array, `Set` or an object with keys. Complex numbers are
   * `[real, imaginary]`, arrays of NumPy a `PackedArray`, and arrays and other frames `{frame}` with their bytes, which `open` takes. Fails as `argument` if there is none at
   * the index, as `format` if the data is damaged. A negative index counts from the end.
   */
  async get(index: number, options: Abortable = {}): Promise<unknown> {
    const at = integer(index) + (index < 0 ? this.length : 0)
    if (!(at >= 0 && at < this.length)) throw argument(`there is no object ${index}: there are ${this.length}`)
    return (await this.slice(at, at + 1, options))[0]
  }

  /** All objects in their order. */
  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
    for (let at = 0; at < this.length; at += STEP) yield* await this.slice(at, Math.min(at + STEP, this.length))
  }

  /** Reads the objects from `start` up to but excluding `end`. Fails as `get` does. */
  async slice(start = 0, end = this.length, options: Abortable = {}): Promise<unknown[]> {
    ;[start, end] = [integer(start), integer(end)]
    if (!(start >= 0 && start <= end && end <= this.length)) throw argument(`there are no objects ${start} to ${end}`)
    const values: unknown[] = []
    const batches = this.#engine.call(this.#recipe, 'batches', [], numbersOf, start, end)
    for (let k = 0; k < batches.length; k += 3) {
      const [batch, first] = [batches[k]!, batches[k + 1]!]
      const read = await this.#batch(batch, options)
      for (const value of read.slice(Math.max(0, start - first), end - first)) values.push(value)
    }
    return values
  }

  /** Closes the frame. */
  override close(): Promise<void> {
    return this.#frame.close()
  }

  #batch(batch: number, options: Abortable): Promise<unknown[]> {
    if (this.#last?.batch !== batch) {
      const values = this.#read(batch, options)
      this.#last = { batch, values }
      values.catch(() => (this.#last = undefined))
    }
    return this.#last.values
  }

  async #read(batch: number, options: Abortable): Promise<unknown[]> {
    // The engine would refuse more as well, but only once it is decoded.
    const bytes = await this.#frame.chunkWithin(batch, this.#most, options.signal)
    return this.#engine.call(this.#recipe, 'batch', bytes, valueIn, batch, this.#frame.info.cbytes) as unknown[]
  }
}

/** Whether an error says that objects are stored as Arrow. */
export const isArrow = (error: unknown): boolean =>
  isB2ndError(error, 'unsupported') && error.message.startsWith(MESSAGES[1]![18]!)

/**
 * The sequence of objects in an opened frame; `undefined` if it holds none. Fails as `unsupported` if the objects are stored as Arrow, as
 * `format` if what describes them is damaged.
 */
export async function objectsIn(frame: NDArray | SChunk, options: Abortable = {}): Promise<Objects | undefined> {
  if (!('nchunks' in frame)) return undefined
  const engine = await getEngine()
  const metalayers = await frame.layers(false, options.signal)
  const found = (nchunks: number, variable?: Uint8Array) => {
    const recipe = recipeOf(frame.limits, 'objects', metalayers, variable ?? new Uint8Array(), Float64Array.of(nchunks))
    const [length, most] = engine.call(recipe, 'objects', [], numbersOf, frame.info.cbytes)
    return { recipe, length, most }
  }
  // Frames without objects are not read any further.
  if (found(0).length === undefined) return undefined
  const nchunks = await frame.nchunks(options)
  const { recipe, length, most } = found(nchunks, await frame.layers(true, options.signal))
  return new Objects(frame, engine, recipe, length!, most!)
}
