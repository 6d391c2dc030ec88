import { Closeable } from '../base/closeable.js'
import { checked, READ } from '../base/validation.js'
import type { Attributes } from '../engine/attributes.js'
import { excessive } from '../engine/messages.js'
import type { Items, Limits } from '../engine/protocol.js'
import type { Traffic } from '../reading/cache.js'
import { boxCopier } from '../reading/copy-box.js'
import type { Frame } from '../reading/frame.js'
import { readChunks } from '../reading/read-chunks.js'
import { indices, type Selection } from '../reading/selection.js'
import type { Reading } from '../reading/waves.js'
import { ChunkMap, infoOf, type Info } from './info.js'

/** The base of arrays and super-chunks. */
export abstract class OpenedFrame extends Closeable {
  readonly #frame: Frame
  /** @internal */
  protected abstract get items(): Items
  #attrs: Attributes | undefined
  /** The metalayers in the header. */
  readonly metalayers: Attributes
  /** The header: codec, filters, sizes. */
  readonly info: Readonly<Info>

  /** @internal */
  constructor(frame: Frame) {
    super()
    this.#frame = frame
    this.metalayers = frame.metalayers
    this.info = infoOf(frame)
  }

  /** @internal */
  protected get frame(): Frame {
    return this.#frame
  }

  /** How much may be allocated for untrusted data: the limits that the frame was opened with. */
  get limits(): Readonly<Limits> {
    return this.frame.recipe.limits
  }

  /** The cost of reading so far. */
  get traffic(): Readonly<Traffic> {
    return { ...this.frame.cache.traffic }
  }

  /** The attributes (variable-length metalayers). The first call reads them from the end of the frame. */
  async attrs(options: { signal?: AbortSignal | undefined } = {}): Promise<Attributes> {
    return (this.#attrs ??= await this.frame.vlmeta(checked(options, READ).signal))
  }

  /**
   * The bytes of the metalayers in the header, or of the variable-length ones.
   * @internal
   */
  layers(variable: boolean, signal?: AbortSignal): Promise<Uint8Array> {
    return this.frame.layers(variable, signal)
  }

  /**
   * Reads the items of a selection as they are stored.
   * @internal
   */
  stored(selection: Selection, options: { signal?: AbortSignal | undefined } = {}): Promise<Uint8Array> {
    return this.fill(this.planned(selection, options))
  }

  /** The locations of the chunks in C order. Consecutive chunks with the same location are one entry. */
  async chunkMap(options: { signal?: AbortSignal | undefined } = {}): Promise<ChunkMap> {
    const { signal } = checked(options, READ)
    return new ChunkMap(await this.frame.chunkIndex(signal), this.frame.facts)
  }

  /** Aborts all reads and closes the source. */
  override close(): Promise<void> {
    return this.frame.close()
  }

  /**
   * Plans a selection. `bounded` applies `limits.memory` to the result.
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
   * Reads into `bytes`, and reports the bytes of each part.
   * @internal
   */
  protected async fill(
    reading: Reading,
    progress?: (bytes: number) => void,
    bytes = new Uint8Array(reading.nbytes),
  ): Promise<Uint8Array<ArrayBuffer>> {
    const result = { shape: reading.shape, itemsize: reading.itemsize, bytes }
    const into = bytes.buffer instanceof ArrayBuffer ? undefined : result
    await readChunks({ ...reading, use: boxCopier(result), into, progress, join: true })
    return bytes
  }
}
