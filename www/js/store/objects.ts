// Sequences of objects: values of any type, stored as MessagePack in the chunks of a frame.

import type { NDArray } from '../arrays/ndarray.js'
import type { SChunk } from '../arrays/schunk.js'
import { argument, B2ndError, formatValue, setName } from '../base/errors.js'
import { decodeMsgpack, type Extension } from '../engine/msgpack.js'

/** What aborts reading. */
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

/** How many times the bytes of a frame the objects of a batch may take in memory. */
const RATIO = 2 ** 10

/** The attribute with the numbers of objects in batches. */
const LENGTHS = '_batch_array_metadata'

const damaged = (what: string) => new B2ndError('format', `${what} of the objects is damaged`)

/** Numbers of objects in the batches. */
type Lengths = readonly number[]

interface Batches {
  items_per_block?: number | null
  serializer?: string
}

function integer(index: unknown): number {
  const number = typeof index === 'bigint' ? Number(index) : index
  if (Number.isSafeInteger(number)) return number as number
  throw argument(`there is no object ${formatValue(index)}`)
}

/** A sequence of objects: an ObjectArray, BatchArray or ListArray of python-blosc2, or a column of variable-length values. */
export class Objects {
  static {
    setName(this, 'Objects')
  }
  /** The number of objects. */
  readonly length: number
  readonly #frame: SChunk
  readonly #batches: Batches | undefined
  /** The index of the first object of each batch, and the number of all; empty without batches. */
  readonly #starts: number[] = [0]
  /** The last batch that was read. */
  #last: { batch: number; values: Promise<unknown[]> } | undefined

  /** @internal */
  constructor(frame: SChunk, batches: Batches | undefined, nchunks: number, lengths: Lengths) {
    this.#frame = frame
    this.#batches = batches
    for (const length of lengths) this.#starts.push(this.#starts.at(-1)! + length)
    this.length = batches ? this.#starts.at(-1)! : nchunks
  }

  /**
   * Reads an object: null, a boolean, number, bigint, string, `Uint8Array`, array, `Set` or an object with keys. Complex numbers are
   * `[real, imaginary]`, arrays of NumPy a `PackedArray`, frames `{frame}` with their bytes. Fails as `argument` if there is none at
   * the index, as `format` if the data is damaged.
   */
  async get(index: number, options: Abortable = {}): Promise<unknown> {
    const at = integer(index)
    return (await this.slice(at, at + 1, options))[0]
  }

  /** Reads the objects from `start` up to but excluding `end`. Fails as `get` does. */
  async slice(start = 0, end = this.length, options: Abortable = {}): Promise<unknown[]> {
    ;[start, end] = [integer(start), integer(end)]
    if (!(start >= 0 && start <= end && end <= this.length)) throw argument(`there are no objects ${start} to ${end}`)
    const values: unknown[] = []
    for (let batch = this.#batchOf(start), at = start; at < end; batch++) {
      const [first, next] = this.#batches ? [this.#starts[batch]!, this.#starts[batch + 1]!] : [batch, batch + 1]
      const read = await this.#batch(batch, next - first, options)
      for (const value of read.slice(at - first, end - first)) values.push(await interpret(value))
      at = next
    }
    return values
  }

  /** Closes the frame. */
  close(): Promise<void> {
    return this.#frame.close()
  }

  /** The batch of an object: the last one that starts no later. */
  #batchOf(index: number): number {
    if (!this.#batches) return index
    let [low, high] = [0, this.#starts.length - 1]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.#starts[middle]! <= index) low = middle
      else high = middle
    }
    return low
  }

  #batch(batch: number, length: number, options: Abortable): Promise<unknown[]> {
    if (this.#last?.batch !== batch) {
      const values = this.#read(batch, length, options)
      this.#last = { batch, values }
      values.catch(() => (this.#last = undefined))
    }
    return this.#last.values
  }

  async #read(batch: number, length: number, options: Abortable): Promise<unknown[]> {
    const bytes = await this.#frame.chunk(batch, options)
    const { limits, info } = this.#frame
    const most = Math.min(limits.memory, Math.max(limits.metadata, RATIO * info.cbytes))
    if (!this.#batches) return [await decodeMsgpack(bytes, most)]
    // Each block is a list. The head of a list makes one of them all.
    const all = new Uint8Array(bytes.length + 5)
    const { items_per_block: items } = this.#batches
    all[0] = 0xdd
    new DataView(all.buffer).setUint32(1, items ? Math.ceil(length / items) : 1)
    all.set(bytes, 5)
    const values = ((await decodeMsgpack(all, most)) as unknown[]).flat(1)
    if (values.length !== length) throw damaged(`batch ${batch}`)
    return values
  }
}

/** Whether the objects in a frame are stored as Arrow. */
export const isArrow = ({ meta }: NDArray | SChunk): boolean =>
  (meta as { batcharray?: Batches }).batcharray?.serializer === 'arrow'

/** The sequence in a frame; `undefined` if it has none. */
export async function objectsIn(frame: NDArray | SChunk, options: Abortable): Promise<Objects | undefined> {
  const { batcharray, vlarray } = frame.meta as { batcharray?: Batches; vlarray?: object }
  if (!('nchunks' in frame) || (!batcharray && !vlarray)) return undefined
  if (isArrow(frame)) throw new B2ndError('unsupported', 'the objects are stored as Arrow record batches')
  const nchunks = await frame.nchunks(options)
  const attrs = (await frame.attrs(options)) as Record<string, { batch_lengths?: unknown } | undefined>
  const lengths = batcharray && nchunks ? attrs[LENGTHS]?.batch_lengths : []
  const isLength = (length: unknown) => Number.isSafeInteger(length) && (length as number) >= 0
  if (!Array.isArray(lengths) || !lengths.every(isLength) || (batcharray && lengths.length !== nchunks)) {
    throw damaged('the list of batches')
  }
  return new Objects(frame, batcharray, nchunks, lengths as number[])
}

/** Interprets what python-blosc2 stores as extensions of MessagePack: at once, unless there is one. */
function interpret(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = (value[0] === '__tuple__' ? value.slice(1) : value).map(interpret)
    return items.some(item => item instanceof Promise) ? Promise.all(items) : items
  }
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  // Maps have no prototype.
  if (Object.getPrototypeOf(value) !== null) return extended(value as Extension)
  const map = value as Record<string, unknown>
  const waiting: Promise<unknown>[] = []
  for (const [key, inner] of Object.entries(map)) {
    const read = interpret(inner)
    if (read instanceof Promise) waiting.push(read.then((read: unknown) => void (map[key] = read)))
    else map[key] = read
  }
  return waiting.length ? Promise.all(waiting).then(() => map) : map
}

async function extended(extension: Extension): Promise<unknown> {
  const { type, data } = extension
  if (type === 44 && data.length === 16) {
    const parts = new DataView(data.buffer, data.byteOffset)
    return [parts.getFloat64(0), parts.getFloat64(8)]
  }
  if (type === 42) return { frame: data }
  if (type < 43 || type > 46) return extension
  const inner = await interpret(await decodeMsgpack(data))
  return type === 45 && Array.isArray(inner) ? new Set(inner) : inner
}
