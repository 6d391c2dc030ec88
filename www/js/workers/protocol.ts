import type { ErrorCode, ErrorDetails } from '../base/errors.js'
import type { Job, Need, Recipe } from '../engine/protocol.js'

/** A `Worker` of browsers or of Node.js. */
export interface WorkerLike {
  /** Sends a message and transfers buffers. */
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
  /** Terminates the worker. */
  terminate(): unknown
}

/** A request to a worker. It has the module and the recipe only if they changed. */
export interface WorkerRequest {
  module?: WebAssembly.Module
  recipe?: Recipe
  job: Omit<Job, 'recipe'>
}

/** The answer of a worker. */
export type WorkerResponse =
  | { done: Uint8Array }
  | { need: Need }
  | { error: ErrorDetails & { code: ErrorCode; message: string } }
