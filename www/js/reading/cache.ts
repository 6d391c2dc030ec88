import { onAbort } from '../base/abort.js'
import { joined } from '../base/bytes.js'
import { createLimit } from '../base/limit.js'
import type { ByteSource, SparseSource } from '../sources/source.js'
import { bytesOf, WASTE, type MergeOptions, type Range } from './ranges.js'
import { checkOf, type Check } from './revision.js'
import { Segments, type Part, type Segment } from './segments.js'

/** The cost of reading. */
export interface Traffic {
  /** Reads of the source. For a URL these are requests, not counting retries. */
  requests: number
  /** Bytes read. */
  bytes: number
}

/** The size of the cache, the number of concurrent reads, and how to merge reads. */
export interface CacheOptions extends MergeOptions {
  bytes: number
  concurrency: number
  /** Merges ranges into requests. */
  merge(ranges: readonly Range[], options: MergeOptions): Range[]
  offset?: number | undefined
  onTraffic?: ((traffic: Readonly<Traffic>) => void) | undefined
}

/** A cache in front of a source. */
export interface Cache {
  readonly traffic: Traffic
  /** Whether all bytes are in memory: reads cost nothing and are not counted. */
  readonly free: boolean
  /** Reads ranges, each with its own promise. A range is shorter if its part ends earlier. */
  read(ranges: readonly Range[], signal?: AbortSignal): Promise<Uint8Array>[]
  /** The bytes in gaps that may be read, as a share of the wanted bytes. */
  readonly waste: number
  /** Returns the cost of reading ranges with the current cache. */
  cost(ranges: readonly Range[]): Traffic
  /**
   * From now on fails as `changed` once the source has another state than the one that `state` and `answers` identify; see
   * `checkOf`. Returns false if it already has, so that the frame must be opened again. Does nothing unless the source is live.
   */
  watch(state: readonly number[], answers: readonly Uint8Array[]): Promise<boolean>
  /** Forgets all bytes and the files of a sparse frame, to open the frame again. Returns whether these are other files then. */
  restart(): boolean
  /** Aborts all reads, drops all bytes and closes the source. */
  close(reason: unknown): Promise<void>
}

/**
 * Creates a cache. It merges the ranges of a call, keeps the most recently used bytes, shares reads in progress, and limits
 * concurrent reads. Failed reads are not kept.
 */
export const createCache = (source: ByteSource | SparseSource | Uint8Array, options: CacheOptions): Cache =>
  source instanceof Uint8Array
    ? memoryCache(source.subarray(options.offset), options)
    : new SourceCache(source, options)

/** The cache of a frame in memory. */
const memoryCache = (memory: Uint8Array, { waste = WASTE }: CacheOptions): Cache => ({
  traffic: { requests: 0, bytes: 0 },
  free: true,
  waste,
  read: ranges => ranges.map(async ({ start, end }) => memory.subarray(start, end)),
  cost: () => ({ requests: 0, bytes: 0 }),
  watch: async () => true,
  restart: () => false,
  close: async () => {},
})

class SourceCache implements Cache {
  readonly traffic: Traffic = { requests: 0, bytes: 0 }
  readonly free = false
  readonly waste: number
  readonly #options: CacheOptions
  /** The files of a sparse frame. A contiguous frame has one part, in which it starts at `offset`. */
  readonly #files: SparseSource
  readonly #isSparse: boolean
  readonly #offset: number
  readonly #segments: Segments
  readonly #limit: ReturnType<typeof createLimit>
  #check: Check | undefined

  constructor(source: ByteSource | SparseSource, options: CacheOptions) {
    this.#options = options
    this.waste = options.waste ?? WASTE
    this.#isSparse = !('read' in source)
    this.#files = 'read' in source ? { part: () => source } : source
    this.#offset = this.#isSparse ? 0 : (options.offset ?? 0)
    this.#segments = new Segments(options.bytes)
    this.#limit = createLimit(options.concurrency)
  }

  read(ranges: readonly Range[], signal?: AbortSignal): Promise<Uint8Array>[] {
    signal?.throwIfAborted()
    for (const gap of this.#missing(ranges)) this.#start(gap)
    const found = ranges.map(range => this.#segments.find(range))
    const reads = found.map((segments, k) => assemble(segments, ranges[k]!))
    const pending = new Set(found.flat().filter(segment => !this.#segments.has(segment)))
    for (const segment of pending) segment.waiting++
    return (signal && pending.size ? this.#abortable(reads, pending, signal) : reads).map(markHandled)
  }

  cost(ranges: readonly Range[]): Traffic {
    const gaps = this.#missing(ranges)
    return { requests: gaps.length, bytes: bytesOf(gaps) }
  }

  async watch(state: readonly number[], answers: readonly Uint8Array[]): Promise<boolean> {
    const source = state.length ? await this.#sourceOf(-1) : undefined
    if (!source?.live) return true
    // What was read before may be of an earlier state.
    this.#segments.forget()
    const read = (start: number, end: number) => source.read(start + this.#offset, end - start)
    this.#check = await checkOf(read, state, answers)
    return !!this.#check
  }

  restart(): boolean {
    this.#check = undefined
    this.#segments.forget()
    if (this.#isSparse) for (const part of this.#segments.parts.values()) part.source = undefined
    return this.#isSparse
  }

  async close(reason: unknown): Promise<void> {
    const { parts } = this.#segments
    const all = [...parts.values()]
    for (const segment of all.flatMap(part => part.segments)) segment.abort.abort(reason)
    this.#segments.forget()
    parts.clear()
    for (const { source } of all)
      await source?.then(
        source => source.close?.(),
        () => {},
      )
    await this.#files.close?.()
  }

  /** The requests for the missing bytes of ranges. */
  #missing(ranges: readonly Range[]): Range[] {
    const gaps = ranges.flatMap(range => this.#segments.gaps(range))
    return gaps.length < 2 ? gaps : this.#options.merge(gaps, this.#options)
  }

  /** Starts to read a range. */
  #start(range: Range): void {
    const segments = this.#segments
    // Segments in a gap are read again. Drop them, so that no byte is kept twice.
    for (const covered of segments.find(range)) segments.drop(covered)
    const part = segments.part(range.part)
    const abort = new AbortController()
    const bytes = markHandled(this.#limit(() => this.#fetch(range, part, abort.signal)))
    const segment: Segment = { ...range, part, abort, waiting: 0, bytes }
    segments.add(segment)
    bytes.then(
      ({ length }) => segments.keep(segment, length),
      () => segments.drop(segment),
    )
  }

  async #fetch({ part: number, start, end }: Range, part: Part, signal: AbortSignal): Promise<Uint8Array> {
    try {
      signal.throwIfAborted()
      const source = await this.#sourceOf(number)
      this.traffic.requests++
      const read = () => source.read(start + this.#offset, end - start, { signal })
      const bytes = await this.#checked(read, signal)
      this.traffic.bytes += bytes.length
      this.#options.onTraffic?.({ ...this.traffic })
      if (bytes.length < end - start) part.end = start + bytes.length
      return bytes
    } catch (error) {
      // An aborted read rejects with the reason of the signal, whatever the source throws.
      signal.throwIfAborted()
      throw error
    }
  }

  /** What is read of another state, or what is missing from it, is no answer. */
  async #checked(read: () => Promise<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
    try {
      return await read()
    } finally {
      if (!signal.aborted) await this.#check?.()
      signal.throwIfAborted()
    }
  }

  #sourceOf(number: number): Promise<ByteSource> {
    const part = this.#segments.part(number)
    return (part.source ??= Promise.resolve(this.#files.part(number)).catch((cause: unknown) => {
      // A missing part may appear later.
      part.source = undefined
      throw cause
    }))
  }

  /** Makes a signal reject the pending reads, and abort those that nobody else waits for. */
  #abortable(reads: Promise<Uint8Array>[], pending: Set<Segment>, signal: AbortSignal): Promise<Uint8Array>[] {
    const stopped = new Promise<never>((_, reject) => {
      const leave = onAbort(signal, () => {
        for (const segment of pending) this.#leave(segment, signal)
        reject(signal.reason)
      })
      void Promise.allSettled(reads).then(leave)
    })
    return reads.map(read => Promise.race([read, stopped]))
  }

  /** Stops waiting for a segment. */
  #leave(segment: Segment, { reason }: AbortSignal): void {
    if (--segment.waiting || this.#segments.has(segment)) return
    // No other caller may join an aborted read.
    this.#segments.drop(segment)
    segment.abort.abort(reason)
  }
}

async function assemble(segments: readonly Segment[], { start, end }: Range): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for (const segment of segments) {
    // The previous segment was short.
    if (segment.start > start) break
    const bytes = await segment.bytes
    pieces.push(bytes.subarray(start - segment.start, end - segment.start))
    start = segment.start + bytes.length
  }
  return joined(pieces, Uint8Array)
}

/** Marks a promise as handled. It may be awaited later, and must not end the process if it rejects before. */
export function markHandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
