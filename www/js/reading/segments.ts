// What a cache keeps of the parts of a frame: ranges of bytes, each of which is there or being read.

import { countBefore } from '../base/numbers.js'
import type { ByteSource } from '../sources/source.js'
import type { Range } from './ranges.js'

/** A range of bytes. */
export interface Segment {
  readonly part: Part
  readonly start: number
  end: number
  /** The number of callers that wait. They share the read, which is aborted when the last caller leaves. */
  waiting: number
  readonly abort: AbortController
  bytes: Promise<Uint8Array>
}

/** A part of a frame. */
export interface Part {
  source?: Promise<ByteSource> | undefined
  /** Sorted and disjoint. */
  readonly segments: Segment[]
  /** The length of the part, once known. */
  end: number
}

/** The segments of all parts. Those that were not used for longest are dropped once all have more than `budget` bytes. */
export class Segments {
  readonly parts = new Map<number, Part>()
  /** Those whose bytes are there, least recently used first. */
  readonly #recent = new Set<Segment>()
  readonly #budget: number
  #held = 0

  constructor(budget: number) {
    this.#budget = budget
  }

  part(number: number): Part {
    const part = this.parts.get(number) ?? { segments: [], end: Infinity }
    this.parts.set(number, part)
    return part
  }

  /** Whether the bytes of a segment are there. */
  has(segment: Segment): boolean {
    return this.#recent.has(segment)
  }

  /** The segments that overlap a range, sorted. They count as used. */
  find({ part, start, end }: Range): Segment[] {
    const { segments } = this.part(part)
    const first = countBefore(segments.length, k => segments[k]!.end > start)
    const found = segments.slice(
      first,
      countBefore(segments.length, k => segments[k]!.start >= end),
    )
    for (const segment of found) if (this.#recent.delete(segment)) this.#recent.add(segment)
    return found
  }

  /** The gaps between the segments within a range. */
  gaps(range: Range): Range[] {
    const found = this.find(range)
    const last = Math.min(range.end, this.part(range.part).end)
    return [range.start, ...found.map(segment => segment.end)]
      .map((start, k) => ({ part: range.part, start, end: found[k]?.start ?? last }))
      .filter(({ start, end }) => end > start)
  }

  /** Adds a segment that is being read. */
  add(segment: Segment): void {
    segment.part.segments.splice(placeOf(segment), 0, segment)
  }

  /** Keeps a segment whose bytes were read, unless it was dropped meanwhile. */
  keep(segment: Segment, length: number): void {
    segment.end = segment.start + length
    if (!length || length > this.#budget) this.drop(segment)
    if (segment.part.segments[placeOf(segment)] !== segment) return
    this.#recent.add(segment)
    this.#held += length
    for (const oldest of this.#recent) if (this.#held > this.#budget) this.drop(oldest)
  }

  /** Drops a segment. Callers that already wait for it still get its bytes. */
  drop(segment: Segment): void {
    const { segments } = segment.part
    const at = placeOf(segment)
    if (segments[at] === segment) segments.splice(at, 1)
    if (this.#recent.delete(segment)) this.#held -= segment.end - segment.start
  }

  /** Drops all segments. */
  forget(): void {
    for (const part of this.parts.values()) {
      for (const segment of part.segments.slice()) this.drop(segment)
      part.end = Infinity
    }
  }
}

/** The index of a segment in its part, or where it would be. */
const placeOf = ({ part: { segments }, start }: Segment): number =>
  countBefore(segments.length, k => segments[k]!.start >= start)
