import type { Box, Job, Need, Recipe } from './job.js'
import { B2ndError, foreign, type ErrorCode, type ErrorDetails } from './errors.js'

/** A `Worker` of browsers or of Node. */
export interface WorkerLike {
  /** Sends a message and hands over buffers. */
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
  /** Ends the worker at once. */
  terminate(): unknown
}

/** What a worker is told. The module and the recipe come with the first job that needs them. */
export interface Order {
  module?: WebAssembly.Module
  recipe?: Recipe
  job: Omit<Job, 'recipe'>
}

/** What it answers. */
export type Report = { done: Box | Need } | { error: ErrorDetails & { code: ErrorCode; message: string } }

/** One worker, for one job at a time. */
export class Hand {
  readonly #worker: WorkerLike
  #module: WebAssembly.Module | undefined
  #recipe: Recipe | undefined
  #settle: { resolve: (done: Box | Need) => void; reject: (reason: unknown) => void } | undefined
  ended = false

  constructor(createWorker: () => WorkerLike = start) {
    const broken = (cause: unknown) => {
      const why = (cause as { message?: unknown } | undefined)?.message
      this.end(new B2ndError('unsupported', `the worker failed${why ? `: ${why}` : ' to start'}`, { cause }))
    }
    try {
      this.#worker = createWorker()
      listen(this.#worker, report => this.#report(report), broken)
    } catch (cause) {
      throw foreign('unsupported', 'no worker can be made: give `createWorker`', cause)
    }
  }

  run(job: Job, module: WebAssembly.Module): Promise<Box | Need> {
    const { recipe, ...rest } = job
    // Views of what others use: copied here and now, and not the whole buffers that they are of.
    const segments = job.segments.map(segment => new Uint8Array(segment))
    const order: Order = { job: { ...rest, segments } }
    if (this.#module !== module) this.#module = order.module = module
    if (this.#recipe !== recipe) this.#recipe = order.recipe = recipe
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      keepAlive(this.#worker, true)
      this.#worker.postMessage(order, segments.map(({ buffer }) => buffer))
    })
  }

  /** Ends the worker. A job that it is at fails with `reason`. */
  end(reason: unknown): void {
    if (this.ended) return
    this.ended = true
    void this.#worker.terminate()
    this.#settle?.reject(reason)
  }

  #report(report: Report): void {
    keepAlive(this.#worker, false)
    const { resolve, reject } = this.#settle!
    this.#settle = undefined
    if ('done' in report) return resolve(report.done)
    const { code, message, ...details } = report.error
    reject(new B2ndError(code, message, details))
  }
}

/** The worker beside this file; bundlers know the words. */
function start(): WorkerLike {
  if (typeof Worker === 'function') return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads')
  if (!threads) throw new Error('there are none here')
  // Options of this thread may be none for a file.
  return new threads.Worker(new URL('./worker.js', import.meta.url), { execArgv: [] }) as WorkerLike
}

/** What differs between the workers of Node and those of browsers. */
interface Differences {
  on?(event: string, listener: (value: never) => void): void
  ref?(): void
  unref?(): void
  onmessage?: (event: MessageEvent) => void
  onerror?: (event: Event) => void
  onmessageerror?: (event: Event) => void
}

function listen(worker: WorkerLike & Differences, heard: (report: Report) => void, broken: (cause: unknown) => void): void {
  if (worker.on) {
    worker.on('message', heard)
    worker.on('error', broken)
    worker.on('exit', () => broken(undefined))
  } else {
    worker.onmessage = ({ data }) => heard(data)
    worker.onerror = worker.onmessageerror = event => {
      event.preventDefault()
      broken(event)
    }
  }
}

/** Node waits for workers that are at something, and for no others. */
function keepAlive(worker: WorkerLike & Differences, alive: boolean): void {
  if (alive) worker.ref?.()
  else worker.unref?.()
}
