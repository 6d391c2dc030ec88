/// <reference lib="esnext.disposable" preserve="true" />
import { onAbort } from './abort.js'
import { checked, POOL } from './check.js'
import type { Box, Job, Need } from './job.js'
import { argument, named } from './errors.js'
import type { Decoder, DecoderOptions } from './frame.js'
import { Hand, type WorkerLike } from './hand.js'

export { B2ndError, isB2ndError } from './errors.js'
export type { Decoder, DecoderOptions } from './frame.js'
export type { WorkerLike } from './hand.js'

/** How many workers, and of what kind. */
export interface PoolOptions {
  /** Workers at most. As many as there are cores unless told otherwise, up to 8. */
  size?: number | undefined
  /** Makes a worker that runs `b2nd/worker`: where a bundler or a content security policy needs help. */
  createWorker?: (() => WorkerLike) | undefined
  /** Workers that have had nothing to do for so many milliseconds end. 10 s unless told otherwise. */
  idleMs?: number | undefined
}

/** Makes workers that decode: `open(…, { decoder: pool })`. A pool can serve any number of arrays. */
export function createPool(options?: PoolOptions): Pool {
  return new Pool(options)
}

/** What waits for a worker. */
interface Task {
  readonly job: Job
  readonly module: WebAssembly.Module
  readonly resolve: (answer: Box[] | Need) => void
  readonly reject: (reason: unknown) => void
}

/** Decodes in workers. They start when there is something to do. */
export class Pool implements Decoder {
  static {
    named(this, 'Pool')
  }
  readonly #createWorker: (() => WorkerLike) | undefined
  readonly #size: number
  readonly #idleMs: number
  readonly #hands = new Set<Hand>()
  readonly #idle: Hand[] = []
  readonly #queue = new Set<Task>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  /** @internal */
  constructor(options: PoolOptions = {}) {
    const { size, createWorker, idleMs = 10_000 } = checked(options, POOL)
    this.#createWorker = createWorker
    this.#size = size ?? Math.min(globalThis.navigator?.hardwareConcurrency ?? 4, 8)
    // Timers wait no longer.
    this.#idleMs = Math.min(idleMs, 2 ** 31 - 1)
  }

  /** Workers that there are now. */
  get workers(): number {
    return this.#hands.size
  }

  /** Does what the engine does, in a worker. */
  async decode(job: Job, { module, signal }: DecoderOptions): Promise<Box[] | Need> {
    if (this.#closed) throw closed()
    signal?.throwIfAborted()
    let leave = () => {}
    const decoding = new Promise<Box[] | Need>((resolve, reject) => {
      const task: Task = { job, module, resolve, reject }
      this.#queue.add(task)
      // What runs already ends in vain: that takes less time than a new worker would.
      leave = onAbort(signal, () => {
        this.#queue.delete(task)
        reject(signal!.reason)
      })
    })
    this.#next()
    return decoding.finally(leave)
  }

  /** Ends all workers. What they are doing fails, and so does what is asked of them from now on. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const task of this.#queue) task.reject(closed())
    this.#queue.clear()
    for (const hand of this.#hands) hand.end(closed())
    this.#hands.clear()
  }

  /** The same, for `using`. */
  [Symbol.dispose](): void {
    this.close()
  }

  /** Hands out what waits, as far as there are workers. */
  #next(): void {
    clearTimeout(this.#timer)
    for (const task of this.#queue) {
      let hand
      try {
        hand = this.#take()
      } catch (error) {
        this.#queue.delete(task)
        task.reject(error)
        continue
      }
      if (!hand) return
      this.#queue.delete(task)
      void hand.run(task.job, task.module).then(task.resolve, task.reject).then(() => this.#release(hand))
    }
    if (this.#idle.length > 0 && this.#idle.length === this.#hands.size) this.#rest()
  }

  /** A worker that has nothing to do, or a new one if there may be. */
  #take(): Hand | undefined {
    for (let hand = this.#idle.pop(); hand; hand = this.#idle.pop()) {
      if (!hand.ended) return hand
      this.#hands.delete(hand)
    }
    if (this.#hands.size >= this.#size) return undefined
    const hand = new Hand(this.#createWorker)
    this.#hands.add(hand)
    return hand
  }

  #release(hand: Hand): void {
    if (this.#closed) return
    if (hand.ended) this.#hands.delete(hand)
    else this.#idle.push(hand)
    this.#next()
  }

  /** Ends the workers unless there is something to do soon. */
  #rest(): void {
    const timer = setTimeout(() => {
      for (const hand of this.#hands) hand.end(closed())
      this.#hands.clear()
      this.#idle.length = 0
    }, this.#idleMs)
    this.#timer = timer
    // Node would wait for it.
    if (typeof timer === 'object') timer.unref()
  }
}

const closed = () => argument('the pool has been closed')
