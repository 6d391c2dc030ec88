import { linked } from './abort.js'
import type { Traffic } from './cache.js'
import { decodePart, spansIn } from './engine.js'
import {
  DAMAGED, isNeed, type Box, type Indices, type Items, type Job, type Need, type Plan, type Span, type Touched,
} from './job.js'
import { B2ndError, damaged, foreign, shown } from './errors.js'
import type { Frame } from './frame.js'
import { grouped } from './lists.js'
import { truncated } from './messages.js'
import type { Range } from './ranges.js'

/** A chunk that is no longer than this is read at once. */
const SMALL = 2 ** 16
/** So is one of which nearly all is wanted. */
const MOST = 0.95
/** Chunks are read in waves of about this many bytes, to hold no more than two of them. */
const WAVE = 2 ** 25

/** What to read of a frame: which chunks, for which result. */
export interface Reading extends Plan {
  readonly frame: Frame
  readonly items: Items
  readonly indices: Indices
  readonly signal?: AbortSignal | undefined
}

/** Takes the box of the result that chunk `k` gives. Its bytes are overwritten afterwards, unless they fill their buffer. */
export type Use = (box: Box, k: number) => void

/** A chunk, where it is, and how much of it to ask for first. */
interface Stored {
  readonly nchunk: number
  readonly k: number
  readonly location: number
  readonly first: number
  /** Of the bytes to read, in the end. An estimate. */
  readonly bytes: number
  readonly whole: boolean
}

/** Which share of a chunk is wanted. */
export const shareOf = (chunk: Touched): number => (chunk.blocks ? Math.min(chunk.wanted / chunk.blocks, 1) : 1)

async function stored(reading: Reading): Promise<Stored[]> {
  const { frame } = reading
  const index = await frame.index(reading.signal)
  return reading.chunks.map((touched, k) => {
    const { nchunk, head } = touched
    const location = index[nchunk] ?? DAMAGED
    if (location === DAMAGED) throw damaged(nchunk)
    const extent = frame.extent(location, touched.nbytes)
    const share = shareOf(touched)
    const whole = share >= MOST || (extent <= SMALL && !frame.facts.sparse) || head >= extent
    return { nchunk, k, location, whole, first: whole ? extent : head, bytes: whole ? extent : head + share * extent }
  })
}

/** Reads and decodes what is wanted of the chunks, and hands out each as soon as it is there; without `use` only reads. */
export async function readChunks(reading: Reading, use?: Use): Promise<void> {
  const { abort, leave } = linked(reading.signal)
  try {
    const waves = grouped(await stored(reading), WAVE, chunk => chunk.bytes)
    const inner = { ...reading, signal: abort.signal }
    const next = async (): Promise<void> => {
      for (let wave = waves.shift(); wave; wave = waves.shift()) await readWave(inner, wave, use)
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
  const first = frame.cache.read(wave.map(chunk => frame.range(chunk.location, 0, chunk.first)), signal)
  const finish = async (chunk: Stored, head: Uint8Array, spans: Span[], reads: Promise<Uint8Array>[]) => {
    const segments = await Promise.all(reads)
    // The engine takes the first segment that has a block's start: the head may have no more than that.
    if (use) await decodeChunk(reading, chunk, [...spans.map(span => span[0]), 0], [...segments, head], use)
  }
  const whole = wave.map(async (chunk, k) => {
    if (chunk.whole) await finish(chunk, await first[k]!, [], [])
  })
  // The blocks of all chunks whose heads came first are asked for together.
  const heads = Promise.all(wave.flatMap((chunk, k) => (chunk.whole ? [] : [spansOf(reading, chunk, first[k]!)])))
  const rest = heads.then(heads => {
    const reads = frame.cache.read(heads.flatMap(head => head.ranges), signal)
    return Promise.all(heads.map(({ chunk, head, spans }) => finish(chunk, head, spans, reads.splice(0, spans.length))))
  })
  await Promise.all([...whole, rest])
}

/** What is wanted of a chunk, by its head. */
async function spansOf({ frame, items, indices, signal }: Reading, chunk: Stored, first: Promise<Uint8Array>) {
  const { nchunk, location } = chunk
  let head = await first
  for (let asked = chunk.first; ; ) {
    const needed = spansIn(frame, items, indices, nchunk, head)
    if (!isNeed(needed)) {
      // What the head has need not be read again.
      const spans = needed.filter(span => span[1] > head.length)
      return { chunk, head, spans, ranges: spans.map(span => frame.range(location, ...span)) }
    }
    if (needed.end <= asked || head.length < asked) throw truncated(needed.end, head.length, nchunk)
    asked = needed.end
    head = await frame.read(frame.range(location, 0, asked), signal)
  }
}

async function decodeChunk(
  { frame, items, indices, signal }: Reading, chunk: Stored, starts: number[], segments: Uint8Array[], use: Use,
): Promise<void> {
  const { nchunk, location } = chunk
  for (let asked: Need | undefined; ; ) {
    signal?.throwIfAborted()
    const job: Job = { recipe: frame.recipe, items, indices, nchunk, location, starts, segments }
    const take = (box: Box) => void use(box, chunk.k)
    const need = frame.decoder
      ? await elsewhere(() => frame.decoder!.decode(job, { module: frame.engine.module, signal }), signal)
      : await here(() => decodePart(frame.engine, job, take))
    if (!isNeed(need)) return need && take(need)
    if (location < 0 || (asked?.start === need.start && asked.end === need.end)) {
      throw truncated(need.end, need.start, nchunk)
    }
    asked = need
    starts = [need.start, ...starts]
    segments = [await frame.read(frame.range(location, need.start, need.end), signal), ...segments]
  }
}

/** Decodes in a decoder of somebody else's, or of another copy of this library: its errors become those of this copy. */
async function elsewhere(decode: () => Promise<Box | Need>, signal: AbortSignal | undefined): Promise<Box | Need> {
  try {
    const answer = await decode()
    if (answer?.start === undefined) throw new Error(`it gave ${shown(answer)}`)
    return answer
  } catch (cause) {
    signal?.throwIfAborted()
    const error = foreign('unsupported', 'the decoder failed', cause)
    throw new B2ndError(error.code, error.message, error)
  }
}

/** Milliseconds of decoding, after which a page gets to paint. */
const PATIENCE = 30
let spent = 0

/** Decodes in this thread, and lets others have it from time to time. */
async function here<T>(decode: () => T): Promise<T> {
  const start = performance.now()
  const answer = decode()
  spent += performance.now() - start
  if (spent > PATIENCE) {
    spent = 0
    const scope = globalThis as { scheduler?: { yield?(): Promise<void> } }
    await (scope.scheduler?.yield?.() ?? new Promise(resolve => setTimeout(resolve)))
  }
  return answer
}

/** What reading would cost now; exact as far as the heads of the chunks are held. */
export async function estimate(reading: Reading): Promise<Traffic & { exact: boolean }> {
  const { frame } = reading
  let exact = !frame.facts.sparse
  const all: Range[] = []
  for (const chunk of await stored(reading)) {
    const head = frame.range(chunk.location, 0, chunk.first)
    all.push(head)
    if (chunk.whole) continue
    if (frame.cache.cost([head]).requests === 0) {
      all.push(...(await spansOf(reading, chunk, frame.read(head))).ranges)
    } else {
      exact = false
      // The most likely: one request more, somewhere after the head.
      all.push(frame.range(chunk.location, chunk.first + 4096, Math.ceil(chunk.bytes) + 4096))
    }
  }
  return { ...frame.cache.cost(all), exact }
}
