import { linked } from '../base/abort.js'
import { B2ndError, foreign, shown } from '../base/errors.js'
import { inTurn } from '../base/turns.js'
import { boxesIn, decodePart, spansIn } from '../engine/engine.js'
import { truncated } from '../engine/messages.js'
import {
  isNeed,
  type Box,
  type Indices,
  type Items,
  type Job,
  type Need,
  type Plan,
  type Span,
  type Touched,
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
const BLOCKS = 2 ** 16
/** and of no more than so many chunks. */
export const CHUNKS = 2 ** 12
/** Chunks that lie side by side are decoded at once, up to so many plain bytes. */
const BATCH = 2 ** 20

/** What to read of a frame: which chunks, for which result. */
export interface Reading extends Plan {
  readonly frame: Frame
  readonly items: Items
  readonly indices: Indices
  readonly signal?: AbortSignal | undefined
}

/** Chunks that are touched, in order, as many at a time as an answer of the engine has. */
export type Slices = AsyncIterable<readonly Touched[]>

/** Takes the box of the result that chunk `k` gives. Its bytes are overwritten afterwards, unless they fill their buffer. */
export type Use = (box: Box, k: number) => void

/** A chunk, where it is, and how much of it to ask for first. */
export interface Stored extends Touched {
  readonly k: number
  readonly location: number
  /** Of its bytes, as far as they are known. */
  readonly extent: number
  readonly first: number
  readonly whole: boolean
}

/** What is asked for at once: a chunk or its head, or small chunks that lie side by side. */
export interface Batch {
  readonly chunks: Stored[]
  readonly range: { part: number; start: number; end: number }
  /** Plain bytes; infinite where nothing is to be put beside. */
  nbytes: number
}

/** All chunks that are touched; without those that are `stored` nowhere, if only the others matter. */
export async function* touchedBy(
  reading: Reading,
  stored = false,
): AsyncGenerator<readonly Touched[], void, undefined> {
  const { frame, items, indices, signal } = reading
  const places = stored && (await frame.chunkIndex(signal))
  for (let plan: Plan = reading; ;) {
    yield plan.touched
    let { next } = plan
    if (!(next >= 0)) return
    if (places) {
      // A long run of one value is passed over at once.
      for (let run = places.runOf(next); places.location(run) < 0; run++) next = places.first(run + 1)
    }
    signal?.throwIfAborted()
    plan = await inTurn(() => frame.plan(items, indices, next))
  }
}

/** The chunks in waves, each with its place. */
export async function* waves(reading: Reading, slices: Slices): AsyncGenerator<Stored[], void, undefined> {
  const { frame, signal } = reading
  const places = await frame.chunkIndex(signal)
  let k = 0
  const located = async function* () {
    for await (const slice of slices) yield slice.map(touched => stored(touched, k++))
  }
  const stored = (touched: Touched, k: number): Stored => {
    const { nchunk, nbytes, wanted, blocks, head } = touched
    const location = locate(places, nchunk)
    const extent = places.extent(location, nbytes)
    const whole = wanted >= MOST * blocks || (extent <= SMALL && !frame.facts.sparse) || head >= extent
    // In place: a copy takes ten times as long.
    return Object.assign(touched, { k, location, extent, whole, first: whole ? extent : head })
  }
  const weight = ({ whole, first, extent, wanted, blocks }: Stored) =>
    Math.max((whole ? first : first + (wanted / blocks) * extent) / WAVE, wanted / BLOCKS, 1 / CHUNKS)
  yield* grouped(located(), weight)
}

/** Puts chunks of a wave together. */
export function batched({ facts, range }: Frame, wave: readonly Stored[]): Batch[] {
  const batches: Batch[] = []
  let last: Batch | undefined
  for (const chunk of wave) {
    const { location, first, nbytes } = chunk
    const stored = location >= 0
    const alone = !chunk.whole || (stored && (chunk.piece >= 0 || facts.sparse))
    const end = last?.range.end
    if (!last || alone || last.nbytes + nbytes > BATCH || (stored && end && end !== location)) {
      last = { chunks: [], range: { part: -1, start: 0, end: 0 }, nbytes: alone ? Infinity : 0 }
      batches.push(last)
    }
    last.chunks.push(chunk)
    last.nbytes += nbytes
    if (!stored) continue
    if (last.range.end) last.range.end += first
    else Object.assign(last.range, range(location, 0, first))
  }
  return batches
}

/** Reads and decodes what is wanted of the chunks, and hands out each as soon as it is there; without `use` only reads. */
export async function readChunks(
  reading: Reading,
  use?: Use,
  slices: Slices = touchedBy(reading, !use),
): Promise<void> {
  const { abort, leave } = linked(reading.signal)
  try {
    const inner = { ...reading, signal: abort.signal }
    const all = waves(inner, slices)
    const next = async (): Promise<void> => {
      for (let wave; (wave = (await all.next()).value);) await readWave(inner, wave, use)
    }
    await Promise.all([next(), next()])
  } catch (error) {
    // Stops whatever else is under way.
    abort.abort(error)
    throw error
  } finally {
    leave()
  }
}

async function readWave(reading: Reading, wave: readonly Stored[], use: Use | undefined): Promise<void> {
  const { frame, signal } = reading
  const batches = batched(frame, wave)
  const first = frame.cache.read(
    batches.map(batch => batch.range),
    signal,
  )
  // The bytes of spans that the first ones do not have.
  const finish = async (chunk: Stored, spans: readonly Span[], first: Uint8Array, reads: Promise<Uint8Array>[]) => {
    const rest = await Promise.all(reads)
    if (!use) return
    const base = frame.range(chunk.location, 0, 0).start
    const segments = spans.map(span => (span[1] <= first.length ? first.subarray(...span) : rest.shift()!))
    await decode(
      reading,
      [chunk],
      spans.map(span => base + span[0]),
      segments,
      use,
    )
  }
  const whole = batches.map(async ({ chunks, range }, k) => {
    const [chunk] = chunks as [Stored]
    if (!chunk.whole) return
    const bytes = await first[k]!
    if (!use) return
    if (chunk.piece < 0 || chunk.location < 0) return decode(reading, chunks, [range.start], [bytes], use)
    const { spans, head } = await spansOf(reading, chunk, bytes)
    await finish(
      chunk,
      spans.map(([start, end]) => [start, Math.min(end, head.length)]),
      head,
      [],
    )
  })
  // The blocks of all chunks whose heads came first are asked for together.
  const heads = Promise.all(
    batches.flatMap(({ chunks: [chunk] }, k) =>
      chunk!.whole ? [] : [first[k]!.then(head => spansOf(reading, chunk!, head))],
    ),
  )
  const rest = heads.then(heads => {
    const reads = frame.cache.read(
      heads.flatMap(head => head.ranges),
      signal,
    )
    return Promise.all(
      heads.map(({ chunk, spans, head, ranges }) => finish(chunk, spans, head, reads.splice(0, ranges.length))),
    )
  })
  await Promise.all([...whole, rest])
}

/** What is wanted of a chunk, by its head. The ranges are what the head has not. */
export async function spansOf({ frame, items, indices, signal }: Reading, chunk: Stored, head: Uint8Array) {
  for (let asked = chunk.head; ;) {
    signal?.throwIfAborted()
    const spans = await inTurn(() => spansIn(frame, items, indices, chunk, head.subarray(0, asked)))
    if (!isNeed(spans)) {
      const rest = spans.filter(span => span[1] > head.length)
      return { chunk, head, spans, ranges: rest.map(span => frame.range(chunk.location, ...span)) }
    }
    if (spans.end <= asked) throw truncated(spans.end, head.length, chunk.nchunk)
    asked = spans.end
    if (head.length < asked) head = await frame.read(frame.range(chunk.location, 0, asked), signal)
  }
}

async function decode(
  reading: Reading,
  chunks: readonly Stored[],
  starts: number[],
  segments: Uint8Array[],
  use: Use,
): Promise<void> {
  const { frame, items, indices, signal } = reading
  const tasks = new Float64Array(chunks.flatMap(({ nchunk, piece, location }) => [nchunk, piece, location]))
  const take = (boxes: Box[]) => boxes.forEach((box, k) => use(box, chunks[k]!.k))
  for (let asked: Need | undefined; ;) {
    signal?.throwIfAborted()
    const job: Job = { recipe: frame.recipe, items, indices, tasks, starts: new Float64Array(starts), segments }
    const need = frame.decoder
      ? await elsewhere(() => frame.decoder!.decode(job, { module: frame.engine.module, signal }), signal)
      : await inTurn(() => decodePart(frame.engine, job, answer => take(boxesIn(answer))))
    if (!isNeed(need)) {
      if (need) take(need)
      return
    }
    if (chunks.length > 1) {
      // One of them is longer than it seemed.
      for (const chunk of chunks) await decode(reading, [chunk], starts, segments, use)
      return
    }
    const { location, nchunk } = chunks[0]!
    if (location < 0 || (asked?.start === need.start && asked.end === need.end)) {
      throw truncated(need.end, need.start, nchunk)
    }
    asked = need
    const range = frame.range(location, need.start, need.end)
    starts = [range.start, ...starts]
    segments = [await frame.read(range, signal), ...segments]
  }
}

/** Decodes in a decoder of somebody else's, or of another copy of this library: its errors become those of this copy. */
async function elsewhere(decode: () => Promise<Box[] | Need>, signal: AbortSignal | undefined): Promise<Box[] | Need> {
  try {
    const answer = await decode()
    if (!Array.isArray(answer) && !isNeed(answer)) throw new Error(`it gave ${shown(answer)}`)
    return answer
  } catch (cause) {
    signal?.throwIfAborted()
    const error = foreign('unsupported', 'the decoder failed', cause)
    throw new B2ndError(error.code, error.message, error)
  }
}
