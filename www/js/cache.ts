import { onAbort } from './abort.js'
import { countBefore, joined } from './lists.js'
import { bytesOf, merge, type MergeOptions, type Range } from './ranges.js'
import { MemorySource, type ByteSource, type SparseSource } from './source/source.js'

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
  offset?: number
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

/**
 * Between the source and all who read it: merges what is asked for at once, holds what was read last, lets nobody wait
 * for a read of what is already on its way, and limits how many reads run. What failed is not held.
 */
export class Cache {
  readonly traffic: Traffic = { requests: 0, bytes: 0 }
  readonly #source: ByteSource | SparseSource
  readonly #options: CacheOptions
  /** Byte of the source at which the frame begins. */
  readonly #offset: number
  readonly #parts = new Map<number, Part>()
  /** What is there; the one that was used last is last. */
  readonly #recent = new Set<Segment>()
  #bytes = 0
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(source: ByteSource | SparseSource, options: CacheOptions) {
    this.#source = source
    this.#options = options
    this.#offset = 'read' in source ? (options.offset ?? 0) : 0
  }

  /** Whether all bytes are in memory: reading them is free, and nothing is counted. */
  get free(): boolean {
    return this.#source instanceof MemorySource
  }

  /** Reads all ranges at once. Each comes by itself as soon as it can, shorter where its part ends earlier. */
  read(ranges: readonly Range[], signal?: AbortSignal): Promise<Uint8Array>[] {
    const source = this.#source
    if (source instanceof MemorySource) {
      return ranges.map(({ start, end }) => source.read(start + this.#offset, end - start))
    }
    if (signal?.aborted) return ranges.map(() => quiet(Promise.reject(signal.reason)))
    for (const gap of this.#gaps(ranges)) this.#start(gap)
    const found = ranges.map(range => this.#find(range))
    const reads = found.map((segments, k) => assemble(segments, ranges[k]!))
    const flights = new Set(found.flat().filter(segment => !this.#recent.has(segment)))
    for (const flight of flights) flight.waiting++
    return (signal && flights.size ? this.#abortable(reads, flights, signal) : reads).map(quiet)
  }

  /** What reading these ranges would cost now. */
  cost(ranges: readonly Range[]): Traffic {
    const gaps = this.free ? [] : this.#gaps(ranges)
    return { requests: gaps.length, bytes: bytesOf(gaps) }
  }

  /** Stops all reads and lets go of everything. */
  async close(reason: unknown): Promise<void> {
    const parts = [...this.#parts.values()]
    this.#parts.clear()
    this.#recent.clear()
    for (const { abort } of parts.flatMap(({ segments }) => segments)) abort.abort(reason)
    for (const { source } of parts) await source?.then(source => source.close?.(), () => {})
    if (!('read' in this.#source)) await this.#source.close?.()
  }

  #part(number: number): Part {
    const part = this.#parts.get(number) ?? { segments: [], end: Infinity }
    this.#parts.set(number, part)
    return part
  }

  /** The segments that have bytes of a range, in order. */
  #find({ part, start, end }: Range): Segment[] {
    const { segments } = this.#part(part)
    const first = countBefore(segments.length, k => segments[k]!.end > start)
    const found = segments.slice(first, countBefore(segments.length, k => segments[k]!.start >= end))
    for (const segment of found) if (this.#recent.delete(segment)) this.#recent.add(segment)
    return found
  }

  /** The requests that bring what is missing of some ranges. */
  #gaps(ranges: readonly Range[]): Range[] {
    return merge(ranges.flatMap(range => {
      const { part, start } = range
      const end = Math.min(range.end, this.#part(part).end)
      const found = this.#find(range)
      const starts = [start, ...found.map(({ end }) => end)]
      return starts.map((start, k) => ({ part, start, end: found[k]?.start ?? end }))
    }), this.#options)
  }

  #start(range: Range): void {
    const part = this.#part(range.part)
    // What lies in a gap that is read through: nothing is held twice.
    for (const covered of this.#find(range)) this.#drop(covered)
    const abort = new AbortController()
    const segment: Segment = { ...range, part, abort, waiting: 0, bytes: quiet(this.#fly(range, part, abort.signal)) }
    part.segments.splice(countBefore(part.segments.length, k => part.segments[k]!.start > range.start), 0, segment)
    segment.bytes.then(({ length }) => this.#land(segment, length), () => this.#drop(segment))
  }

  async #fly({ part: number, start, end }: Range, part: Part, signal: AbortSignal): Promise<Uint8Array> {
    const { concurrency, onTraffic } = this.#options
    while (this.#running >= concurrency) await new Promise<void>(resolve => this.#queue.push(resolve))
    this.#running++
    try {
      signal.throwIfAborted()
      part.source ??= this.#open(number)
      const source = await part.source.catch(cause => {
        // What is missing now may be there later.
        part.source = undefined
        throw cause
      })
      this.traffic.requests++
      const bytes = await source.read(start + this.#offset, end - start, { signal })
      signal.throwIfAborted()
      this.traffic.bytes += bytes.length
      onTraffic?.({ ...this.traffic })
      if (bytes.length < end - start) part.end = start + bytes.length
      return bytes
    } finally {
      this.#running--
      this.#queue.shift()?.()
    }
  }

  async #open(number: number): Promise<ByteSource> {
    return 'read' in this.#source ? this.#source : this.#source.part(number)
  }

  /** Holds what has come, instead of what was used least. */
  #land(segment: Segment, length: number): void {
    const { bytes: budget } = this.#options
    segment.end = segment.start + length
    if (!length || length > budget) return this.#drop(segment)
    if (!segment.part.segments.includes(segment)) return
    this.#recent.add(segment)
    this.#bytes += length
    for (const oldest of this.#recent) if (this.#bytes > budget) this.#drop(oldest)
  }

  /** Nobody finds it any more. Who waits for it goes on to do so. */
  #drop(segment: Segment): void {
    const { segments } = segment.part
    if (segments.includes(segment)) segments.splice(segments.indexOf(segment), 1)
    if (this.#recent.delete(segment)) this.#bytes -= segment.end - segment.start
  }

  /** Lets the signal reject what has not come, and the flights know who has left. */
  #abortable(reads: Promise<Uint8Array>[], flights: Set<Segment>, signal: AbortSignal): Promise<Uint8Array>[] {
    const stopped = new Promise<never>((_, reject) => {
      const leave = onAbort(signal, () => {
        for (const flight of flights) {
          if (--flight.waiting > 0 || this.#recent.has(flight)) continue
          // Nobody may join what is stopped.
          this.#drop(flight)
          flight.abort.abort(signal.reason)
        }
        reject(signal.reason)
      })
      void Promise.allSettled(reads).then(leave)
    })
    return reads.map(read => Promise.race([read, stopped]))
  }
}

async function assemble(segments: readonly Segment[], { start, end }: Range): Promise<Uint8Array> {
  const pieces = []
  for (const segment of segments) {
    // The one before has ended early.
    if (segment.start > start) break
    const bytes = await segment.bytes
    pieces.push(bytes.subarray(start - segment.start, end - segment.start))
    start = segment.start + bytes.length
  }
  return joined(pieces)
}

/** Whoever cares about a failure awaits the promise; that nobody does yet is no reason to bring the process down. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
