/// <reference lib="esnext.disposable" preserve="true" />
import { onAbort } from '../base/abort.js'
import { argument, setName } from '../base/errors.js'
import { checked, POOL } from '../base/validation.js'
import { encodingOf } from '../engine/engine.js'
import type { Box, CallJob, EncodeJob, Job, Need } from '../engine/protocol.js'
import type { Decoder, DecoderOptions } from '../reading/frame.js'
import { WorkerClient } from './client.js'
import type { JobDone, Task, WorkerLike } from './protocol.js'

/** Options of a pool. */
export interface PoolOptions {
  /** The maximum number of workers. Default: the number of cores, at most 8. */
  size?: number | undefined
  /** Creates a worker that runs `b2nd/worker`. Needed only for some bundlers and content security policies. */
  createWorker?: (() => WorkerLike) | undefined
  /** Idle workers end after this many milliseconds. Default: 10 s. */
  idleMs?: number | undefined
}

/**
 * Creates a pool of workers that decode and encode, for `open(…, { decoder: pool })` and for the option `encoder` of `b2nd/write`.
 * Any number of arrays can share it.
 */
export function createPool(options?: PoolOptions): Pool {
  return new Pool(options)
}

/** Decodes and encodes in workers, which start on demand. */
export class Pool implements Decoder {
  static {
    setName(this, 'Pool')
    // Runtimes without `Symbol.dispose` get a method of this name.
    Reflect.deleteProperty(this.prototype, 'undefined')
  }
  readonly #createWorker: (() => WorkerLike) | undefined
  readonly #size: number
  readonly #idleMs: number
  readonly #clients = new Set<WorkerClient>()
  readonly #idle: WorkerClient[] = []
  readonly #queue = new Set<Task>()
  /** Memory of boxes that have been copied. */
  readonly #spare: ArrayBuffer[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  /** @internal */
  constructor(options: PoolOptions = {}) {
    const { size, createWorker, idleMs = 10_000 } = checked(options, POOL)
    this.#createWorker = createWorker
    this.#size = size ?? Math.min(globalThis.navigator?.hardwareConcurrency ?? 4, 8)
    // The maximum delay of timers.
    this.#idleMs = Math.min(idleMs, 2 ** 31 - 1)
  }

  /** The number of workers now. */
  get workers(): number {
    return this.#clients.size
  }

  /** The most workers that there can be. */
  get size(): number {
    return this.#size
  }

  /** Decodes a job in a worker. */
  async decode(job: Job, options: DecoderOptions): Promise<Box[] | Need> {
    return this.call(job, options)
  }

  /** Encodes a chunk in a worker. */
  async encode(job: EncodeJob, options: DecoderOptions): Promise<Uint8Array> {
    return this.call(encodingOf(job), options)
  }

  /** Takes back the memory of boxes that `decode` returned. */
  reuse([box]: readonly Box[]): void {
    if (box && this.#spare.length < this.#clients.size) this.#spare.push(box.bytes.buffer as ArrayBuffer)
  }

  /** Makes a call of the wasm in a worker. */
  call(job: CallJob, options: DecoderOptions): Promise<Uint8Array>
  /** @internal */
  call(job: Job, options: DecoderOptions): Promise<Box[] | Need>
  async call(job: Job | CallJob, { module, signal }: DecoderOptions): Promise<JobDone> {
    if (this.#closed) throw closed()
    signal?.throwIfAborted()
    let leave = () => {}
    const running = new Promise<JobDone>((resolve, reject) => {
      const task: Task = { job, module, resolve, reject }
      this.#queue.add(task)
      // A running job continues, and its result is dropped, because a new worker would take longer.
      leave = onAbort(signal, () => {
        this.#queue.delete(task)
        reject(signal!.reason)
      })
    })
    this.#next()
    return running.finally(leave)
  }

  /** Terminates all workers. Running and later jobs fail. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const task of this.#queue) task.reject(closed())
    this.#queue.clear()
    this.#spare.length = 0
    for (const client of this.#clients) client.end(closed())
    this.#clients.clear()
  }

  /** `close` for `using`. */
  [Symbol.dispose](): void {
    this.close()
  }

  /** Assigns waiting jobs to workers. */
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
        .run(task.job, task.module, this.#spare.pop())
        .then(task.resolve, task.reject)
        .then(() => this.#release(client))
    }
    if (this.#idle.length > 0 && this.#idle.length === this.#clients.size) this.#rest()
  }

  /** An idle worker, or a new one if the pool is not full. */
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

  /** Ends the workers if they stay idle. */
  #rest(): void {
    const timer = setTimeout(() => {
      for (const client of this.#clients) client.end(closed())
      this.#clients.clear()
      this.#idle.length = this.#spare.length = 0
    }, this.#idleMs)
    this.#timer = timer
    // The timer must not keep the Node.js process alive.
    if (typeof timer === 'object') timer.unref()
  }
}

const closed = () => argument('the pool is closed')
