import { linked } from '../base/abort.js'
import { B2ndError, wrapError, formatValue } from '../base/errors.js'
import { yieldThen } from '../base/yielding.js'
import { decodePart, eachBox, spansIn } from '../engine/engine.js'
import { truncated } from '../engine/messages.js'
import type { Answer, Box, Job, Need, Span } from '../engine/protocol.js'
import type { Decoder, DecoderOptions } from './frame.js'
import {
  batched,
  chunkAt,
  tasksOf,
  touchedBy,
  waves,
  type Reading,
  type Slices,
  type Stored,
  type Wave,
} from './waves.js'

/**
 * Receives the box of the result from chunk `k` of the plan. If chunks are joined, `k` has no meaning. Later boxes overwrite
 * its bytes, unless they fill their buffer.
 */
export type Use = (box: Box, k: number) => void

/** Reads and decodes the wanted part of chunks, and calls `use` for each as soon as it is decoded. Without `use` it only
 * reads. */
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
    // Aborts the other reads.
    abort.abort(error)
    throw error
  } finally {
    leave()
  }
}

async function readWave(reading: Reading, wave: Wave, use: Use | undefined): Promise<void> {
  const { frame, signal } = reading
  const batches = batched(frame, wave)
  const first = frame.cache.read(batches, signal)
  // Decodes a chunk from its head and the remaining spans.
  const finish = async (row: number, spans: readonly Span[], first: Uint8Array, reads: Promise<Uint8Array>[]) => {
    const rest = await Promise.all(reads)
    if (!use) return
    const base = frame.range(chunkAt(wave, row).location, 0, 0).start
    const segments = spans.map(span => (span[1] <= first.length ? first.subarray(...span) : rest.shift()!))
    const starts = spans.map(span => base + span[0])
    await decode(reading, wave, [row, row + 1], starts, segments, use)
  }
  const whole = batches.map(async ({ from, to, whole, start }, k) => {
    if (!whole) return
    const bytes = await first[k]!
    if (!use) return
    const chunk = chunkAt(wave, from)
    if (chunk.piece < 0 || chunk.location < 0) return decode(reading, wave, [from, to], [start], [bytes], use)
    const { spans, head } = await spansOf(reading, chunk, bytes)
    const within = spans.map(([start, end]): Span => [start, Math.min(end, head.length)])
    await finish(from, within, head, [])
  })
  // The blocks of all chunks with heads are read in one call, so that they merge.
  const heads = Promise.all(
    batches.flatMap(({ from, whole }, k) =>
      whole
        ? []
        : [first[k]!.then(async head => ({ row: from, ...(await spansOf(reading, chunkAt(wave, from), head)) }))],
    ),
  )
  const rest = heads.then(heads => {
    const ranges = heads.flatMap(head => head.ranges)
    const reads = frame.cache.read(ranges, signal)
    return Promise.all(
      heads.map(({ row, spans, head, ranges }) => finish(row, spans, head, reads.splice(0, ranges.length))),
    )
  })
  await Promise.all([...whole, rest])
}

/** The spans of a chunk that its head shows to be needed. `ranges` are those that the head does not contain. */
export async function spansOf({ frame, items, indices, signal }: Reading, chunk: Stored, head: Uint8Array) {
  for (let asked = chunk.head; ;) {
    const answer = await yieldThen(() => spansIn(frame, items, indices, chunk, head.subarray(0, asked)), signal)
    if (!answer.need) {
      const spans = answer.done
      const rest = spans.filter(span => span[1] > head.length)
      return { head, spans, ranges: rest.map(span => frame.range(chunk.location, ...span)) }
    }
    const { end } = answer.need
    if (end <= asked) throw truncated(end, head.length, chunk.nchunk)
    asked = end
    if (head.length < asked) head = await frame.read(frame.range(chunk.location, 0, asked), signal)
  }
}

/** Decodes a range of rows of a wave. */
async function decode(
  reading: Reading,
  wave: Wave,
  [from, to]: readonly [number, number],
  starts: number[],
  segments: Uint8Array[],
  use: Use,
): Promise<void> {
  const { frame, items, indices, signal } = reading
  const tasks = tasksOf(reading, wave, from, to)
  // Chunks that are not stored are filled here, since a message to a worker takes longer.
  const decoder = frame.decoder && tasks.some((number, k) => k % 3 === 2 && number >= 0) ? frame.decoder : undefined
  const { k: first, location, nchunk } = chunkAt(wave, from)
  const take = (box: Box, k: number) => use(box, first + k)
  for (let asked: Need | undefined; ;) {
    const job: Job = { recipe: frame.recipe, items, indices, tasks, starts: new Float64Array(starts), segments }
    const { need } = decoder
      ? await decodeBy(decoder, job, { module: frame.engine.module, signal }, take)
      : await yieldThen(() => decodePart(frame.engine, job, output => eachBox(output, take)), signal)
    if (!need) return
    if (to - from > 1) {
      // One of the chunks is longer than the index suggests.
      for (let row = from; row < to; row++) await decode(reading, wave, [row, row + 1], starts, segments, use)
      return
    }
    if (location < 0 || (asked?.start === need.start && asked.end === need.end)) {
      throw truncated(need.end, need.start, nchunk)
    }
    asked = need
    const range = frame.range(location, need.start, need.end)
    starts = [range.start, ...starts]
    segments = [await frame.read(range, signal), ...segments]
  }
}

/** Decodes with a custom decoder. Converts its errors, which may come from another copy of this library, to errors of this
 * copy. */
async function decodeBy(
  decoder: Decoder,
  job: Job,
  options: DecoderOptions,
  take: (box: Box, k: number) => void,
): Promise<Answer<void>> {
  let answer
  try {
    answer = await decoder.decode(job, options)
    if (!Array.isArray(answer)) {
      if ((answer as Need | undefined)?.end === undefined) throw new Error(`it gave ${formatValue(answer)}`)
      return { need: answer }
    }
  } catch (cause) {
    options.signal?.throwIfAborted()
    const error = wrapError('unsupported', 'the decoder failed', cause)
    throw new B2ndError(error.code, error.message, error)
  }
  answer.forEach(take)
  return { done: undefined }
}
