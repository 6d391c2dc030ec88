/// <reference lib="esnext.disposable" preserve="true" />
import { onAbort } from '../base/abort.js'
import { argument, named } from '../base/errors.js'
import { checked, POOL } from '../base/validation.js'
import type { Box, Job, Need } from '../engine/protocol.js'
import type { Decoder, DecoderOptions } from '../reading/frame.js'
import { WorkerClient } from './client.js'
import type { WorkerLike } from './protocol.js'

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
    // What `Symbol.dispose` is where a browser does not have it.
    Reflect.deleteProperty(this.prototype, 'undefined')
  }
  readonly #createWorker: (() => WorkerLike) | undefined
  readonly #size: number
  readonly #idleMs: number
  readonly #clients = new Set<WorkerClient>()
  readonly #idle: WorkerClient[] = []
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
    return this.#clients.size
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
    for (const client of this.#clients) client.end(closed())
    this.#clients.clear()
  }

  /** The same, for `using`. */
  [Symbol.dispose](): void {
    this.close()
  }

  /** Hands out what waits, as far as there are workers. */
  #next(): void {
    clearTimeout(this.#timer)
    for (const task of this.#queue) {
      let client
      try {
        client = this.#take()
      } catch (error) {
        this.#queue.delete(task)
        task.reject(error)
        continue
      }
      if (!client) return
      this.#queue.delete(task)
      void client
        .run(task.job, task.module)
        .then(task.resolve, task.reject)
        .then(() => this.#release(client))
    }
    if (this.#idle.length > 0 && this.#idle.length === this.#clients.size) this.#rest()
  }

  /** A worker that has nothing to do, or a new one if there may be. */
  #take(): WorkerClient | undefined {
    for (let client = this.#idle.pop(); client; client = this.#idle.pop()) {
      if (!client.ended) return client
      this.#clients.delete(client)
    }
    if (this.#clients.size >= this.#size) return undefined
    const client = new WorkerClient(this.#createWorker)
    this.#clients.add(client)
    return client
  }

  #release(client: WorkerClient): void {
    if (this.#closed) return
    if (client.ended) this.#clients.delete(client)
    else this.#idle.push(client)
    this.#next()
  }

  /** Ends the workers unless there is something to do soon. */
  #rest(): void {
    const timer = setTimeout(() => {
      for (const client of this.#clients) client.end(closed())
      this.#clients.clear()
      this.#idle.length = 0
    }, this.#idleMs)
    this.#timer = timer
    // Node would wait for it.
    if (typeof timer === 'object') timer.unref()
  }
}

const closed = () => argument('the pool has been closed')
