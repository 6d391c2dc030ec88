import { onAbort } from './abort.js'
import { Held } from './held.js'
import { joined } from './lists.js'
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
  onTraffic?: ((traffic: Readonly<Traffic>) => void) | undefined
}

/** A read under way. Whoever waits for some of its bytes shares it; it is stopped when the last one leaves. */
interface Flight extends Range {
  readonly bytes: Promise<Uint8Array>
  readonly abort: AbortController
  waiting: number
}

/** A piece of a range: there, or on its way. */
type Piece = { readonly start: number; readonly end: number; readonly of: Uint8Array | Flight; readonly at: number }

/**
 * Between the source and all who read it: merges what is asked for at once, holds what was read last, lets nobody wait
 * for a read of what is already on its way, and limits how many reads run. What failed is not held.
 */
export class Cache {
  readonly traffic: Traffic = { requests: 0, bytes: 0 }
  readonly #source: ByteSource | SparseSource
  readonly #parts = new Map<number, Promise<ByteSource>>()
  readonly #held: Held
  readonly #flights = new Set<Flight>()
  /** Where parts end, of those that were found to. */
  readonly #ends = new Map<number, number>()
  readonly #options: CacheOptions
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(source: ByteSource | SparseSource, options: CacheOptions) {
    this.#source = source
    this.#options = options
    this.#held = new Held(options.bytes)
  }

  /** Whether all bytes are in memory: reading them is free, and nothing is counted. */
  get free(): boolean {
    return this.#source instanceof MemorySource
  }

  /** Reads all ranges at once. Each comes by itself as soon as it can, shorter where its part ends earlier. */
  read(ranges: readonly Range[], signal?: AbortSignal): Promise<Uint8Array>[] {
    if (this.#source instanceof MemorySource) {
      const { bytes } = this.#source
      return ranges.map(({ start, end }) => Promise.resolve(bytes.subarray(start, end)))
    }
    if (signal?.aborted) return ranges.map(() => quiet(Promise.reject(signal.reason)))
    const wanted = ranges.map(range => this.#clip(range))
    for (const gap of merge(wanted.flatMap(range => this.#pieces(range).gaps), this.#options)) this.#start(gap)
    const pieces = wanted.map(range => this.#pieces(range).pieces)
    const flights = new Set(pieces.flat().flatMap(({ of }) => (of instanceof Uint8Array ? [] : [of])))
    for (const flight of flights) flight.waiting++
    return this.#abortable(pieces.map(assemble), flights, signal)
  }

  /** What reading these ranges would cost now. */
  cost(ranges: readonly Range[]): Traffic {
    if (this.free) return { requests: 0, bytes: 0 }
    const gaps = merge(ranges.flatMap(range => this.#pieces(this.#clip(range)).gaps), this.#options)
    return { requests: gaps.length, bytes: bytesOf(gaps) }
  }

  /** Stops all reads and lets go of everything. */
  async close(reason: unknown): Promise<void> {
    for (const flight of this.#flights) flight.abort.abort(reason)
    this.#held.clear()
    for (const part of this.#parts.values()) await part.then(part => part.close?.(), () => {})
    if (!('read' in this.#source)) await this.#source.close?.()
  }

  #clip({ part, start, end }: Range): Range {
    return { part, start, end: Math.min(end, this.#ends.get(part) ?? Infinity) }
  }

  /** What is there of a range, or on its way, and what is not. */
  #pieces({ part, start, end }: Range): { pieces: Piece[]; gaps: Range[] } {
    const pieces: Piece[] = []
    const gaps: Range[] = []
    const held = this.#held.find(part, start, end)
    const flying = [...this.#flights].filter(flight => flight.part === part && flight.end > start && flight.start < end)
    const candidates: (Range & { bytes: Uint8Array | Promise<Uint8Array> })[] = [...held, ...flying]
    for (let at = start; at < end; ) {
      const here = candidates.find(candidate => candidate.start <= at && candidate.end > at)
      const next = here ? here.end : Math.min(end, ...candidates.map(({ start }) => start).filter(start => start > at))
      const until = Math.min(next, end)
      if (here) {
        const of = here.bytes instanceof Uint8Array ? here.bytes : (here as Flight)
        pieces.push({ start: at, end: until, of, at: here.start })
      } else {
        gaps.push({ part, start: at, end: until })
      }
      at = until
    }
    return { pieces, gaps }
  }

  #start(range: Range): void {
    const abort = new AbortController()
    const flight: Flight = { ...range, abort, waiting: 0, bytes: quiet(this.#fly(range, abort.signal)) }
    this.#flights.add(flight)
    const land = () => this.#flights.delete(flight)
    flight.bytes.then(land, land)
  }

  async #fly({ part, start, end }: Range, signal: AbortSignal): Promise<Uint8Array> {
    await this.#turn()
    try {
      signal.throwIfAborted()
      const source = await this.#part(part)
      this.traffic.requests++
      const bytes = await source.read(start, end - start, { signal })
      signal.throwIfAborted()
      this.traffic.bytes += bytes.length
      this.#options.onTraffic?.({ ...this.traffic })
      if (bytes.length < end - start) this.#ends.set(part, start + bytes.length)
      this.#held.add(part, start, bytes)
      return bytes
    } finally {
      const next = this.#queue.shift()
      if (next) next()
      else this.#running--
    }
  }

  /** Waits until fewer reads are running than may. Who ends hands its place over. */
  async #turn(): Promise<void> {
    if (this.#running < this.#options.concurrency) this.#running++
    else await new Promise<void>(resolve => this.#queue.push(resolve))
  }

  #part(number: number): Promise<ByteSource> {
    const known = this.#parts.get(number)
    if (known) return known
    const part = Promise.resolve('read' in this.#source ? this.#source : this.#source.part(number))
    this.#parts.set(number, part)
    // What is missing now may be there later.
    part.catch(() => this.#parts.delete(number))
    return part
  }

  /** Lets the signal reject what has not come, and the flights know who has left. */
  #abortable(
    reads: Promise<Uint8Array>[], flights: Set<Flight>, signal: AbortSignal | undefined,
  ): Promise<Uint8Array>[] {
    if (!signal || flights.size === 0) return reads.map(quiet)
    const rejects: ((reason: unknown) => void)[] = []
    const leave = onAbort(signal, () => {
      for (const flight of flights) {
        if (--flight.waiting > 0) continue
        // Nobody may join what is stopped.
        this.#flights.delete(flight)
        flight.abort.abort(signal.reason)
      }
      for (const reject of rejects) reject(signal.reason)
    })
    const abortable = reads.map(read => new Promise<Uint8Array>((resolve, reject) => {
      rejects.push(reject)
      read.then(resolve, reject)
    }))
    void Promise.allSettled(reads).then(leave)
    return abortable.map(quiet)
  }
}

async function assemble(pieces: readonly Piece[]): Promise<Uint8Array> {
  const bytes = []
  for (const { start, end, of, at } of pieces) {
    const piece = (of instanceof Uint8Array ? of : await of.bytes).subarray(start - at, end - at)
    bytes.push(piece)
    if (piece.length < end - start) break
  }
  return joined(bytes)
}

/** Whoever cares about a failure awaits the promise; that nobody does yet is no reason to bring the process down. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
