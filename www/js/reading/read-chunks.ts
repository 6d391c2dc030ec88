import { linked } from '../base/abort.js'
import { B2ndError, wrapError, formatValue } from '../base/errors.js'
import { yieldThen } from '../base/yielding.js'
import { decodePart, eachBox, spansIn } from '../engine/engine.js'
import { drive } from '../engine/exchange.js'
import type { Answer, Box, Job, Need, Span } from '../engine/protocol.js'
import type { Decoder, DecoderOptions } from './frame.js'
import { waves, type Batch, type Reading } from './waves.js'

/** Reads the chunks of a reading. Decodes each as soon as it is read. */
export const readChunks = (reading: Reading): Promise<void> =>
  readWaves(signal => waves([{ ...reading, signal }]), reading.signal)

/** Reads waves, two at a time. The readings get a signal that aborts when one of them fails. */
export async function readWaves(
  wavesOf: (signal: AbortSignal) => AsyncGenerator<Batch[], void, undefined>,
  outer: AbortSignal | undefined,
): Promise<void> {
  const { abort, leave } = linked(outer)
  try {
    const waves = wavesOf(abort.signal)
    const next = async (): Promise<void> => {
      for (let wave; (wave = (await waves.next()).value);) await readWave(wave)
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

/** Reads and decodes batches of one frame. Their requests are merged. */
export async function readWave(batches: readonly Batch[]): Promise<void> {
  const { frame, signal } = batches[0]!.reading
  const first = frame.cache.read(batches, signal)
  // Decodes a chunk from its head and the remaining spans.
  const finish = async (
    batch: Batch,
    spans: readonly Span[],
    first: Uint8Array,
    reads: Promise<Uint8Array>[],
  ): Promise<void> => {
    const rest = await Promise.all(reads)
    const base = frame.range(batch.tasks[2]!, 0, 0).start
    const segments = spans.map(span => (span[1] <= first.length ? first.subarray(...span) : rest.shift()!))
    await decode(
      batch,
      spans.map(span => base + span[0]),
      segments,
    )
  }
  const whole = batches.map(async (batch, k) => {
    if (!batch.whole) return
    const bytes = await first[k]!
    const [, piece, location] = batch.tasks
    if (piece! < 0 || location! < 0 || !batch.reading.use) return decode(batch, [batch.start], [bytes])
    const { spans, head } = await spansOf(batch, bytes)
    const within = spans.map(([start, end]): Span => [start, Math.min(end, head.length)])
    await finish(batch, within, head, [])
  })
  // The blocks of all chunks with heads are read in one call, so that they merge.
  const heads = Promise.all(
    batches.flatMap((batch, k) => (batch.whole ? [] : [first[k]!.then(head => spansOf(batch, head))])),
  )
  const rest = heads.then(heads => {
    const reads = frame.cache.read(
      heads.flatMap(head => head.ranges),
      signal,
    )
    return Promise.all(
      heads.map(({ batch, spans, head, ranges }) => finish(batch, spans, head, reads.splice(0, ranges.length))),
    )
  })
  await Promise.all([...whole, rest])
}

/** The spans of the first chunk of a batch that its head shows to be needed. `ranges` are those that the head does not contain. */
export async function spansOf(batch: Batch, head: Uint8Array) {
  const { frame, items, indices, signal } = batch.reading
  const [nchunk, piece, location] = batch.tasks as unknown as [number, number, number]
  const first = head.subarray(0, batch.head)
  const spans = await drive(
    answers =>
      yieldThen(() => spansIn(frame, items, indices, { nchunk, piece, location }, [first, ...answers]), signal),
    async needs => {
      // There may be more of the chunk than its head was expected to have.
      const length = needs[0]!.end - needs[0]!.start
      if (head.length < length) [head] = (await frame.read(needs, signal)) as [Uint8Array]
      return [head.subarray(0, length)]
    },
  )
  const rest = spans.filter(span => span[1] > head.length)
  return { batch, head, spans, ranges: rest.map(span => frame.range(location, ...span)) }
}

/** Decodes the chunks of a batch, if something receives them. */
async function decode(batch: Batch, starts: number[], segments: Uint8Array[]): Promise<void> {
  const { frame, items, indices, signal, into, use } = batch.reading
  if (!use) return
  const { recipe, engine } = frame
  const { tasks, k: first } = batch
  // Chunks that are not stored are filled here, since a message to a worker takes longer.
  const decoder = frame.decoder && tasks.some((number, k) => k % 3 === 2 && number >= 0) ? frame.decoder : undefined
  const take = (box: Box, k: number) => use(box, first + k)
  await drive(
    answers => {
      const job: Job = {
        recipe,
        items,
        indices,
        tasks,
        starts: new Float64Array(starts),
        segments: [...segments, ...answers],
        into,
      }
      return decoder
        ? decodeBy(decoder, job, { module: engine.module, signal }, take)
        : yieldThen(() => decodePart(engine, job, output => eachBox(output, take)), signal)
    },
    needs => frame.read(needs, signal),
  )
  batch.reading.progress?.(batch.bytes)
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
      return { need: [answer] }
    }
  } catch (cause) {
    options.signal?.throwIfAborted()
    const error = wrapError('unsupported', 'the decoder failed', cause)
    throw new B2ndError(error.code, error.message, error)
  }
  answer.forEach(take)
  decoder.reuse?.(answer)
  return { done: undefined }
}
