import { damaged } from '../base/errors.js'
import { countUpTo } from '../base/numbers.js'
import type { Facts } from '../engine/facts.js'
import { engineError } from '../engine/messages.js'
import { DAMAGED, UNFETCHED } from '../engine/protocol.js'

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

/** Of what the engine tells of the index, which begins at byte `end` of the frame. */
export function createChunkIndex(index: Float64Array, end: number, { sparse, frameLength }: Facts): ChunkIndex {
  const nchunks = index[0]!
  const runs = (index.length - 1) / 2
  const firsts = index.subarray(1, 1 + runs)
  const locations = index.subarray(1 + runs)
  // The places where chunks begin, in order.
  const starts = sparse ? new Float64Array() : inOrder(locations.filter(place => place >= 0))
  const first = (run: number) => firsts[run] ?? nchunks
  return {
    nchunks,
    runs,
    first,
    location: run => locations[run]!,
    runOf: nchunk => (nchunk < nchunks ? countUpTo(firsts, nchunk) - 1 : runs),
    extent(location, nbytes) {
      if (location < 0) return 0
      const next = starts[countUpTo(starts, location)] ?? end
      const stop = Math.min(next, end, frameLength)
      return stop > location && !sparse ? stop - location : nbytes + 32
    },
  }
}

/** Most frames have their chunks in order, and to see that takes a tenth of the time of sorting. */
const inOrder = (numbers: Float64Array): Float64Array =>
  numbers.every((number, k) => !k || numbers[k - 1]! <= number) ? numbers : numbers.sort()
