import { yieldThen } from '../base/yielding.js'
import { batchesOf } from '../engine/engine.js'
import type { Box, Chunks, Indices, Items, Plan, Target } from '../engine/protocol.js'
import type { Frame } from './frame.js'

/** The limits of a wave, of which two are in memory: compressed bytes, blocks, and chunks. */
const MAX_WAVE_BYTES = 2 ** 25
const MAX_WAVE_BLOCKS = 2 ** 16
const MAX_WAVE_CHUNKS = 2 ** 12

/** The runs of the index that the engine gets at a time. */
const MAX_RUNS = 2 ** 12

/** The part of a frame to read. */
export interface Reading extends Plan {
  readonly frame: Frame
  readonly items: Items
  readonly indices: Indices
  /** Whether one box may contain the items of several chunks. */
  readonly join?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Receives the boxes. Without it stored chunks are read, but not decoded. */
  readonly use?: Use | undefined
  /** The result, if it is shared memory, to which decoders may copy the boxes themselves. */
  readonly into?: Target | undefined
  /** Receives the bytes of the result that are complete, after each batch. */
  readonly progress?: ((bytes: number) => void) | undefined
}

/**
 * Receives the box of the result from chunk `k` of the plan. If chunks are joined, `k` has no meaning. Later boxes overwrite
 * its bytes, unless they fill their buffer.
 */
export type Use = (box: Box, k: number) => void

/** Chunks of a reading that are read by one request: a chunk, the head of a chunk, or adjacent small chunks. */
export type Batch = Chunks<Reading>

/** The batches of a reading, in lists as the engine returns them. */
async function* batches(reading: Reading): AsyncGenerator<Batch[], void, undefined> {
  const { frame, signal } = reading
  const index = await frame.chunkIndex(signal)
  let k = 0
  // Most readings touch few chunks, which do not need a long part of the index.
  for (let from = reading.first, count = 2 ** 8; from >= 0; count = Math.min(8 * count, MAX_RUNS)) {
    signal?.throwIfAborted()
    const { runs, end } = index.window(from, count)
    const answer = await yieldThen(() => batchesOf(frame, reading, runs, from, end, k))
    yield answer.batches
    ;({ next: from, k } = answer)
  }
}

/** How much of a wave a batch takes: 1 if it fills one. */
export function shareOf({ start, end, whole, wanted, blocks, extent, tasks }: Batch): number {
  const bytes = end - start + (whole ? 0 : (wanted / blocks) * extent)
  return Math.max(bytes / MAX_WAVE_BYTES, wanted / MAX_WAVE_BLOCKS, tasks.length / 3 / MAX_WAVE_CHUNKS)
}

/** The batches of readings of one frame, in waves: what is read at the same time. */
export async function* waves(readings: Iterable<Reading>, share = shareOf): AsyncGenerator<Batch[], void, undefined> {
  let wave: Batch[] = []
  let full = 0
  for (const reading of readings) {
    for await (const list of batches(reading)) {
      for (const batch of list) {
        full += share(batch)
        if (full > 1 && wave.length) {
          yield wave
          wave = []
          full = share(batch)
        }
        wave.push(batch)
      }
    }
  }
  if (wave.length) yield wave
}
