import type { ErrorCode, ErrorDetails } from '../base/errors.js'
import type { Job, Need, Recipe } from '../engine/protocol.js'

/** A `Worker` of browsers or of Node. */
export interface WorkerLike {
  /** Sends a message and hands over buffers. */
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
  /** Ends the worker at once. */
  terminate(): unknown
}

/** What a worker is told. The module and the recipe come with the first job that needs them. */
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
