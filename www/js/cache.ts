/** How many requests were made, and how many bytes came. */
export interface Traffic {
  requests: number
  bytes: number
}

type Read = (part: number, start: number, end: number, signal: AbortSignal) => Promise<Uint8Array>

/** A range of a part: there, or on its way to one or several callers. */
interface Entry {
  part: number
  start: number
  end: number
  bytes?: Uint8Array
  coming?: Promise<Uint8Array>
  abort: AbortController
  waiting: number
}

/**
 * Ranges of compressed bytes, the ones used last kept up to a budget. Callers that want the same range share one read,
 * which is cancelled when the last of them leaves. What failed is forgotten.
 */
export class Cache {
  readonly traffic: Traffic = { requests: 0, bytes: 0 }
  #read: Read
  #budget: number
  #used = 0
  /** In the order of their last use. */
  #entries = new Set<Entry>()
  #onTraffic: ((traffic: Readonly<Traffic>) => void) | undefined

  constructor(read: Read, budget: number, onTraffic?: (traffic: Readonly<Traffic>) => void) {
    this.#read = read
    this.#budget = budget
    this.#onTraffic = onTraffic
  }

  /** Bytes that are kept. */
  get used(): number {
    return this.#used
  }

  /** A range, if it is there. It may be shorter at the end of its part. */
  peek(part: number, start: number, end: number): Uint8Array | undefined {
    const entry = this.#find(part, start, end)
    if (!entry?.bytes) return undefined
    this.#entries.delete(entry)
    this.#entries.add(entry)
    return entry.bytes.subarray(start - entry.start, end - entry.start)
  }

  /** A range, read if it is not there. */
  async get(part: number, start: number, end: number, signal?: AbortSignal): Promise<Uint8Array> {
    signal?.throwIfAborted()
    const known = this.peek(part, start, end)
    if (known) return known
    const entry = this.#find(part, start, end) ?? this.#begin(part, start, end)
    const bytes = await this.#wait(entry, signal)
    return bytes.subarray(start - entry.start, end - entry.start)
  }

  clear(): void {
    for (const entry of this.#entries) if (entry.bytes) this.#entries.delete(entry)
    this.#used = 0
  }

  #find(part: number, start: number, end: number): Entry | undefined {
    for (const entry of this.#entries) {
      if (entry.part === part && entry.start <= start && end <= entry.end) return entry
    }
    return undefined
  }

  #begin(part: number, start: number, end: number): Entry {
    const entry: Entry = { part, start, end, abort: new AbortController(), waiting: 0 }
    this.#entries.add(entry)
    this.traffic.requests++
    entry.coming = this.#read(part, start, end, entry.abort.signal).then(
      bytes => {
        this.traffic.bytes += bytes.length
        this.#onTraffic?.(this.traffic)
        this.#keep(entry, bytes)
        return bytes
      },
      (error: unknown) => {
        this.#entries.delete(entry)
        throw error
      },
    )
    // Whoever has left does not hear of failures.
    entry.coming.catch(() => {})
    return entry
  }

  #keep(entry: Entry, bytes: Uint8Array): void {
    if (entry.abort.signal.aborted || bytes.length > this.#budget) {
      this.#entries.delete(entry)
      return
    }
    entry.bytes = bytes
    delete entry.coming
    this.#used += bytes.length
    for (const old of this.#entries) {
      if (this.#used <= this.#budget) break
      if (old.bytes && old !== entry) {
        this.#entries.delete(old)
        this.#used -= old.bytes.length
      }
    }
  }

  #wait(entry: Entry, signal?: AbortSignal): Promise<Uint8Array> {
    entry.waiting++
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (--entry.waiting === 0 && !entry.bytes) {
          this.#entries.delete(entry)
          entry.abort.abort(signal!.reason)
        }
        reject(signal!.reason as Error)
      }
      signal?.addEventListener('abort', leave, { once: true })
      entry.coming!.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave))
    })
  }
}
