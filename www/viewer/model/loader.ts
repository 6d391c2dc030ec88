// A cache of slices with a limited size, and the reads in progress.
import { StructArray } from '../../js/index.js'
import type { Shown } from './cells.js'
import { keyOf, type Cut } from './cuts.js'
import type { Dataset, Piece } from './dataset.js'
import type { Numbers, Part } from './values.js'

/** A slice with values derived from it. */
export class Slab {
  readonly piece: Piece
  readonly #dataset: Dataset
  readonly #numbers = new Map<Part, Numbers>()
  #range: Map<string, unknown> = new Map()

  constructor(dataset: Dataset, piece: Piece) {
    this.#dataset = dataset
    this.piece = piece
  }

  /** The numbers to draw for the items, or for the cells of an overview, minus the dataset's `offset`. */
  numbers(part: Part, shown: Shown = 'mean'): Numbers {
    const { data, cells } = this.piece
    if (cells) return shown === 'mean' ? (data as Numbers) : this.memo(shown, () => cells.values(shown))
    let numbers = this.#numbers.get(part)
    if (!numbers) this.#numbers.set(part, (numbers = this.#dataset.numbers(data, part)))
    return numbers
  }

  /** Computes a value once and caches it. */
  memo<T>(key: string, make: () => T): T {
    if (!this.has(key)) this.#range.set(key, make())
    return this.#range.get(key) as T
  }

  /** Whether `memo` has a value. */
  has(key: string): boolean {
    return this.#range.has(key)
  }

  /** 1 for each missing item, 0 for others; `null` if no item is missing. */
  get blank(): Uint8Array | null {
    const { missing } = this.#dataset
    return missing && !this.piece.cells
      ? this.memo('blank', () => missing.mask(this.piece.cuts, this.piece.shape))
      : null
  }

  get bytes(): number {
    let sum = bytesOf(this.piece)
    // Most data are numbers already; others were converted.
    for (const numbers of this.#numbers.values())
      if (numbers !== (this.piece.data as unknown)) sum += 8 * numbers.length
    return sum + (this.piece.cells?.bytes ?? 0)
  }
}

function bytesOf({ data }: Piece): number {
  if (data instanceof StructArray) return data.bytes.length
  return Array.isArray(data) ? data.reduce((sum, text) => sum + 2 * text.length + 16, 0) : data.byteLength
}

export class Loader {
  readonly #dataset: Dataset
  readonly #budget: number
  readonly #slabs = new Map<string, Slab>()
  readonly #underway = new Map<string, { promise: Promise<Slab>; abort: AbortController; waiting: number }>()

  constructor(dataset: Dataset, budget: number) {
    this.#dataset = dataset
    this.#budget = budget
  }

  /** The size of the cached slices in bytes. */
  get held(): number {
    let sum = 0
    for (const slab of this.#slabs.values()) sum += slab.bytes
    return sum
  }

  peek(cuts: readonly Cut[]): Slab | undefined {
    const key = keyOf(cuts)
    const slab = this.#slabs.get(key)
    if (slab) {
      // Moves it to the end: the least recently used one is dropped first.
      this.#slabs.delete(key)
      this.#slabs.set(key, slab)
    }
    return slab
  }

  /** Reads a slice unless it is cached. Callers that request the same slice share one read, which is aborted when nobody
   * waits any more. */
  async load(cuts: readonly Cut[], signal: AbortSignal, onProgress?: (share: number) => void): Promise<Slab> {
    const there = this.peek(cuts)
    if (there) return there
    signal.throwIfAborted()
    const key = keyOf(cuts)
    let read = this.#underway.get(key)
    if (!read) {
      const abort = new AbortController()
      const promise = this.#dataset
        .read(cuts, { signal: abort.signal, onProgress })
        .then(piece => this.#keep(key, piece))
      const started = { promise, abort, waiting: 0 }
      read = started
      this.#underway.set(key, started)
      const done = () => void (this.#underway.get(key) === started && this.#underway.delete(key))
      promise.then(done, done)
    }
    return this.#wait(key, read, signal)
  }

  forget(): void {
    this.#slabs.clear()
  }

  #wait(
    key: string,
    read: { promise: Promise<Slab>; abort: AbortController; waiting: number },
    signal: AbortSignal,
  ): Promise<Slab> {
    read.waiting++
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason)
        if (--read.waiting > 0) return
        if (this.#underway.get(key) === read) this.#underway.delete(key)
        read.abort.abort(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      read.promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    })
  }

  #keep(key: string, piece: Piece): Slab {
    const slab = new Slab(this.#dataset, piece)
    this.#slabs.set(key, slab)
    let held = this.held
    for (const [old, { bytes }] of this.#slabs) {
      if (held <= this.#budget || old === key) break
      this.#slabs.delete(old)
      held -= bytes
    }
    return slab
  }
}

/**
 * Runs the newest task and aborts those that it replaces. To show intermediate results, the oldest one may continue until a
 * newer one is done.
 */
export class Newest {
  readonly #onTheWay: boolean
  /** Running tasks, the oldest first. */
  #running: AbortController[] = []

  constructor(onTheWay = false) {
    this.#onTheWay = onTheWay
  }

  async run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#end(this.#running.splice(this.#onTheWay ? 1 : 0))
    const abort = new AbortController()
    this.#running.push(abort)
    try {
      await work(abort.signal)
    } catch (error) {
      if (!abort.signal.aborted) throw error
    } finally {
      const at = this.#running.indexOf(abort)
      if (at >= 0) this.#end(this.#running.splice(0, at + 1))
    }
  }

  stop(): void {
    this.#end(this.#running.splice(0))
  }

  #end(all: AbortController[]): void {
    for (const abort of all) abort.abort(new DOMException('something newer was asked for', 'AbortError'))
  }
}
