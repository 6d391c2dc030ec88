// The wasm that knows which parts of the chunks of a Zarr array a selection takes, in this thread or in the workers of a pool.

import { yieldThen } from '../base/yielding.js'
import { boxesIn, callAlone } from '../engine/engine.js'
import { getEngine, getModule } from '../engine/init.js'
import type { Box, CallJob } from '../engine/protocol.js'
import type { Pool } from '../workers/pool.js'

/** A pool of `b2nd/pool`. */
export type Workers = Pick<Pool, 'call'>

/** Makes a call that decodes: in a worker of the pool, or in this thread. */
export async function decodeBy(pool: Workers | undefined, job: CallJob, signal?: AbortSignal): Promise<Uint8Array> {
  if (pool) return pool.call(job, { module: await getModule(), signal })
  const here = await getEngine()
  return yieldThen(() => callAlone(here, job), signal)
}

/** How the chunks of an array are cut, in the order of axes in which items are stored. */
export interface Cut {
  readonly shape: readonly number[]
  readonly chunks: readonly number[]
  /** Without blocks the items of a chunk are in C order. */
  readonly blocks?: readonly number[] | undefined
  readonly itemsize: number
}

/** The section that describes it. */
export const cutOf = ({ shape, chunks, blocks, itemsize }: Cut): Float64Array =>
  new Float64Array([shape.length, itemsize, Number(!!blocks), ...shape, ...chunks, ...(blocks ?? [])])

/** The box in the output of a call. */
export const firstBox = (output: Uint8Array): Box => boxesIn(output)[0]!
