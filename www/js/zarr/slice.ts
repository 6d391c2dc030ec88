// Slices of arrays of zarrita, of whose chunks only the blocks that they touch are read.

import { linked } from '../base/abort.js'
import { argument, B2ndError, wrapError } from '../base/errors.js'
import { createLimit } from '../base/limit.js'
import { checked, flag, having, number, signal as abortSignal, type Rules } from '../base/validation.js'
import type { Box } from '../engine/protocol.js'
import { strides } from '../reading/selection.js'
import type { Selected, ZarrArray, ZarrSelection } from './array.js'
import { cutOf, decodeBy, firstBox, type Workers } from './calls.js'
import { readPart } from './part.js'
import { bytesOf, readingOf, type Reading, type Touched } from './reading.js'

/** How to read a slice. */
export interface SliceOptions {
  /** Whether only the needed blocks of chunks are read, where that is possible. Default: chunks are read whole. */
  partial?: boolean | undefined
  /** Decodes blocks in workers: a pool of `b2nd/pool`. Whole chunks are decoded by the registered codecs. */
  pool?: Workers | undefined
  /** The number of chunks that are read at the same time. Default: 16. */
  concurrency?: number | undefined
  /** Aborts: the call rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

const OPTIONS: Rules = {
  partial: flag,
  pool: ['a pool', having('call')],
  concurrency: number(1, 1024, true),
  signal: abortSignal,
}

/** Reads a slice. */
export async function getSlice<A extends ZarrArray, S extends ZarrSelection>(
  array: A,
  selection: S,
  options: SliceOptions = {},
): Promise<Selected<A, S>> {
  const { partial, pool, concurrency = 16, signal } = checked(options, OPTIONS)
  const { abort, leave } = linked(signal)
  try {
    signal?.throwIfAborted()
    const reading = await readingOf(array, selection, { signal: abort.signal }, pool)
    const turns = createLimit(concurrency)
    const read = async ({ nchunk, position }: Touched) => {
      abort.signal.throwIfAborted()
      const part = partial ? await readPart(reading, nchunk, position) : 'whole'
      const box = part === 'whole' ? await readWhole(reading, nchunk, position) : part
      if (box) reading.copy(box)
    }
    await Promise.all(reading.touched.map(chunk => turns(() => read(chunk))))
    return reading.result() as Selected<A, S>
  } catch (error) {
    signal?.throwIfAborted()
    throw wrapError('source', 'the array', error)
  } finally {
    abort.abort(argument('the call has ended'))
    leave()
  }
}

/** Takes the selected items of a chunk that zarrita reads and decodes. */
async function readWhole(reading: Reading, nchunk: number, position: number[]): Promise<Box> {
  const { array, storing, options, cut, indices } = reading
  const { data, stride } = await array.getChunk(position, options).catch((error: unknown) => {
    // What a codec throws is the cause of what zarrita throws.
    throw wrapError('source', 'a chunk', (error as Error | undefined)?.cause ?? error)
  })
  const expected = strides(cut.chunks)
  if (!storing.order.every((axis, k) => stride[axis] === expected[k]))
    throw new B2ndError('unsupported', 'chunks in this order of axes')
  const input = [cutOf({ ...cut, blocks: undefined }), indices, bytesOf(data)]
  const job = { call: 'zarr_place', numbers: [nchunk], input }
  return firstBox(await decodeBy(undefined, job, options.signal))
}
