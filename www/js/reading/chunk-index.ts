import { damaged } from '../base/errors.js'
import { countUpTo, sorted } from '../base/numbers.js'
import { yieldThen } from '../base/yielding.js'
import type { Facts } from '../engine/facts.js'
import { engineError } from '../engine/messages.js'
import { DAMAGED, UNFETCHED, type IndexPart } from '../engine/protocol.js'

/** The locations of the chunks of a frame, in runs of chunks with the same location. */
export interface ChunkIndex {
  /** The number of chunks. */
  readonly nchunks: number
  /** The number of runs. */
  readonly runs: number
  /** The run of a chunk. */
  runOf(nchunk: number): number
  /** The first chunk of a run. After the last run it is the number of chunks. */
  readonly first: (run: number) => number
  /** The location of a run: a byte offset, a file number or a code (see `ZEROS` and the others). */
  readonly location: (run: number) => number
  /**
   * The bytes between the start of a chunk and whatever follows; 0 if it is not stored. If this is unknown, a bound for a chunk
   * of `nbytes` uncompressed bytes.
   */
  readonly extent: (location: number, nbytes: number) => number
}

/** The location of a chunk. Fails if it is damaged or was not fetched. */
export function locate(index: ChunkIndex, nchunk: number): number {
  const location = index.location(index.runOf(nchunk))
  if (location === UNFETCHED) throw engineError([1, 10, nchunk, 0, 0, NaN, nchunk])
  // NaN: there are fewer chunks than the shape needs.
  if (!(location > DAMAGED)) throw damaged(nchunk)
  return location
}

/** Creates the index from all its parts. `end` is its offset in the frame, where the chunks end. */
export async function createChunkIndex(
  parts: readonly IndexPart[],
  end: number,
  { sparse, frameLength }: Facts,
): Promise<ChunkIndex> {
  const nchunks = parts[0]![0]!
  const most = parts.reduce((sum, part) => sum + part.length / 2 - 1, 0)
  const firsts = new Float64Array(most)
  const locations = new Float64Array(most)
  // The offsets of the chunks, sorted. In most frames they are in order already.
  let starts = new Float64Array(sparse ? 0 : most)
  let runs = 0
  let stored = 0
  let ordered = true
  for (const part of parts) {
    await yieldThen(() => {
      for (let k = 2; k < part.length; k += 2) {
        const location = part[k + 1]!
        // A run may continue in the next part.
        if (location === locations[runs - 1]) continue
        firsts[runs] = part[k]!
        locations[runs++] = location
        if (sparse || location < 0) continue
        if (location < starts[stored - 1]!) ordered = false
        starts[stored++] = location
      }
    })
  }
  starts = starts.subarray(0, stored)
  if (!ordered) starts = await sorted(starts, frameLength)
  firsts.fill(nchunks, runs)
  locations.fill(NaN, runs)
  // The run and the start that were found last. Mostly the next one follows.
  let run = 0
  let start = 0
  return {
    nchunks,
    runs,
    first: run => firsts[run] ?? nchunks,
    location: run => locations[run]!,
    runOf(nchunk) {
      if (nchunk >= nchunks) return runs
      run = firsts[run + 1] === nchunk ? run + 1 : countUpTo(firsts, nchunk) - 1
      return run
    },
    extent(location, nbytes) {
      if (location < 0) return 0
      // Several chunks may share a start.
      const one = starts[start] === location && starts[start + 1] !== location
      start = one ? start + 1 : countUpTo(starts, location)
      const next = starts[start] ?? end
      const stop = Math.min(next, end, frameLength)
      return stop > location && !sparse ? stop - location : nbytes + 32
    },
  }
}
