import { onAbort } from '../base/abort.js'
import { joined } from '../base/bytes.js'
import { createLimit } from '../base/limit.js'
import type { ByteSource, SparseSource } from '../sources/source.js'
import { bytesOf, WASTE, type MergeOptions, type Range } from './ranges.js'
import { checkOf, type Check } from './revision.js'
import { createSegments, type Part, type Segment, type Segments } from './segments.js'

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
export function createCache(source: ByteSource | SparseSource | Uint8Array, options: CacheOptions): Cache {
  const { waste = WASTE, offset = 0 } = options
  const memory = source instanceof Uint8Array && source.subarray(offset)
  const segments = createSegments(options.bytes)
  const reads = createReads(source as ByteSource | SparseSource, segments, options)

  /** The requests for the missing bytes of ranges. */
  const missing = (ranges: readonly Range[]): Range[] => {
    const gaps = memory ? [] : ranges.flatMap(range => segments.gaps(range))
    return gaps.length < 2 ? gaps : options.merge(gaps, options)
  }

  return {
    ...reads,
    free: !!memory,
    waste,
    read(ranges, signal) {
      if (memory) return ranges.map(async ({ start, end }) => memory.subarray(start, end))
      signal?.throwIfAborted()
      for (const gap of missing(ranges)) reads.start(gap)
      const found = ranges.map(range => segments.find(range))
      const all = found.map((segments, k) => assemble(segments, ranges[k]!))
      const pending = new Set(found.flat().filter(segment => !segments.has(segment)))
      for (const segment of pending) segment.waiting++
      return (signal && pending.size ? abortable(all, pending, segments, signal) : all).map(markHandled)
    },
    cost(ranges) {
      const gaps = missing(ranges)
      return { requests: gaps.length, bytes: bytesOf(gaps) }
    },
    watch: async (state, answers) => !!memory || !state.length || reads.watch(state, answers),
  }
}

/** Reads of a source, whose bytes get into segments. */
function createReads(source: ByteSource | SparseSource, segments: Segments, options: CacheOptions) {
  const traffic: Traffic = { requests: 0, bytes: 0 }
  const limit = createLimit(options.concurrency)
  const isSparse = 'part' in source
  // A contiguous frame has one part.
  const files: SparseSource = isSparse ? source : { part: () => source }
  const first = isSparse ? 0 : (options.offset ?? 0)
  let check: Check | undefined

  function sourceOf(number: number): Promise<ByteSource> {
    const part = segments.partOf(number)
    return (part.source ??= Promise.resolve(files.part(number)).catch((cause: unknown) => {
      // A missing part may appear later.
      part.source = undefined
      throw cause
    }))
  }

  async function read({ part: number, start, end }: Range, part: Part, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted()
    const source = await sourceOf(number)
    traffic.requests++
    let bytes
    try {
      bytes = await source.read(start + first, end - start, { signal })
    } finally {
      // What is read of another state, or what is missing from it, is no answer.
      if (!signal.aborted) await check?.()
    }
    signal.throwIfAborted()
    traffic.bytes += bytes.length
    options.onTraffic?.({ ...traffic })
    if (bytes.length < end - start) part.end = start + bytes.length
    return bytes
  }

  return {
    traffic,
    /** Starts to read a range. */
    start(range: Range): void {
      // Segments in a gap are read again. Drop them, so that no byte is kept twice.
      for (const covered of segments.find(range)) segments.drop(covered)
      const part = segments.partOf(range.part)
      const abort = new AbortController()
      const { signal } = abort
      const bytes = limit(() => read(range, part, signal)).catch((error: unknown) => {
        // An aborted read rejects with the reason of the signal, whatever the source throws.
        signal.throwIfAborted()
        throw error
      })
      segments.add({ ...range, part, abort, waiting: 0, bytes: markHandled(bytes) })
    },
    async watch(state: readonly number[], answers: readonly Uint8Array[]): Promise<boolean> {
      const source = await sourceOf(-1)
      if (!source.live) return true
      // What was read before may be of an earlier state.
      segments.forget()
      check = await checkOf((start, end) => source.read(start + first, end - start), state, answers)
      return !!check
    },
    restart(): boolean {
      check = undefined
      segments.forget()
      if (isSparse) for (const part of segments.parts.values()) part.source = undefined
      return isSparse
    },
    async close(reason: unknown): Promise<void> {
      const all = [...segments.parts.values()]
      for (const segment of all.flatMap(part => part.segments)) segment.abort.abort(reason)
      segments.forget()
      segments.parts.clear()
      for (const { source } of all)
        await source?.then(
          source => source.close?.(),
          () => {},
        )
      await files.close?.()
    },
  }
}

/** Makes a signal reject the pending reads, and abort those that nobody else waits for. */
function abortable(
  reads: Promise<Uint8Array>[],
  pending: Set<Segment>,
  segments: Segments,
  signal: AbortSignal,
): Promise<Uint8Array>[] {
  const stopped = new Promise<never>((_, reject) => {
    const leave = onAbort(signal, () => {
      for (const segment of pending) {
        if (--segment.waiting || segments.has(segment)) continue
        // No other caller may join an aborted read.
        segments.drop(segment)
        segment.abort.abort(signal.reason)
      }
      reject(signal.reason)
    })
    void Promise.allSettled(reads).then(leave)
  })
  return reads.map(read => Promise.race([read, stopped]))
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
