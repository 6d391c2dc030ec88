import { yieldThen } from '../base/yielding.js'
import {
  BLOCKS,
  BYTES,
  HEAD,
  NBYTES,
  NCHUNK,
  PIECE,
  TOUCHED,
  WANTED,
  type Box,
  type Indices,
  type Items,
  type Piece,
  type Plan,
} from '../engine/protocol.js'
import { locate } from './chunk-index.js'
import type { Frame } from './frame.js'
import { grouped } from './grouped.js'

/** Chunks of at most this many bytes are read whole. */
const SMALL = 2 ** 16
/** Chunks of which at least this fraction is needed are read whole. */
const MOST = 0.95
/** A wave has about this many bytes. At most two waves are in memory. */
const WAVE = 2 ** 25
/** The maximum number of blocks of a wave. */
const MOST_BLOCKS = 2 ** 16
/** The maximum number of chunks of a wave. */
export const CHUNKS = 2 ** 12
/** Adjacent chunks are decoded in one call, up to this many uncompressed bytes. */
const BATCH = 2 ** 20
/** The overhead of a chunk, as the number of bytes that take the same time. */
const LEAST = 2 ** 12

/** The part of a frame to read. */
export interface Reading extends Plan {
  readonly frame: Frame
  readonly items: Items
  readonly indices: Indices
  /** Whether one box may contain the items of several chunks. */
  readonly join?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Receives the boxes. Without it chunks are read, but not decoded. */
  readonly use?: Use | undefined
}

/** Rows of touched chunks in order, in lists as the engine returns them. */
export type Slices = AsyncIterable<Float64Array> | Iterable<Float64Array>

// The columns of a wave: those of the engine, then the index of the chunk in the plan, its location, its bytes as far as known,
// and the bytes to read first.
const K = TOUCHED
const LOCATION = TOUCHED + 1
const EXTENT = TOUCHED + 2
const FIRST = TOUCHED + 3
/** The number of columns. */
const WIDTH = TOUCHED + 4

/** Chunks of a wave, as rows of numbers. */
export type Rows = Float64Array

/**
 * Receives the box of the result from chunk `k` of the plan. If chunks are joined, `k` has no meaning. Later boxes overwrite
 * its bytes, unless they fill their buffer.
 */
export type Use = (box: Box, k: number) => void

/** Chunks of a reading that are read together. */
export interface Wave {
  readonly reading: Reading
  readonly rows: Rows
}

/** A row of a wave. */
export interface Stored extends Piece {
  readonly nbytes: number
  readonly wanted: number
  readonly blocks: number
  readonly head: number
  /** Index in the plan. The chunks of a wave are consecutive. */
  readonly k: number
  readonly location: number
  readonly extent: number
  readonly first: number
}

/** One read: a chunk, the head of a chunk, or adjacent small chunks. */
export interface Batch extends Wave {
  /** The first row of its chunks; `to` is the row after the last. */
  readonly from: number
  to: number
  /** Whether the chunks are read whole. */
  readonly whole: boolean
  part: number
  start: number
  end: number
}

/** The first chunk of a batch. */
export const chunkAt = ({ rows, from }: Batch): Stored => {
  const number = (column: number) => rows[from * WIDTH + column]!
  return {
    nchunk: number(NCHUNK),
    piece: number(PIECE),
    nbytes: number(NBYTES),
    wanted: number(WANTED),
    blocks: number(BLOCKS),
    head: number(HEAD),
    k: number(K),
    location: number(LOCATION),
    extent: number(EXTENT),
    first: number(FIRST),
  }
}

/** The tasks of a job. */
export function tasksOf({ reading: { frame, items, join }, rows, from, to }: Batch): Float64Array {
  const tasks = new Float64Array(3 * (to - from))
  const { shape, chunks } = frame.facts.array ?? {}
  /** Chunks along the last axis. A super-chunk has one axis. */
  const length = items ? Infinity : Math.ceil(shape!.at(-1)! / chunks!.at(-1)!)
  /** The chunk that can join the box of the one before it. */
  let next = -1
  for (let row = from, at = 0; row < to; row++) {
    const nchunk = rows[row * WIDTH + NCHUNK]!
    const piece = rows[row * WIDTH + PIECE]!
    const location = rows[row * WIDTH + LOCATION]!
    const whole = join && piece < 0 && location >= 0
    tasks[at++] = nchunk
    tasks[at++] = whole && nchunk === next && nchunk % length > 0 ? -2 : piece
    tasks[at++] = location
    next = whole ? nchunk + 1 : -1
  }
  return tasks
}

/** The number of wanted blocks in stored chunks. */
export function storedBlocks({ rows }: Wave): number {
  let blocks = 0
  for (let at = 0; at < rows.length; at += WIDTH) if (rows[at + LOCATION]! >= 0) blocks += rows[at + WANTED]!
  return blocks
}

/** All touched chunks. With `stored`, runs of chunks that are not stored are skipped. */
export async function* touchedBy(reading: Reading, stored = false): AsyncGenerator<Float64Array, void, undefined> {
  const { frame, items, indices, signal } = reading
  const index = stored && (await frame.chunkIndex(signal))
  for (let plan: Plan = reading; ;) {
    yield plan.touched
    let { next } = plan
    if (!(next >= 0)) return
    if (index) {
      // Skips a long run in one step.
      for (let run = index.runOf(next); index.location(run) < 0; run++) next = index.first(run + 1)
    }
    signal?.throwIfAborted()
    plan = await yieldThen(() => frame.plan(items, indices, next))
  }
}

/** Locates the chunks and groups them in waves: lists of one, which can be joined with those of other readings. */
export async function* waves(
  reading: Reading,
  slices: Slices = touchedBy(reading, !reading.use),
): AsyncGenerator<Wave[], void, undefined> {
  const { frame, signal } = reading
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
  for await (const rows of grouped(located(), WIDTH, weightAt)) yield [{ reading, rows }]
}

/** The share of a chunk in a wave. */
const weightAt = (rows: Rows, at: number): number => {
  const wanted = rows[at + WANTED]!
  const extent = rows[at + EXTENT]!
  const first = rows[at + FIRST]!
  const bytes = first === extent ? first : first + (wanted / rows[at + BLOCKS]!) * extent
  return Math.max(bytes / WAVE, wanted / MOST_BLOCKS, 1 / CHUNKS)
}

/** How full a wave is: 1 if it has no space for more. */
export function weightOf({ rows }: Wave): number {
  let sum = 0
  for (let at = 0; at < rows.length; at += WIDTH) sum += weightAt(rows, at)
  return sum
}

/** Groups the chunks of a wave into reads. */
export function batched({ reading, rows }: Wave): Batch[] {
  const { facts, range } = reading.frame
  const batches: Batch[] = []
  let last: Batch | undefined
  /** Uncompressed bytes of the last batch; infinite if it takes no more chunks. */
  let nbytes = 0
  for (let row = 0, at = 0; at < rows.length; row++, at += WIDTH) {
    const location = rows[at + LOCATION]!
    const first = rows[at + FIRST]!
    const stored = location >= 0
    // For a chunk that is not stored, only the selected part is filled.
    const plain = stored ? rows[at + NBYTES]! : Math.max(rows[at + BYTES]!, LEAST)
    const whole = first === rows[at + EXTENT]
    const alone = !whole || (stored && (rows[at + PIECE]! >= 0 || facts.sparse))
    if (!last || alone || nbytes + plain > BATCH || (stored && last.end && last.end !== location)) {
      last = { reading, rows, from: row, to: row, whole, part: -1, start: 0, end: 0 }
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
