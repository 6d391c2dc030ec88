export { B2ndError, isB2ndError } from './base/errors.js'
export type { Decoder, DecoderOptions } from './reading/frame.js'
export { createPool, Pool, type PoolOptions } from './workers/pool.js'
export type { WorkerLike } from './workers/protocol.js'
