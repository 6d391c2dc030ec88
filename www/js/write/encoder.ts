import { yieldThen } from '../base/yielding.js'
import { callAlone, encodingOf, type Engine } from '../engine/engine.js'
import type { EncodeJob } from '../engine/protocol.js'

/** Encodes elsewhere, for example in a worker. */
export interface Encoder {
  /** The number of jobs that it works on at the same time. Default: 8. */
  readonly size?: number | undefined
  /** Encodes a chunk. */
  encode(job: EncodeJob, options: EncoderOptions): Promise<Uint8Array>
}

/** Options of `Encoder.encode`. */
export interface EncoderOptions {
  /** The compiled wasm. */
  module: WebAssembly.Module
  /** Aborts: the call rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

/** Encodes in this thread, in short steps of a chunk each. */
export const localEncoder = (engine: Engine): Encoder => ({
  size: 1,
  encode: (job, { signal }) => yieldThen(() => callAlone(engine, encodingOf(job)), signal),
})
