import { checked, READ } from '../base/validation.js'
/// <reference lib="esnext.disposable" preserve="true" />
import type { Attributes } from '../engine/attributes.js'
import { excessive } from '../engine/messages.js'
import type { Items } from '../engine/protocol.js'
import type { Traffic } from '../reading/cache.js'
import { boxCopier } from '../reading/copy-box.js'
import type { Frame } from '../reading/frame.js'
import { readChunks } from '../reading/read-chunks.js'
import { indices, type Selection } from '../reading/selection.js'
import type { Reading } from '../reading/waves.js'
import { chunkMap, infoOf, type ChunkPlace, type Info } from './info.js'

/** What arrays and super-chunks have in common. */
export abstract class OpenedFrame {
  static {
    // What `Symbol.asyncDispose` is where a browser does not have it.
    Reflect.deleteProperty(this.prototype, 'undefined')
  }
  readonly #frame: Frame
  /** @internal */
  protected abstract get items(): Items
  #attrs: Attributes | undefined
  /** The metalayers in the header. */
  readonly meta: Attributes
  /** What the header tells: codec, filters, sizes. */
  readonly info: Readonly<Info>

  /** @internal */
  constructor(frame: Frame) {
    this.#frame = frame
    this.meta = frame.meta
    this.info = infoOf(frame)
  }

  /** @internal */
  protected get frame(): Frame {
    return this.#frame
  }

  /** What reading has cost so far. */
  get traffic(): Readonly<Traffic> {
    return { ...this.frame.cache.traffic }
  }

  /** The variable-length metalayers: attributes. They lie at the frame's end and are read when first asked for. */
  async attrs(options: { signal?: AbortSignal | undefined } = {}): Promise<Attributes> {
    return (this.#attrs ??= await this.frame.vlmeta(checked(options, READ).signal))
  }

  /** Where the chunks are, in C order. Chunks in a row that are at one place are one entry. */
  async chunkMap(options: { signal?: AbortSignal | undefined } = {}): Promise<ChunkPlace[]> {
    return chunkMap(this.frame, checked(options, READ).signal)
  }

  /** Stops all reads and closes the source. */
  close(): Promise<void> {
    return this.frame.close()
  }

  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /**
   * What reading a selection takes; `bounded` if all of it is to be in memory at once.
   * @internal
   */
  protected planned(
    selection: Selection | undefined,
    options: { signal?: AbortSignal | undefined },
    bounded = true,
  ): Reading {
    const { signal } = checked(options, READ)
    signal?.throwIfAborted()
    const { frame, items } = this
    const taken = indices(selection)
    const plan = frame.plan(items, taken)
    const { memory } = frame.recipe.limits
    if (bounded && plan.nbytes > memory) throw excessive(plan.nbytes, memory)
    return { ...plan, frame, items, indices: taken, signal }
  }

  /**
   * Reads to the places in `bytes`, and tells of each part how many there are.
   * @internal
   */
  protected async fill(
    reading: Reading,
    progress?: (bytes: number) => void,
    bytes = new Uint8Array(reading.nbytes),
  ): Promise<Uint8Array<ArrayBuffer>> {
    const copy = boxCopier(bytes, reading.shape, reading.itemsize)
    await readChunks(reading, box => {
      copy(box)
      progress?.(box.bytes.length)
    })
    return bytes
  }
}
