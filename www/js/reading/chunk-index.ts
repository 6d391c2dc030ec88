import { damaged } from '../base/errors.js'
import { countUpTo, sorted } from '../base/numbers.js'
import { inTurn } from '../base/turns.js'
import type { Facts } from '../engine/facts.js'
import { engineError } from '../engine/messages.js'
import { DAMAGED, UNFETCHED, type IndexPart } from '../engine/protocol.js'

/** Where the chunks of a frame are. Chunks in a row that are at one place take the memory of one. */
export interface ChunkIndex {
  /** How many chunks there are. */
  readonly nchunks: number
  /** How many runs: chunks in a row that are at one place. */
  readonly runs: number
  /** The run that a chunk belongs to. */
  runOf(nchunk: number): number
  /** The first chunk of a run, and of the one after the last: the number of chunks. */
  readonly first: (run: number) => number
  /** Where the chunks of a run are: a byte of the frame, the number of a file, or what they are, as `SPECIAL` has it. */
  location(run: number): number
  /**
   * The bytes between a chunk's start and whatever comes next: none if it is stored nowhere. `nbytes` bounds them where
   * nothing is known.
   */
  extent(location: number, nbytes: number): number
}

/** Where a chunk is, if its place is known. */
export function locate(index: ChunkIndex, nchunk: number): number {
  const location = index.location(index.runOf(nchunk))
  if (location === UNFETCHED) throw engineError([1, 10, nchunk, 0, 0, NaN, nchunk])
  // There may be fewer chunks than the shape takes.
  if (!(location > DAMAGED)) throw damaged(nchunk)
  return location
}

/** Of all parts of the index, which begins at byte `end` of the frame. */
export async function createChunkIndex(
  parts: readonly IndexPart[],
  end: number,
  { sparse, frameLength }: Facts,
): Promise<ChunkIndex> {
  const nchunks = parts[0]![0]!
  const most = parts.reduce((sum, part) => sum + part.length / 2 - 1, 0)
  const firsts = new Float64Array(most)
  const locations = new Float64Array(most)
  // The places where chunks begin, in order: most frames have them so.
  let starts = new Float64Array(sparse ? 0 : most)
  let runs = 0
  let stored = 0
  let ordered = true
  for (const part of parts) {
    await inTurn(() => {
      for (let k = 2; k < part.length; k += 2) {
        const location = part[k + 1]!
        // A run may go on in the next part.
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
  // The run and the start that were found last: mostly the next ones are asked for.
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
      // Several chunks may begin there.
      const one = starts[start] === location && starts[start + 1] !== location
      start = one ? start + 1 : countUpTo(starts, location)
      const next = starts[start] ?? end
      const stop = Math.min(next, end, frameLength)
      return stop > location && !sparse ? stop - location : nbytes + 32
    },
  }
}
