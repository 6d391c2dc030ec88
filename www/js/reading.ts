import { type Box, type Need, type Plan, type Touched, isNeed } from './engine.js'
import { B2ndError } from './errors.js'
import { FRAME, type Frame, SPECIAL } from './frame.js'
import { merge } from './merging.js'
import { getEngine } from './wasm.js'

/** How a read is going. */
export interface Progress {
  /** Bytes that have come, and all that are known to be needed. */
  bytes: number
  totalBytes: number
  requests: number
  /** Chunks that are done, and all of them. */
  chunks: number
  totalChunks: number
}

export interface ReadOptions {
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
}

/** What to read: items of the array (0) or of the super-chunk (1). */
export interface Wanted {
  items: 0 | 1
  selection: Uint8Array
}

/** A chunk of a plan on its way. */
interface Job {
  touched: Touched
  location: number
  part: number
  offset: number
  starts: number[]
  segments: Uint8Array[]
  /** Requests that it waits for. */
  pending: number
}

/** Chunks as small as this are read whole: asking for their head would take longer. */
const SMALL = 64 << 10

/** From this share of its blocks on a chunk is read whole. */
const NEARLY_ALL = 0.95

/** Plans a read: pure arithmetic on what the header says. */
export async function plan(frame: Frame, { items, selection }: Wanted): Promise<Plan> {
  return (await getEngine()).plan(frame.recipe, items, selection)
}

/** Reads what is planned, and hands over each chunk's box as soon as it is there. */
export async function read(frame: Frame, wanted: Wanted, plan: Plan, place: (box: Box) => void, { signal, onProgress }: ReadOptions = {}): Promise<void> {
  signal?.throwIfAborted()
  // One that fails takes the others with it.
  const stop = new AbortController()
  const all = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const progress: Progress = { bytes: 0, totalBytes: 0, requests: 0, chunks: 0, totalChunks: plan.touched.length }
  const finish = async (job: Job) => {
    place(await decode(frame, wanted, job, all))
    // They may be large, and are not needed again.
    job.segments = []
    progress.chunks++
    onProgress?.({ ...progress })
  }
  try {
    const jobs = await locate(frame, plan, all)
    for (const job of jobs) if (job.location < 0) await finish(job)
    const stored = jobs.filter(job => job.location >= 0)
    await gather(frame, wanted, stored, finish, progress, all)
  } catch (error) {
    stop.abort(error)
    signal?.throwIfAborted()
    throw error
  }
}

async function locate(frame: Frame, { touched }: Plan, signal?: AbortSignal): Promise<Job[]> {
  if (touched.length === 0) return []
  const index = await frame.index(signal)
  return touched.map(touched => {
    const location = index[touched.nchunk] ?? -4
    if (location < 0 && !SPECIAL.has(location)) {
      throw new B2ndError('format', `the offset of chunk ${touched.nchunk} cannot be so`, { chunk: touched.nchunk })
    }
    return { touched, location, ...frame.place(location), starts: [], segments: [], pending: 0 }
  })
}

/** The bytes of all jobs: planned as a whole, so that neighbours are read at once. */
async function gather(frame: Frame, wanted: Wanted, jobs: Job[], finish: (job: Job) => Promise<void>, progress: Progress, signal: AbortSignal): Promise<void> {
  const limit = limited(frame.options.concurrency ?? 8)
  const index = await frame.index(signal)
  const spans = await Promise.all(jobs.map(job => limit(() => needed(frame, wanted, job, index, signal))))
  const pieces = jobs.flatMap((job, k) => spans[k]!.map(({ start, end }) => ({ job, part: job.part, start: job.offset + start, end: job.offset + end })))
  const missing = pieces.filter(({ job, part, start, end }) => {
    const bytes = frame.peek(part, start, end)
    if (bytes) add(job, start, bytes)
    else job.pending++
    return !bytes
  })
  const requests = merge(missing)
  progress.requests = requests.length
  progress.totalBytes = requests.reduce((sum, { start, end }) => sum + end - start, 0)
  for (const job of jobs) if (job.pending === 0) await finish(job)
  await Promise.all(requests.map(({ part, start, end, pieces }) => limit(async () => {
    const bytes = await frame.cache.get(part, start, end, signal)
    progress.bytes += bytes.length
    for (const piece of pieces) {
      add(piece.job, piece.start, bytes.subarray(piece.start - start, piece.end - start))
      if (--piece.job.pending === 0) await finish(piece.job)
    }
  })))
}

function add(job: Job, start: number, bytes: Uint8Array): void {
  job.starts.push(start - job.offset)
  job.segments.push(bytes)
}

/** The spans of a chunk that are needed; the chunk's head is read if it must tell. */
async function needed(frame: Frame, { items, selection }: Wanted, job: Job, index: Float64Array, signal: AbortSignal): Promise<{ start: number; end: number }[]> {
  const { nchunk, nbytes, wanted, blocks, head } = job.touched
  const extent = frame.extent(index, job.location, nbytes + head + 64)
  if (!frame.inMemory && (extent <= SMALL || wanted >= NEARLY_ALL * blocks)) return [{ start: 0, end: extent }]
  const engine = await getEngine()
  let end = Math.min(head, extent)
  for (;;) {
    const bytes = await frame.read(job.part, job.offset, job.offset + end, signal)
    const spans: { start: number; end: number }[] | Need = engine.wanted(frame.recipe, items, selection, nchunk, bytes)
    if (!isNeed(spans)) {
      add(job, job.offset, bytes)
      return spans
    }
    if (bytes.length < end || spans.end <= end) throw short(nchunk, job.offset, spans.end, bytes.length)
    end = spans.end
  }
}

async function decode(frame: Frame, { items, selection }: Wanted, job: Job, signal?: AbortSignal): Promise<Box> {
  const { location, starts, segments, touched: { nchunk } } = job
  const call = { recipe: frame.recipe, items, selection, nchunk, location, starts, segments }
  const engine = await getEngine()
  try {
    const { decoder } = frame.options
    const box = decoder ? await decoder.decode(call, signal) : engine.decode(call)
    if (!isNeed(box)) return box
    // What the estimate or the source left out.
    const bytes = await frame.read(job.part, job.offset + box.start, job.offset + box.end, signal)
    if (bytes.length < box.end - box.start) throw short(nchunk, job.offset, box.end, box.start + bytes.length)
    add(job, job.offset + box.start, bytes)
  } catch (error) {
    throw error instanceof B2ndError && error.chunk === undefined && error.code === 'format' ? placed(error, nchunk, job) : error
  }
  return decode(frame, { items, selection }, job, signal)
}

function short(chunk: number, offset: number, needed: number, available: number): B2ndError {
  return new B2ndError('format', `cut short: chunk ${chunk} needs ${needed} bytes, ${available} are there`, { chunk, offset: offset + available })
}

/** The error, with its place in the frame and not in the chunk. */
function placed(error: B2ndError, chunk: number, { part, offset }: Job): B2ndError {
  const details = { chunk, offset: error.offset === undefined ? undefined : error.offset + (part === FRAME ? offset : 0) }
  const message = `${error.message.replace(/ \([^(]*\)$/, '')} (${['chunk', 'block', 'offset'].flatMap(key => {
    const value = { block: error.block, ...details }[key as 'block']
    return value === undefined ? [] : [`${key === 'offset' ? 'at byte' : key} ${value}`]
  }).join(', ')})`
  return new B2ndError('format', message, { ...(error.block === undefined ? {} : { block: error.block }), chunk, ...(details.offset === undefined ? {} : { offset: details.offset }), cause: error })
}

/** Runs at most so many at a time. */
function limited(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async work => {
    if (running >= count) await new Promise<void>(resolve => waiting.push(resolve))
    running++
    try {
      return await work()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
