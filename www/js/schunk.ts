import type { Traffic } from './cache.js'
import { SCHUNK } from './engine.js'
import type { Attributes, Frame } from './frame.js'
import { chunkMap, infoOf, type ChunkPlace, type Info } from './info.js'
import { place } from './place.js'
import { readChunks } from './reading.js'
import { indices, slice, type Selection } from './selection.js'

/** A super-chunk: items, or chunks, of nothing but bytes. */
export class SChunk {
  readonly #frame: Frame
  #attrs: Attributes | undefined
  /** The metalayers in the header. */
  readonly meta: Attributes
  /** What the header tells: codec, filters, sizes. */
  readonly info: Readonly<Info>

  /** @internal */
  constructor(frame: Frame) {
    this.#frame = frame
    this.meta = frame.meta()
    this.info = infoOf(frame)
  }

  /** Bytes of an item. */
  get typesize(): number {
    return this.#frame.facts.typesize
  }

  /** Bytes of all items. */
  get nbytes(): number {
    return this.#frame.facts.nbytes
  }

  /** What reading has cost so far. */
  get traffic(): Readonly<Traffic> {
    return { ...this.#frame.cache.traffic }
  }

  /** The variable-length metalayers: attributes. They lie at the frame's end and are read when first asked for. */
  async attrs(options: { signal?: AbortSignal } = {}): Promise<Attributes> {
    return (this.#attrs ??= await this.#frame.vlmeta(options.signal))
  }

  /** The bytes of the items from `start` up to and without `stop`, or of all. Positions are those of `slice`. */
  get(start: number | null = null, stop: number | null = null, options: { signal?: AbortSignal } = {}) {
    return this.select([slice(start, stop)], options)
  }

  /** The bytes of the items that a selection along one axis takes. */
  async select(selection: Selection, { signal }: { signal?: AbortSignal } = {}): Promise<Uint8Array<ArrayBuffer>> {
    signal?.throwIfAborted()
    const reading = { frame: this.#frame, items: SCHUNK, indices: indices(selection), signal }
    const plan = this.#frame.plan(SCHUNK, reading.indices)
    const bytes = new Uint8Array(plan.nbytes)
    await readChunks(reading, plan.chunks, box => place(box, bytes, plan.shape, plan.itemsize))
    return bytes
  }

  /** The number of chunks. Reads the index. */
  async nchunks(options: { signal?: AbortSignal } = {}): Promise<number> {
    return (await this.#frame.index(options.signal)).length
  }

  /** The bytes of a chunk; of an array's, its padding included. */
  chunk(nchunk: number, options: { signal?: AbortSignal } = {}): Promise<Uint8Array> {
    return this.#frame.chunk(nchunk, options.signal)
  }

  /** Where each chunk is. */
  chunkMap(options: { signal?: AbortSignal } = {}): Promise<ChunkPlace[]> {
    return chunkMap(this.#frame, options.signal)
  }

  /** Stops all reads and closes the source. */
  close(): Promise<void> {
    return this.#frame.close()
  }

  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
