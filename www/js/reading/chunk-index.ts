import { countBefore, sorted } from '../base/numbers.js'
import { inSteps } from '../base/yielding.js'
import type { Facts } from '../engine/facts.js'
import type { IndexPart } from '../engine/protocol.js'

/** Consecutive chunks with the same location. */
export interface Run {
  /** The first chunk. */
  readonly first: number
  /** A byte offset, a file number or a code (see `SPECIAL`). */
  readonly location: number
  /** The bytes from there to whatever follows; 0 if that is unknown, or if the chunks are not stored. */
  readonly extent: number
}

/** The locations of the chunks of a frame. */
export interface ChunkIndex {
  /** The number of chunks. */
  readonly nchunks: number
  /** The number of runs. */
  readonly runs: number
  /** A run. After the last one there are no chunks: the location is NaN. */
  run(number: number): Run
  /** The run of a chunk. */
  runOf(nchunk: number): number
  /** So many runs as the engine takes them, from that of a chunk on, and the first chunk after them. */
  window(nchunk: number, count: number): { runs: Float64Array; end: number }
}

/** The numbers of a run. */
const WIDTH = 3
/** Runs that get their extents in one step. */
const STEP = 2 ** 16

/** Creates the index from all its parts. `end` is its offset in the frame, where the chunks end. */
export async function createChunkIndex(
  parts: readonly IndexPart[],
  end: number,
  { sparse, frameLength }: Facts,
): Promise<ChunkIndex> {
  const nchunks = parts[0]![0]!
  const most = parts.reduce((sum, part) => sum + part.length / 2 - 1, 1)
  let rows = new Float64Array(WIDTH * most)
  let runs = 0
  // The offsets of the chunks, sorted. In most frames they are in order already.
  let starts = new Float64Array(sparse ? 0 : most)
  let stored = 0
  let ordered = true
  for (const part of parts) {
    await inSteps(part.length, STEP, (from, to) => {
      for (let k = Math.max(from, 2); k < to; k += 2) {
        const location = part[k + 1]!
        // A run may continue in the next part.
        if (runs && location === rows[WIDTH * runs - 2]) continue
        rows[WIDTH * runs] = part[k]!
        rows[WIDTH * runs++ + 1] = location
        if (sparse || location < 0) continue
        if (location < starts[stored - 1]!) ordered = false
        starts[stored++] = location
      }
    })
  }
  // After the last chunk there is none.
  rows.set([nchunks, NaN], WIDTH * runs)
  rows = rows.subarray(0, WIDTH * (runs + 1))

  starts = starts.subarray(0, stored)
  if (!ordered) starts = await sorted(starts, frameLength)
  const last = Math.min(end, frameLength)
  let next = 0
  await inSteps(stored && runs, STEP, (from, to) => {
    for (let run = from; run < to; run++) {
      const start = rows[WIDTH * run + 1]!
      if (start < 0) continue
      // Mostly it is the one after that of the run before.
      if (!(starts[next] === start && starts[next + 1]! > start))
        next = countBefore(stored, k => starts[k]! > start) - 1
      rows[WIDTH * run + 2] = Math.max(0, Math.min(starts[++next] ?? last, last) - start)
    }
  })

  const runOf = (nchunk: number) => countBefore(runs, k => rows[WIDTH * k]! > nchunk) - 1
  return {
    nchunks,
    runs,
    run: number => {
      const [first, location, extent] = rows.subarray(WIDTH * number) as unknown as [number, number, number]
      return { first, location, extent }
    },
    runOf,
    window(nchunk, count) {
      const from = runOf(nchunk)
      const to = from + count
      return { runs: rows.subarray(WIDTH * from, WIDTH * to), end: rows[WIDTH * to] ?? Infinity }
    },
  }
}
