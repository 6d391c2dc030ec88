import { onAbort } from '../base/abort.js'
import { joined } from '../base/bytes.js'
import { countBefore } from '../base/numbers.js'
import type { ByteSource, SparseSource } from '../sources/source.js'
import { bytesOf, WASTE, type MergeOptions, type Range } from './ranges.js'
import { checkOf, type Check } from './revision.js'

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

/** A range of bytes that is cached or being read. */
interface Segment {
  readonly part: Part
  readonly start: number
  end: number
  /** The number of callers that wait. They share the read, which is aborted when the last caller leaves. */
  waiting: number
  readonly abort: AbortController
  bytes: Promise<Uint8Array>
}

interface Part {
  source?: Promise<ByteSource> | undefined
  /** Sorted and disjoint. */
  readonly segments: Segment[]
  /** The length of the part, once known. */
  end: number
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
  const { bytes: budget, offset = 0 } = options
  const memory = source instanceof Uint8Array ? source.subarray(offset) : undefined
  const traffic: Traffic = { requests: 0, bytes: 0 }
  const parts = new Map<number, Part>()
  /** Cached segments, least recently used first. */
  const recent = new Set<Segment>()
  let held = 0
  let check: Check | undefined
  const queue: (() => void)[] = []
  let running = 0
  // A contiguous frame has one part.
  const [sparse, first] = 'read' in source ? [{ part: () => source }, offset] : [source as SparseSource, 0]

  const partOf = (number: number): Part => {
    const part = parts.get(number) ?? { segments: [], end: Infinity }
    parts.set(number, part)
    return part
  }

  /** The segments that overlap a range, sorted. */
  const find = (range: Range): Segment[] => {
    const { segments } = partOf(range.part)
    const first = countBefore(segments.length, k => segments[k]!.end > range.start)
    const found = segments.slice(
      first,
      countBefore(segments.length, k => segments[k]!.start >= range.end),
    )
    for (const segment of found) if (recent.delete(segment)) recent.add(segment)
    return found
  }

  /** The requests for the missing bytes of ranges. */
  const missing = (ranges: readonly Range[]): Range[] => {
    const gaps = ranges.flatMap(range => {
      const found = find(range)
      const end = Math.min(range.end, partOf(range.part).end)
      const starts = [range.start, ...found.map(segment => segment.end)]
      return starts.map((start, k) => ({ part: range.part, start, end: found[k]?.start ?? end }))
    })
    const some = gaps.filter(({ start, end }) => end > start)
    return some.length < 2 ? some : options.merge(some, options)
  }

  /** The index of a segment in its part, or where it would be. */
  const placeOf = ({ part: { segments }, start }: Segment): number =>
    countBefore(segments.length, k => segments[k]!.start >= start)

  /** Removes a segment. Callers that already wait for it still get its bytes. */
  const drop = (segment: Segment): void => {
    const { segments } = segment.part
    const at = placeOf(segment)
    if (segments[at] === segment) segments.splice(at, 1)
    if (recent.delete(segment)) held -= segment.end - segment.start
  }

  const start = (range: Range): void => {
    const part = partOf(range.part)
    const { segments } = part
    // Segments in a gap are read again. Drop them, so that no byte is kept twice.
    for (const covered of find(range)) drop(covered)
    const abort = new AbortController()
    const segment: Segment = {
      ...range,
      part,
      abort,
      waiting: 0,
      bytes: markHandled(fetchSegment(range, part, abort.signal)),
    }
    segments.splice(
      countBefore(segments.length, k => segments[k]!.start > range.start),
      0,
      segment,
    )
    segment.bytes.then(
      bytes => keepSegment(segment, bytes.length),
      () => drop(segment),
    )
  }

  const sourceOf = (number: number): Promise<ByteSource> => {
    const part = partOf(number)
    return (part.source ??= Promise.resolve(sparse.part(number)).catch((cause: unknown) => {
      // A missing part may appear later.
      part.source = undefined
      throw cause
    }))
  }

  const fetchSegment = async (
    { part: number, start, end }: Range,
    part: Part,
    signal: AbortSignal,
  ): Promise<Uint8Array> => {
    while (running >= options.concurrency) await new Promise<void>(resolve => queue.push(resolve))
    running++
    try {
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
    } catch (error) {
      // An aborted read rejects with the reason of the signal, whatever the source throws.
      signal.throwIfAborted()
      throw error
    } finally {
      running--
      queue.shift()?.()
    }
  }

  /** Keeps the bytes of a segment. Drops the least recently used ones. */
  const keepSegment = (segment: Segment, length: number): void => {
    segment.end = segment.start + length
    if (!length || length > budget) drop(segment)
    if (segment.part.segments[placeOf(segment)] !== segment) return
    recent.add(segment)
    held += length
    for (const oldest of recent) if (held > budget) drop(oldest)
  }

  /** Forgets all bytes. */
  const forget = (): void => {
    for (const part of parts.values()) {
      part.segments.slice().forEach(drop)
      part.end = Infinity
    }
  }

  /** Makes a signal reject the pending reads, and abort those that nobody else waits for. */
  const abortable = (
    reads: Promise<Uint8Array>[],
    pending: Set<Segment>,
    signal: AbortSignal,
  ): Promise<Uint8Array>[] => {
    const stopped = new Promise<never>((_, reject) => {
      const leave = onAbort(signal, () => {
        for (const segment of pending) {
          if (--segment.waiting || recent.has(segment)) continue
          // No other caller may join an aborted read.
          drop(segment)
          segment.abort.abort(signal.reason)
        }
        reject(signal.reason)
      })
      void Promise.allSettled(reads).then(leave)
    })
    return reads.map(read => Promise.race([read, stopped]))
  }

  return {
    traffic,
    free: !!memory,
    waste: options.waste ?? WASTE,
    read(ranges, signal) {
      if (memory) return ranges.map(async range => memory.subarray(range.start, range.end))
      signal?.throwIfAborted()
      for (const gap of missing(ranges)) start(gap)
      const found = ranges.map(find)
      const reads = found.map((segments, k) => assemble(segments, ranges[k]!))
      const pending = new Set(found.flat().filter(segment => !recent.has(segment)))
      for (const segment of pending) segment.waiting++
      return (signal && pending.size ? abortable(reads, pending, signal) : reads).map(markHandled)
    },
    cost(ranges) {
      const gaps = memory ? [] : missing(ranges)
      return { requests: gaps.length, bytes: bytesOf(gaps) }
    },
    async watch(state, answers) {
      const source = memory || !state.length ? undefined : await sourceOf(-1)
      if (!source?.live) return true
      // What was read before may be of an earlier state.
      forget()
      check = await checkOf((start, end) => source.read(start + first, end - start), state, answers)
      return !!check
    },
    restart() {
      check = undefined
      forget()
      const isSparse = 'part' in source
      if (isSparse) for (const part of parts.values()) part.source = undefined
      return isSparse
    },
    async close(reason) {
      const all = [...parts.values()]
      parts.clear()
      recent.clear()
      for (const segment of all.flatMap(part => part.segments)) segment.abort.abort(reason)
      for (const part of all)
        await part.source?.then(
          source => source.close?.(),
          () => {},
        )
      await sparse.close?.()
    },
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
