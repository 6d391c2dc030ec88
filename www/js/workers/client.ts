import { B2ndError, wrapError } from '../base/errors.js'
import { boxesIn } from '../engine/engine.js'
import type { CallJob, Job, Recipe } from '../engine/protocol.js'
import type { JobDone, Task, WorkerLike, WorkerRequest, WorkerResponse } from './protocol.js'
import { prefer, ways } from './start.js'

/** A job in progress. */
interface Running extends Task {
  /** Memory for the message, if it is large enough. */
  readonly spare: ArrayBuffer | undefined
}

/** A worker that runs one job at a time. */
export class WorkerClient {
  /** The remaining ways to start the worker, until it answers. */
  #ways: (() => WorkerLike)[]
  #worker!: WorkerLike
  #module: WebAssembly.Module | undefined
  #recipe: Recipe | undefined
  #task: Running | undefined
  /** The number of the last request. */
  #id = 0
  ended = false

  constructor(createWorker?: () => WorkerLike) {
    this.#ways = createWorker ? [createWorker] : ways()
    this.#start()
  }

  run(job: Job | CallJob, module: WebAssembly.Module, spare: ArrayBuffer | undefined): Promise<JobDone> {
    return new Promise((resolve, reject) => {
      this.#task = { job, module, spare, resolve, reject }
      try {
        this.#send(this.#task)
      } catch (error) {
        this.#task = undefined
        keepAlive(this.#worker, false)
        reject(wrapError('argument', 'the job cannot be sent', error))
      }
    })
  }

  /** Terminates the worker. Its job fails with `reason`. */
  end(reason: unknown): void {
    if (this.ended) return
    this.ended = true
    void this.#worker.terminate()
    this.#task?.reject(reason)
  }

  /** Starts the worker in the first way that does not throw. */
  #start(): void {
    const way = this.#ways.shift()!
    try {
      const worker = (this.#worker = way())
      const heard = (response: WorkerResponse | null | undefined) => {
        // Tools of others may send messages, too.
        if (!this.#task || response?.id !== this.#id) return
        prefer(way)
        this.#ways = []
        this.#answered(response)
      }
      listen(worker, heard, cause => worker === this.#worker && this.#broken(cause))
    } catch (cause) {
      if (this.#ways.length === 0) throw wrapError('unsupported', 'no worker can be made: give `createWorker`', cause)
      this.#start()
    }
  }

  #send({ job, module, spare }: Running): void {
    const id = ++this.#id
    const request: WorkerRequest = 'call' in job ? { id, job } : this.#decoding(id, job, spare)
    if (this.#module !== module) request.module = module
    keepAlive(this.#worker, true)
    const sent = 'segments' in request.job ? request.job.segments.slice(0, 1) : []
    this.#worker.postMessage(
      request,
      sent.map(({ buffer }) => buffer as ArrayBuffer),
    )
    // Only now does the worker have them.
    this.#module = module
    if (request.recipe) this.#recipe = request.recipe
  }

  #decoding(id: number, { recipe, ...rest }: Job, spare: ArrayBuffer | undefined): WorkerRequest {
    // Segments are views of shared buffers: copy them to one, which is transferred. The worker returns it with the result.
    const length = rest.segments.reduce((sum, { length }) => sum + length, 0)
    const buffer = spare && spare.byteLength >= length ? spare : new ArrayBuffer(length)
    let at = 0
    const segments = rest.segments.map(segment => {
      const copy = new Uint8Array(buffer, at, segment.length)
      copy.set(segment)
      at += segment.length
      return copy
    })
    return { id, job: { ...rest, segments }, ...(this.#recipe !== recipe && { recipe }) }
  }

  #answered(response: WorkerResponse): void {
    keepAlive(this.#worker, false)
    const { job, resolve, reject } = this.#task!
    this.#task = undefined
    try {
      if ('done' in response) return resolve('call' in job ? response.done : boxesIn(response.done))
      if ('need' in response) return resolve(response.need)
      const { code, message, ...details } = response.error
      reject(new B2ndError(code, message, details))
    } catch (cause) {
      reject(new B2ndError('unsupported', 'the worker gave a wrong answer', { cause }))
    }
  }

  /** Tries the next way to start the worker. Ends it if there is none, or if it has answered before. */
  #broken(cause: unknown): void {
    if (this.ended) return
    if (this.#ways.length === 0) {
      const why = (cause as { message?: string } | undefined)?.message
      return this.end(
        new B2ndError('unsupported', `the worker failed${why ? `: ${why}` : ' to start: does a policy forbid it?'}`, {
          cause,
        }),
      )
    }
    this.#module = this.#recipe = undefined
    try {
      this.#start()
      if (this.#task) this.#send(this.#task)
    } catch (error) {
      this.end(error)
    }
  }
}

/** The differences between workers of Node.js and of browsers. */
interface Differences {
  on?(event: string, listener: (value: never) => void): void
  ref?(): void
  unref?(): void
  onmessage?: (event: MessageEvent<WorkerResponse>) => void
  onerror?: (event: Event) => void
  onmessageerror?: (event: Event) => void
}

function listen(
  worker: WorkerLike & Differences,
  heard: (response: WorkerResponse) => void,
  broken: (cause: unknown) => void,
): void {
  if (worker.on) {
    worker.on('message', heard)
    worker.on('error', broken)
    worker.on('exit', () => broken(undefined))
  } else {
    worker.onmessage = ({ data }: MessageEvent<WorkerResponse>) => heard(data)
    worker.onerror = worker.onmessageerror = event => {
      event.preventDefault()
      broken(event)
    }
  }
}

/** Keeps the Node.js process alive while the worker has a job. */
function keepAlive(worker: WorkerLike & Differences, checkOpen: boolean): void {
  if (checkOpen) worker.ref?.()
  else worker.unref?.()
}
