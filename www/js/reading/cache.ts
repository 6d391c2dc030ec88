import { onAbort } from '../base/abort.js'
import { joined } from '../base/bytes.js'
import { countBefore } from '../base/numbers.js'
import type { ByteSource, SparseSource } from '../sources/source.js'
import { bytesOf, WASTE, type MergeOptions, type Range } from './ranges.js'

/** What reading has cost so far. */
export interface Traffic {
  /** Reads of the source; of a URL, its requests, repeated ones not counted. */
  requests: number
  /** Bytes that they brought. */
  bytes: number
}

/** How many bytes to keep, and how many reads to run at a time. */
export interface CacheOptions extends MergeOptions {
  bytes: number
  concurrency: number
  /** The requests that bring some ranges. */
  merge(ranges: readonly Range[], options: MergeOptions): Range[]
  offset?: number | undefined
  onTraffic?: ((traffic: Readonly<Traffic>) => void) | undefined
}

/** Bytes that are there or on their way. */
interface Segment {
  readonly part: Part
  readonly start: number
  end: number
  /** How many wait for it. They share the read; it is stopped when the last one leaves. */
  waiting: number
  readonly abort: AbortController
  bytes: Promise<Uint8Array>
}

interface Part {
  source?: Promise<ByteSource> | undefined
  /** In order, none overlapping another. */
  readonly segments: Segment[]
  /** Where it ends, once it was found to. */
  end: number
}

/** Between the source and all who read it. */
export interface Cache {
  readonly traffic: Traffic
  /** Whether all bytes are in memory: reading them is free, and nothing is counted. */
  readonly free: boolean
  /** Reads all ranges at once. Each comes by itself as soon as it can, shorter where its part ends earlier. */
  read(ranges: readonly Range[], signal?: AbortSignal): Promise<Uint8Array>[]
  /** How much more may be read than is wanted, to have fewer requests: a share of what is wanted. */
  readonly waste: number
  /** What reading these ranges would cost now. */
  cost(ranges: readonly Range[]): Traffic
  /** Stops all reads and lets go of everything. */
  close(reason: unknown): Promise<void>
}

/**
 * Merges what is asked for at once, holds what was read last, lets nobody wait for a read of what is already on its way,
 * and limits how many reads run. What failed is not held.
 */
export function createCache(source: ByteSource | SparseSource | Uint8Array, options: CacheOptions): Cache {
  const { bytes: budget, offset = 0 } = options
  const memory = source instanceof Uint8Array ? source.subarray(offset) : undefined
  const traffic: Traffic = { requests: 0, bytes: 0 }
  const parts = new Map<number, Part>()
  /** What is there; the one that was used last is last. */
  const recent = new Set<Segment>()
  let held = 0
  const queue: (() => void)[] = []
  let running = 0
  // A frame that lies in one file has one part.
  const [sparse, first] = 'read' in source ? [{ part: () => source }, offset] : [source as SparseSource, 0]

  const partOf = (number: number): Part => {
    const part = parts.get(number) ?? { segments: [], end: Infinity }
    parts.set(number, part)
    return part
  }

  /** The segments that have bytes of a range, in order. */
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

  /** The requests that bring what is missing of some ranges. */
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

  /** Which one of its part it is, if it is there. */
  const placeOf = ({ part: { segments }, start }: Segment): number =>
    countBefore(segments.length, k => segments[k]!.start >= start)

  /** Nobody finds it any more. Who waits for it goes on to do so. */
  const drop = (segment: Segment): void => {
    const { segments } = segment.part
    const at = placeOf(segment)
    if (segments[at] === segment) segments.splice(at, 1)
    if (recent.delete(segment)) held -= segment.end - segment.start
  }

  const start = (range: Range): void => {
    const part = partOf(range.part)
    const { segments } = part
    // What lies in a gap that is read through: nothing is held twice.
    for (const covered of find(range)) drop(covered)
    const abort = new AbortController()
    const segment: Segment = { ...range, part, abort, waiting: 0, bytes: quiet(fly(range, part, abort.signal)) }
    segments.splice(
      countBefore(segments.length, k => segments[k]!.start > range.start),
      0,
      segment,
    )
    segment.bytes.then(
      bytes => land(segment, bytes.length),
      () => drop(segment),
    )
  }

  const fly = async ({ part: number, start, end }: Range, part: Part, signal: AbortSignal): Promise<Uint8Array> => {
    while (running >= options.concurrency) await new Promise<void>(resolve => queue.push(resolve))
    running++
    try {
      signal.throwIfAborted()
      part.source ??= Promise.resolve(sparse.part(number))
      const source = await part.source.catch((cause: unknown) => {
        // What is missing now may be there later.
        part.source = undefined
        throw cause
      })
      traffic.requests++
      const bytes = await source.read(start + first, end - start, { signal })
      signal.throwIfAborted()
      traffic.bytes += bytes.length
      options.onTraffic?.({ ...traffic })
      if (bytes.length < end - start) part.end = start + bytes.length
      return bytes
    } catch (error) {
      // Why it was stopped is the signal's to say, whatever the source says.
      signal.throwIfAborted()
      throw error
    } finally {
      running--
      queue.shift()?.()
    }
  }

  /** Holds what has come, instead of what was used least. */
  const land = (segment: Segment, length: number): void => {
    segment.end = segment.start + length
    if (!length || length > budget) drop(segment)
    if (segment.part.segments[placeOf(segment)] !== segment) return
    recent.add(segment)
    held += length
    for (const oldest of recent) if (held > budget) drop(oldest)
  }

  /** Lets the signal reject what has not come, and the flights know who has left. */
  const abortable = (
    reads: Promise<Uint8Array>[],
    flights: Set<Segment>,
    signal: AbortSignal,
  ): Promise<Uint8Array>[] => {
    const stopped = new Promise<never>((_, reject) => {
      const leave = onAbort(signal, () => {
        for (const flight of flights) {
          if (--flight.waiting || recent.has(flight)) continue
          // Nobody may join what is stopped.
          drop(flight)
          flight.abort.abort(signal.reason)
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
      const flights = new Set(found.flat().filter(segment => !recent.has(segment)))
      for (const flight of flights) flight.waiting++
      return (signal && flights.size ? abortable(reads, flights, signal) : reads).map(quiet)
    },
    cost(ranges) {
      const gaps = memory ? [] : missing(ranges)
      return { requests: gaps.length, bytes: bytesOf(gaps) }
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
    // The one before has ended early.
    if (segment.start > start) break
    const bytes = await segment.bytes
    pieces.push(bytes.subarray(start - segment.start, end - segment.start))
    start = segment.start + bytes.length
  }
  return joined(pieces, Uint8Array)
}

/** Whoever cares about a failure awaits the promise; that nobody does yet is no reason to bring the process down. */
export function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
