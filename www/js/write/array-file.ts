/// <reference lib="esnext.disposable" preserve="true" />
import { utf8 } from '../base/bytes.js'
import { argument, B2ndError } from '../base/errors.js'
import { product } from '../base/numbers.js'
import type { Type } from '../engine/facts.js'
import { engineError } from '../engine/messages.js'
import { copyItems, dot, type Strided } from '../reading/copy-box.js'
import type { Progression } from '../reading/positions.js'
import { sameBytes } from '../reading/revision.js'
import { strides, type Selection } from '../reading/selection.js'
import { boxes, resolve, type ChunkBox } from './boxes.js'
import { callFile } from './files.js'
import type { FrameState, WrittenArray } from './frame.js'
import { bytesOf, checkShape, isItem, type Items } from './items.js'
import { Queue } from './queue.js'
import { carryOut, type Step } from './steps.js'
import type { Target } from './target.js'
import { valueBytes } from './values.js'

/** Items for a selection: as many as it has, in C order, or one for all of it. */
export type Values = Items | number | bigint | boolean | string

/** Items that are written to a selection. */
export interface Write {
  readonly axes: readonly Progression[]
  readonly items: Strided
}

/** The base of arrays that are created or changed. Calls wait for those before them. */
export abstract class ArrayFile {
  static {
    // Runtimes without `Symbol.asyncDispose` get a method of this name.
    Reflect.deleteProperty(this.prototype, 'undefined')
  }
  /** @internal */
  protected readonly state: FrameState
  #target: Target
  readonly #queue = new Queue()
  #ended = false
  #closing: Promise<void> | undefined
  #error: Error | undefined

  /** @internal */
  constructor(state: FrameState, target: Target) {
    this.state = state
    this.#target = target
  }

  /** @internal */
  protected get array(): WrittenArray {
    return this.state.array
  }

  /** The shape in items. */
  get shape(): readonly number[] {
    return this.array.shape
  }

  /** The shape of a chunk, in items. */
  get chunks(): readonly number[] {
    return this.array.chunks
  }

  /** The shape of a block, in items. */
  get blocks(): readonly number[] {
    return this.array.blocks
  }

  /** The dtype in NumPy's notation. */
  get dtype(): string {
    return this.array.dtype
  }

  /** The parsed dtype. */
  get type(): Type {
    return this.array.type
  }

  /** Sets an attribute (a variable-length metalayer) to a value that MessagePack has. `undefined` removes it. */
  setAttr(name: string, value: unknown): Promise<void> {
    return this.metalayer(1, name, value)
  }

  /** @internal */
  protected metalayer(variable: number, name: string, value: unknown): Promise<void> {
    const content = value === undefined ? new Uint8Array() : valueBytes(value)
    return this.queued(() => this.change('metalayer', [utf8(name), content], variable, Number(value === undefined)))
  }

  /** `abort` for `await using`, unless it was closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#ended) await this.abort()
  }

  /** Writes what is missing, commits, and closes the file if it was opened by path. A second call does nothing. */
  close(): Promise<void> {
    // After a failure the next call tries again.
    return (this.#closing ??= this.queued(() => this.complete()).catch((error: unknown) => {
      this.#closing = undefined
      throw error
    }))
  }

  /**
   * Writes what is left to be written, and ends writing.
   * @internal
   */
  protected abstract complete(): Promise<void>

  /** Ends writing without completing it. */
  abstract abort(reason?: unknown): Promise<void>

  /**
   * Runs calls one after the other. Fails if writing has ended, or if an earlier call has left the file in an unknown state.
   * @internal
   */
  protected queued<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(() => {
      if (this.#ended) throw argument('writing has ended')
      if (this.#error) throw this.#error
      return work()
    })
  }

  /**
   * Calls the engine, and does with the file what it says.
   * @internal
   */
  protected async change(name: string, input: readonly ArrayBufferView[], ...numbers: number[]): Promise<void> {
    const steps = await this.state.change((offset, length) => this.#read(offset, length), name, input, ...numbers)
    try {
      await this.#carryOut(steps)
    } catch (error) {
      this.#error = error as Error
      throw error
    }
  }

  async #read(offset: number, length: number): Promise<Uint8Array> {
    const { read } = this.#target
    if (!read) throw argument('a part of a chunk that was written before: this file cannot be read')
    return callFile(() => read(offset, length))
  }

  /** @internal */
  protected checkReplaceable(): void {
    if (!this.#target.successor) throw new B2ndError('unsupported', 'the file must be replaced, which needs a path')
  }

  async #carryOut(steps: readonly Step[]): Promise<void> {
    const old = this.#target
    let file = old
    const carry = async (step: Step): Promise<void> => {
      const { kind, offset, length, from, bytes } = step
      switch (kind) {
        case 'compare':
          return compare(offset, bytes, old)
        case 'copy': {
          const copied = new Uint8Array(await old.read!(from, length))
          if (copied.length < length) throw new B2ndError('changed', 'the file has become shorter')
          return file.write(offset, copied)
        }
        case 'successor':
          this.checkReplaceable()
          file = await old.successor!()
          return
        case 'publish':
          await file.publish?.()
          this.#target = file
          await old.close?.()
          return this.state.open((offset, length) => this.#read(offset, length))
        default:
          return carryOut(step, file)
      }
    }
    for (const step of steps) await callFile(() => carry(step))
  }

  /**
   * Ends writing.
   * @internal
   */
  protected async end(): Promise<void> {
    this.#ended = true
    await callFile(() => this.#target.close?.())
  }

  /** Waits for the calls so far, whatever becomes of them, and ends writing. @internal */
  protected async stop(reason: unknown): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    await this.#queue.idle()
    await callFile(() => this.#target.abort?.(reason))
  }

  /** @internal */
  protected planned(selection: Selection, values: Values): Write {
    const { type } = this.array
    const { axes, shape } = resolve(selection, this.shape)
    const counts = axes.map(({ count }) => count)
    const one = isItem(values)
    if (!one) checkShape(values, type, shape)
    const bytes = bytesOf(one ? [values] : values, type)
    const needed = one ? 1 : product(counts)
    const count = bytes.length / type.size
    if (count !== needed) throw argument(`data: ${needed} items for [${shape.join(', ')}] needed, ${count} given`)
    return { axes, items: { bytes, start: 0, strides: strides(counts, one ? 0 : type.size) } }
  }

  /**
   * The bytes of rows, which must be whole ones along `axis`, their number, and the bytes of one.
   * @internal
   */
  protected rowsOf(values: Items, axis = 0): { bytes: Uint8Array<ArrayBuffer>; rows: number; size: number } {
    const { shape, type } = this
    if (axis >= shape.length) throw engineError([2, 1, axis + 1, shape.length])
    const bytes = bytesOf(values, type)
    const size = type.size * product(shape.filter((_, other) => other !== axis))
    const rows = bytes.length / size
    checkShape(values, type, shape.with(axis, rows))
    if (Number.isInteger(rows)) return { bytes, rows, size }
    throw argument(`data: ${bytes.length / type.size} items are not a whole number of rows`)
  }

  /** @internal */
  protected boxes({ axes }: Write): Generator<ChunkBox, void, undefined> {
    return boxes(axes, this.shape, this.chunks)
  }

  /**
   * Copies the items of a box into the items of its chunk, in C order.
   * @internal
   */
  protected copy({ axes, items }: Write, box: ChunkBox, chunk: Uint8Array): void {
    const { size } = this.array.type
    const steps = strides(box.lengths, size)
    const first = axes.map(({ start, step }, axis) => start + step * box.from[axis]! - box.origin[axis]!)
    const to = {
      bytes: chunk,
      start: dot(first, steps),
      strides: steps.map((stride, axis) => stride * axes[axis]!.step),
    }
    copyItems({ ...items, start: dot(box.from, items.strides) }, to, box.counts, size)
  }

  /**
   * Changes a part of a chunk that is in the file.
   * @internal
   */
  protected async setPart({ axes, items }: Write, box: ChunkBox): Promise<void> {
    const { size } = this.array.type
    const part = new Uint8Array(product(box.counts) * size)
    const from = { ...items, start: dot(box.from, items.strides) }
    copyItems(from, { bytes: part, start: 0, strides: strides(box.counts, size) }, box.counts, size)
    const indices = axes.flatMap(({ start, step }, axis) => {
      const first = start + step * box.from[axis]!
      const end = first + step * box.counts[axis]!
      // Backward to the first position, there is no number for the end.
      return [1, first, end < 0 ? NaN : end, step]
    })
    await this.change('set', [new Float64Array(indices), part])
  }
}

/** Fails if another writer has changed the file. */
async function compare(offset: number, bytes: Uint8Array, file: Target): Promise<void> {
  // What cannot be read belongs to this writer.
  const isSame = file.compare
    ? await file.compare(offset, bytes)
    : !file.read || sameBytes(await file.read(offset, bytes.length), bytes)
  if (!isSame) throw engineError([4, 1])
}

/** Whether a box has all items of its chunk. */
export const covers = ({ counts, lengths }: ChunkBox): boolean => counts.every((count, axis) => count === lengths[axis])
