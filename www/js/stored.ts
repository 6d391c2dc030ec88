import type { Traffic } from './cache.js'
import type { Indices, Items, Plan } from './job.js'
import type { Attributes } from './attributes.js'
import type { Frame } from './frame.js'
import { chunkMap, infoOf, type ChunkPlace, type Info } from './info.js'
import { place } from './place.js'
import { readChunks, type Reading } from './reading.js'
import { indices, type Selection } from './selection.js'

/** What arrays and super-chunks have in common. */
export abstract class Stored {
  /** @internal */
  protected readonly frame: Frame
  /** @internal */
  protected abstract readonly items: Items
  #attrs: Attributes | undefined
  /** The metalayers in the header. */
  readonly meta: Attributes
  /** What the header tells: codec, filters, sizes. */
  readonly info: Readonly<Info>

  /** @internal */
  constructor(frame: Frame) {
    this.frame = frame
    Object.defineProperty(this, 'frame', { enumerable: false })
    this.meta = frame.meta()
    this.info = infoOf(frame)
  }

  /** What reading has cost so far. */
  get traffic(): Readonly<Traffic> {
    return { ...this.frame.cache.traffic }
  }

  /** The variable-length metalayers: attributes. They lie at the frame's end and are read when first asked for. */
  async attrs(options: { signal?: AbortSignal } = {}): Promise<Attributes> {
    return (this.#attrs ??= await this.frame.vlmeta(options.signal))
  }

  /** Where each chunk is, in C order. */
  chunkMap(options: { signal?: AbortSignal } = {}): Promise<ChunkPlace[]> {
    return chunkMap(this.frame, options.signal)
  }

  /** Stops all reads and closes the source. */
  close(): Promise<void> {
    return this.frame.close()
  }

  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** @internal */
  protected planned(
    selection: Selection | undefined, { signal }: { signal?: AbortSignal }, bounded = true,
  ): { reading: Reading; plan: Plan } {
    signal?.throwIfAborted()
    const taken: Indices = indices(selection)
    const reading = { frame: this.frame, items: this.items, indices: taken, signal }
    return { reading, plan: this.frame.plan(this.items, taken, bounded) }
  }

  /**
   * Reads what is planned to its place in `bytes`, and tells of each part how many there are.
   * @internal
   */
  protected fill(reading: Reading, plan: Plan, bytes: Uint8Array, progress?: (bytes: number) => void): Promise<void> {
    return readChunks(reading, plan.chunks, box => {
      place(box, bytes, plan.shape, plan.itemsize)
      progress?.(box.bytes.length)
    })
  }
}
