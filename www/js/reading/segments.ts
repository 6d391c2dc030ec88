// Segments: the parts of a frame in a cache, as ranges of bytes, each of which is there or being read.

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

/** The segments of all parts. */
export type Segments = ReturnType<typeof createSegments>

/** Creates an empty list of segments. Those that were not used for longest are dropped once all have more than `budget` bytes. */
export function createSegments(budget: number) {
  const parts = new Map<number, Part>()
  /** Segments whose bytes are there, least recently used first. */
  const recent = new Set<Segment>()
  let held = 0

  const partOf = (number: number): Part => {
    const part = parts.get(number) ?? { segments: [], end: Infinity }
    parts.set(number, part)
    return part
  }

  /** The segments that overlap a range, sorted. They count as used. */
  const find = ({ part, start, end }: Range): Segment[] => {
    const { segments } = partOf(part)
    const first = countBefore(segments.length, k => segments[k]!.end > start)
    const found = segments.slice(
      first,
      countBefore(segments.length, k => segments[k]!.start >= end),
    )
    for (const segment of found) if (recent.delete(segment)) recent.add(segment)
    return found
  }

  /** Drops a segment. Callers that already wait for it still get its bytes. */
  const drop = (segment: Segment): void => {
    const { segments } = segment.part
    const at = placeOf(segment)
    if (segments[at] === segment) segments.splice(at, 1)
    if (recent.delete(segment)) held -= segment.end - segment.start
  }

  /** Keeps a segment whose bytes were read, unless it was dropped meanwhile. */
  const keep = (segment: Segment, length: number): void => {
    segment.end = segment.start + length
    if (!length || length > budget) drop(segment)
    if (segment.part.segments[placeOf(segment)] !== segment) return
    recent.add(segment)
    held += length
    for (const oldest of recent) if (held > budget) drop(oldest)
  }

  return {
    parts,
    partOf,
    find,
    drop,
    /** Whether the bytes of a segment are there. */
    has: (segment: Segment): boolean => recent.has(segment),
    /** The gaps between the segments within a range. */
    gaps(range: Range): Range[] {
      const found = find(range)
      const last = Math.min(range.end, partOf(range.part).end)
      return [range.start, ...found.map(segment => segment.end)]
        .map((start, k) => ({ part: range.part, start, end: found[k]?.start ?? last }))
        .filter(({ start, end }) => end > start)
    },
    /** Adds a segment that is being read. It stays if that succeeds. */
    add(segment: Segment): void {
      segment.part.segments.splice(placeOf(segment), 0, segment)
      segment.bytes.then(
        bytes => keep(segment, bytes.length),
        () => drop(segment),
      )
    },
    /** Drops all segments. */
    forget(): void {
      for (const part of parts.values()) {
        part.segments.slice().forEach(drop)
        part.end = Infinity
      }
    },
  }
}

/** The index of a segment in its part, or where it would be. */
const placeOf = ({ part: { segments }, start }: Segment): number =>
  countBefore(segments.length, k => segments[k]!.start >= start)
