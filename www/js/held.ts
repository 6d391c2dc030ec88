import { countBefore } from './lists.js'

/** Bytes that a cache holds. */
export interface Segment {
  readonly part: number
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array
}

/** Ranges of the parts of a frame, up to a number of bytes: those that were used last. */
export class Held {
  readonly #budget: number
  /** Of each part, in order, none overlapping another. */
  readonly #parts = new Map<number, Segment[]>()
  /** The one that was used last is last. */
  readonly #recent = new Set<Segment>()
  #bytes = 0

  constructor(budget: number) {
    this.#budget = budget
  }

  /** The segments that have bytes of a range, in order. */
  find(part: number, start: number, end: number): Segment[] {
    const segments = this.#parts.get(part) ?? []
    const first = firstAfter(segments, start)
    let last = first
    while (last < segments.length && segments[last]!.start < end) last++
    const found = segments.slice(first, last)
    for (const segment of found) {
      this.#recent.delete(segment)
      this.#recent.add(segment)
    }
    return found
  }

  /** Holds bytes. What they cover is dropped: nothing is held twice. */
  add(part: number, start: number, bytes: Uint8Array): void {
    const end = start + bytes.length
    const there = this.find(part, start, end)
    if (bytes.length === 0 || bytes.length > this.#budget) return
    if (there.some(old => old.start <= start && old.end >= end)) return
    for (const old of there) this.#remove(old)
    const segment = { part, start, end, bytes }
    const segments = this.#parts.get(part) ?? []
    this.#parts.set(part, segments)
    segments.splice(firstAfter(segments, start), 0, segment)
    this.#recent.add(segment)
    this.#bytes += bytes.length
    for (const oldest of this.#recent) {
      if (this.#bytes <= this.#budget) break
      this.#remove(oldest)
    }
  }

  clear(): void {
    this.#parts.clear()
    this.#recent.clear()
    this.#bytes = 0
  }

  #remove(segment: Segment): void {
    const segments = this.#parts.get(segment.part)!
    segments.splice(segments.indexOf(segment), 1)
    this.#recent.delete(segment)
    this.#bytes -= segment.bytes.length
  }
}

/** Which segment is the first that ends after a position. */
const firstAfter = (segments: readonly Segment[], position: number): number =>
  countBefore(segments.length, k => segments[k]!.end > position)
