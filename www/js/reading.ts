import { onAbort } from './abort.js'
import type { Traffic } from './cache.js'
import { DAMAGED, isNeed, type Box, type Indices, type Job, type Need, type Touched } from './job.js'
import { B2ndError, damaged, isB2ndError, truncated } from './errors.js'
import type { Frame } from './frame.js'
import { grouped } from './lists.js'
import type { Range } from './ranges.js'

/** A chunk that is no longer than this is read at once. */
const SMALL = 2 ** 16
/** So is one of which nearly all is wanted. */
const MOST = 0.95
/** Chunks are read in waves of about this many bytes, to hold no more than two of them. */
const WAVE = 2 ** 25

/** What to read of a frame. */
export interface Reading {
  readonly frame: Frame
  readonly items: number
  readonly indices: Indices
  readonly signal?: AbortSignal | undefined
}

/**
 * Takes a box of the result. Unless it is `owned`, its bytes are overwritten after the call.
 */
export type Use = (box: Box, touched: Touched, owned: boolean) => void

/** A chunk, where it is, and how much of it to ask for first. */
interface Stored {
  readonly touched: Touched
  readonly location: number
  readonly first: number
  /** Of the bytes to read, in the end. An estimate. */
  readonly bytes: number
  readonly whole: boolean
}

function stored({ frame }: Reading, index: Float64Array, touched: Touched): Stored {
  const location = index[touched.nchunk] ?? DAMAGED
  if (location === DAMAGED) throw damaged(touched.nchunk)
  if (location < 0) return { touched, location, first: 0, bytes: 0, whole: true }
  const extent = frame.extent(location, touched.nbytes)
  const share = touched.blocks ? Math.min(touched.wanted / touched.blocks, 1) : 1
  const head = Math.min(touched.head, extent)
  const whole = share >= MOST || (extent <= SMALL && !frame.facts.sparse) || head === extent
  return { touched, location, whole, first: whole ? extent : head, bytes: whole ? extent : head + share * extent }
}

/** Reads and decodes what is wanted of some chunks, and hands out each as soon as it is there. */
export async function readChunks(
  reading: Reading, chunks: readonly Touched[], use: Use, decode = true,
): Promise<void> {
  const { frame, signal } = reading
  const index = await frame.index(signal)
  // Stops whatever is under way when a part of it has failed.
  const abort = new AbortController()
  const leave = onAbort(signal, () => abort.abort(signal!.reason))
  const inner = { ...reading, signal: abort.signal }
  try {
    signal?.throwIfAborted()
    const waves = grouped(chunks.map(touched => stored(reading, index, touched)), WAVE, ({ bytes }) => bytes)
    const next = async (): Promise<void> => {
      for (let wave = waves.shift(); wave; wave = waves.shift()) await readWave(inner, wave, use, decode)
    }
    await Promise.all([next(), next()])
  } catch (error) {
    if (!abort.signal.aborted) abort.abort(error)
    throw error
  } finally {
    leave()
  }
}

async function readWave(
  reading: Reading, wave: readonly Stored[], use: Use, decode: boolean,
): Promise<void> {
  const { frame, signal } = reading
  const range = ({ location }: Stored, start: number, end: number): Range => frame.range(location, start, end)
  const first = frame.cache.read(wave.map(chunk => range(chunk, 0, chunk.first)), signal)
  const finish = async (chunk: Stored, starts: number[], segments: Uint8Array[]) => {
    if (decode) await decodeChunk(reading, chunk, starts, segments, use)
  }
  const whole = wave.map(async (chunk, k) => {
    if (chunk.whole) await finish(chunk, [0], chunk.first ? [await first[k]!] : [])
  })
  // The blocks of all chunks whose heads came first are asked for together.
  const heads = Promise.all(wave.flatMap((chunk, k) => chunk.whole ? [] : [spansOf(reading, chunk, first[k]!)]))
  const rest = heads.then(heads => {
    const ranges = heads.flatMap(({ chunk, spans }) => spans.map(({ start, end }) => range(chunk, start, end)))
    const reads = frame.cache.read(ranges, signal)
    return Promise.all(heads.map(async ({ chunk, head, spans }) => {
      const segments = await Promise.all(reads.splice(0, spans.length))
      // The engine takes the first segment that has a block's start: the head may have no more than that.
      await finish(chunk, [...spans.map(({ start }) => start), 0], [...segments, head])
    }))
  })
  await Promise.all([...whole, rest])
}

/** What is wanted of a chunk, by its head. */
async function spansOf(reading: Reading, chunk: Stored, first: Promise<Uint8Array>) {
  const { frame, items, indices, signal } = reading
  const { nchunk } = chunk.touched
  let head = await first
  for (let asked = chunk.first; ; ) {
    const spans = frame.engine.wanted(frame.recipe, items, indices, nchunk, head)
    // What the head has need not be read again.
    if (!isNeed(spans)) return { chunk, head, spans: spans.filter(({ end }) => end > head.length) }
    if (spans.end <= asked || head.length < asked) throw truncated(spans.end, head.length, nchunk)
    asked = spans.end
    head = await frame.read(frame.range(chunk.location, 0, asked), signal)
  }
}

async function decodeChunk(
  reading: Reading, chunk: Stored, starts: number[], segments: Uint8Array[], use: Use,
): Promise<void> {
  const { frame, items, indices, signal } = reading
  const { touched, location } = chunk
  const { nchunk } = touched
  for (let asked: Need | undefined; ; ) {
    signal?.throwIfAborted()
    const job: Job = { recipe: frame.recipe, items, indices, nchunk, location, starts, segments }
    const decoding = frame.decoder?.decode(job, { module: frame.engine.module, signal })
    const need = decoding ? await elsewhere(decoding, touched, use) : await here(frame, job, touched, use)
    if (!need) return
    const { start, end } = need
    if (location < 0 || (asked?.start === start && asked.end === end)) throw truncated(end, start, nchunk)
    asked = need
    starts = [start, ...starts]
    segments = [await frame.read(frame.range(location, start, end), signal), ...segments]
  }
}

async function elsewhere(decoding: Promise<Box | Need>, touched: Touched, use: Use): Promise<Need | undefined> {
  const box = await decoding.catch(own)
  if (isNeed(box)) return box
  use(box, touched, true)
  return undefined
}

/** An error of another copy of this library, as a pool has it, as one of this copy. */
function own(error: unknown): never {
  throw isB2ndError(error) ? new B2ndError(error.code, error.message, error) : error
}

/** Decodes in this thread, and lets others have it from time to time. */
async function here(frame: Frame, job: Job, touched: Touched, use: Use): Promise<Need | undefined> {
  const start = performance.now()
  const need = frame.engine.decode(job, box => use(box, touched, false))
  spent += performance.now() - start
  if (spent > PATIENCE) {
    spent = 0
    await breathe()
  }
  return isNeed(need) ? need : undefined
}

/** Milliseconds of decoding, after which a page gets to paint. */
const PATIENCE = 30
let spent = 0

function breathe(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?(): Promise<void> } }
  return scheduler?.yield?.() ?? new Promise(resolve => setTimeout(resolve))
}

/** What reading would cost now; exact as far as the heads of the chunks are held. */
export async function estimate(reading: Reading, chunks: readonly Touched[]): Promise<Traffic & { exact: boolean }> {
  const { frame, signal } = reading
  const index = await frame.index(signal)
  let exact = !frame.facts.sparse
  const ranges: Range[] = []
  for (const chunk of chunks.map(touched => stored(reading, index, touched))) {
    const { location, first, bytes, whole } = chunk
    const head = frame.range(location, 0, first)
    if (first) ranges.push(head)
    if (whole) continue
    if (frame.cache.cost([head]).requests === 0) {
      const { spans } = await spansOf(reading, chunk, frame.read(head, signal))
      ranges.push(...spans.map(({ start, end }) => frame.range(location, start, end)))
    } else {
      exact = false
      // The most likely: one request more, somewhere after the head.
      ranges.push(frame.range(location, first + 4096, Math.max(first + 4096, Math.ceil(bytes) + 4096)))
    }
  }
  return { ...frame.cache.cost(ranges), exact }
}
