import type { ErrorCode, ErrorDetails } from '../base/errors.js'
import type { Box, CallJob, Job, Need, Recipe } from '../engine/protocol.js'

/** A `Worker` of browsers or of Node.js. */
export interface WorkerLike {
  /** Sends a message and transfers buffers. */
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
  /** Terminates the worker. */
  terminate(): unknown
}

/** A request to a worker. It has the module and the recipe only if they changed. */
export interface WorkerRequest {
  /** The number of the request, which its answer repeats. */
  id: number
  module?: WebAssembly.Module
  recipe?: Recipe
  job: Omit<Job, 'recipe'> | CallJob
}

/** The result of a job: boxes, the bytes that are missing, or the output of a call. */
export type JobDone = Box[] | Need | Uint8Array

/** A job that waits or runs. */
export interface Task {
  readonly job: Job | CallJob
  readonly module: WebAssembly.Module
  readonly resolve: (done: JobDone) => void
  readonly reject: (reason: unknown) => void
}

/** The answer of a worker to the request with the same number. */
export type WorkerResponse = { id: number } & Result

/** The outcome of a job. */
export type Result =
  | { done: Uint8Array }
  | { need: Need }
  | { error: ErrorDetails & { code: ErrorCode; message: string } }
