import { inTurn } from '../base/turns.js'
import {
  BLOCKS,
  BYTES,
  HEAD,
  NBYTES,
  NCHUNK,
  PIECE,
  TOUCHED,
  WANTED,
  type Indices,
  type Items,
  type Piece,
  type Plan,
} from '../engine/protocol.js'
import { locate } from './chunk-index.js'
import type { Frame } from './frame.js'
import { grouped } from './grouped.js'

/** A chunk that is no longer than this is read at once. */
const SMALL = 2 ** 16
/** So is one of which nearly all is wanted. */
const MOST = 0.95
/** Chunks are read in waves of about this many bytes, to hold no more than two of them, */
const WAVE = 2 ** 25
/** of no more than so many blocks, */
const MOST_BLOCKS = 2 ** 16
/** and of no more than so many chunks. */
export const CHUNKS = 2 ** 12
/** Chunks that lie side by side are decoded at once, up to so many plain bytes. */
const BATCH = 2 ** 20
/** A chunk takes the time of so many, at least. */
const LEAST = 2 ** 12

/** What to read of a frame: which chunks, for which result. */
export interface Reading extends Plan {
  readonly frame: Frame
  readonly items: Items
  readonly indices: Indices
  readonly signal?: AbortSignal | undefined
}

/** Chunks that are touched, in order, as many at a time as an answer of the engine has. */
export type Slices = AsyncIterable<Float64Array> | Iterable<Float64Array>

// The numbers of a chunk in a wave: those of the engine, then the place of the chunk in the plan, where it is stored, how many
// bytes it has as far as they are known, and how many of them to ask for first.
const K = TOUCHED
const LOCATION = TOUCHED + 1
const EXTENT = TOUCHED + 2
const FIRST = TOUCHED + 3
/** How many numbers these are. */
const WIDTH = TOUCHED + 4

/** Chunks that are read at the same time: so many rows of numbers. */
export type Wave = Float64Array

/** A chunk of a wave, where it is, and how much of it to ask for first. */
export interface Stored extends Piece {
  readonly nbytes: number
  readonly wanted: number
  readonly blocks: number
  readonly head: number
  readonly location: number
  readonly extent: number
  readonly first: number
}

/** What is asked for at once: a chunk or its head, or small chunks that lie side by side. */
export interface Batch {
  /** The rows of its chunks in the wave: from one up to another. */
  readonly from: number
  to: number
  /** Whether chunks are read as a whole. */
  readonly whole: boolean
  part: number
  start: number
  end: number
}

/** A row of a wave, by name. */
export const chunkAt = (wave: Wave, row: number): Stored => {
  const number = (column: number) => wave[row * WIDTH + column]!
  return {
    nchunk: number(NCHUNK),
    piece: number(PIECE),
    nbytes: number(NBYTES),
    wanted: number(WANTED),
    blocks: number(BLOCKS),
    head: number(HEAD),
    location: number(LOCATION),
    extent: number(EXTENT),
    first: number(FIRST),
  }
}

/** The place of a chunk in the plan. */
export const placeOf = (wave: Wave, row: number): number => wave[row * WIDTH + K]!

/** What the engine is told of chunks to decode. */
export function tasksOf(wave: Wave, from: number, to: number): Float64Array {
  const tasks = new Float64Array(3 * (to - from))
  for (let row = from, at = 0; row < to; row++) {
    tasks[at++] = wave[row * WIDTH + NCHUNK]!
    tasks[at++] = wave[row * WIDTH + PIECE]!
    tasks[at++] = wave[row * WIDTH + LOCATION]!
  }
  return tasks
}

/** Blocks that are wanted of the chunks that are stored. */
export const storedBlocks = (wave: Wave): number =>
  wave.reduce(
    (sum, location, k) => sum + (k % WIDTH === LOCATION && location >= 0 ? wave[k - LOCATION + WANTED]! : 0),
    0,
  )

/** All chunks that are touched; without those that are `stored` nowhere, if only the others matter. */
export async function* touchedBy(reading: Reading, stored = false): AsyncGenerator<Float64Array, void, undefined> {
  const { frame, items, indices, signal } = reading
  const index = stored && (await frame.chunkIndex(signal))
  for (let plan: Plan = reading; ;) {
    yield plan.touched
    let { next } = plan
    if (!(next >= 0)) return
    if (index) {
      // A long run of one value is passed over at once.
      for (let run = index.runOf(next); index.location(run) < 0; run++) next = index.first(run + 1)
    }
    signal?.throwIfAborted()
    plan = await inTurn(() => frame.plan(items, indices, next))
  }
}

/** The chunks in waves, each with its place. */
export async function* waves({ frame, signal }: Reading, slices: Slices): AsyncGenerator<Wave, void, undefined> {
  const index = await frame.chunkIndex(signal)
  const { sparse } = frame.facts
  let k = 0
  const located = async function* () {
    for await (const slice of slices) {
      const rows = new Float64Array((slice.length / TOUCHED) * WIDTH)
      for (let from = 0, to = 0; from < slice.length; from += TOUCHED, to += WIDTH) {
        for (let column = 0; column < TOUCHED; column++) rows[to + column] = slice[from + column]!
        const location = locate(index, rows[to + NCHUNK]!)
        const extent = index.extent(location, rows[to + NBYTES]!)
        const head = rows[to + HEAD]!
        const whole = rows[to + WANTED]! >= MOST * rows[to + BLOCKS]! || (extent <= SMALL && !sparse) || head >= extent
        rows[to + K] = k++
        rows[to + LOCATION] = location
        rows[to + EXTENT] = extent
        rows[to + FIRST] = whole ? extent : head
      }
      yield rows
    }
  }
  yield* grouped(located(), WIDTH, (rows, at) => {
    const [wanted, extent, first] = [rows[at + WANTED]!, rows[at + EXTENT]!, rows[at + FIRST]!]
    const bytes = first === extent ? first : first + (wanted / rows[at + BLOCKS]!) * extent
    return Math.max(bytes / WAVE, wanted / MOST_BLOCKS, 1 / CHUNKS)
  })
}

/** Puts chunks of a wave together. */
export function batched({ facts, range }: Frame, wave: Wave): Batch[] {
  const batches: Batch[] = []
  let last: Batch | undefined
  /** Plain bytes; infinite where nothing is to be put beside. */
  let nbytes = 0
  for (let row = 0, at = 0; at < wave.length; row++, at += WIDTH) {
    const [location, first] = [wave[at + LOCATION]!, wave[at + FIRST]!]
    const stored = location >= 0
    // Of what is stored nowhere no more is made than is wanted.
    const plain = stored ? wave[at + NBYTES]! : Math.max(wave[at + BYTES]!, LEAST)
    const whole = first === wave[at + EXTENT]
    const alone = !whole || (stored && (wave[at + PIECE]! >= 0 || facts.sparse))
    if (!last || alone || nbytes + plain > BATCH || (stored && last.end && last.end !== location)) {
      last = { from: row, to: row, whole, part: -1, start: 0, end: 0 }
      nbytes = alone ? Infinity : 0
      batches.push(last)
    }
    last.to = row + 1
    nbytes += plain
    if (!stored) continue
    if (last.end) last.end += first
    else ({ part: last.part, start: last.start, end: last.end } = range(location, 0, first))
  }
  return batches
}
