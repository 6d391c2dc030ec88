// Rows that meet a condition: where they are stored, and how they are found.

import { joined } from '../base/bytes.js'
import { B2ndError } from '../base/errors.js'
import { countBefore, pairs } from '../base/numbers.js'
import { yieldThen } from '../base/yielding.js'
import { mustHave, type Rows, type Window } from './live.js'

/** Rows as near as this are read together: most blocks have more. */
const NEAR = 4096
/** Stored rows in a window. */
const WIDEST = 2 ** 16
/** Rows that are tested at a time. */
const STEP = 2 ** 17

const ALL = new Float64Array()

/** Some rows, by their places among the stored ones. */
export class Found implements Rows {
  readonly length: number
  readonly #places: Float64Array

  constructor(places: Float64Array) {
    this.#places = places
    this.length = places.length
  }

  async windows(start: number, end: number): Promise<Window[]> {
    mustHave(this, start, end)
    return windowsOf(this.#places.subarray(start, end))
  }
}

/** The windows of rows in these places, which are in order. */
function windowsOf(places: Float64Array): Window[] {
  const windows: Window[] = []
  for (let at = 0; at < places.length;) {
    const first = places[at]!
    let next = at + 1
    while (next < places.length && places[next]! - places[next - 1]! <= NEAR && places[next]! - first < WIDEST) next++
    const end = places[next - 1]! + 1
    const picked = end - first === next - at ? ALL : places.subarray(at, next).map(place => place - first)
    windows.push([first, end, picked])
    at = next
  }
  return windows
}

/** The parts of a window whose rows are in ranges, which are in order and do not touch, and how many rows of the window are before each. */
function* within([start, end, picked]: Window, ranges: readonly Range[]): Generator<Part, void, undefined> {
  for (let k = countBefore(ranges.length, k => ranges[k]![1] > start); k < ranges.length && ranges[k]![0] < end; k++) {
    const [low, high] = [Math.max(start, ranges[k]![0]), Math.min(end, ranges[k]![1])]
    if (!picked.length) yield [[low, high, ALL], low - start]
    else {
      const [first, last] = [low, high].map(row => countBefore(picked.length, k => picked[k]! >= row - start))
      let before = first!
      for (const part of windowsOf(picked.subarray(first, last).map(row => start + row))) {
        yield [part, before]
        before += countOf(part)
      }
    }
  }
}

type Part = readonly [window: Window, before: number]

const countOf = ([start, end, picked]: Window): number => picked.length || end - start

/** The first row, and the row after the last one. */
export type Range = readonly [start: number, end: number]

/** Ranges of stored rows that may match, by starts and ends in order. Near ones are one. */
export function rangesOf(ends: readonly number[] | null): Range[] {
  if (!ends) return [[0, Infinity]]
  const ranges: [number, number][] = []
  for (const [start, end] of pairs(ends)) {
    const last = ranges.at(-1)
    if (last && start - last[1] <= NEAR) last[1] = end
    else ranges.push([start, end])
  }
  return ranges
}

/** Tells which rows of a window match, as 1. */
export type Test = (window: Window) => Promise<Uint8Array>

/** How a search is bounded and followed. */
interface Search {
  /** The most rows that may be found. */
  readonly most: number
  /** The number of rows after which the search ends. */
  limit?: number | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: { loaded: number; total: number }) => void) | undefined
}

/** Rows that match, in order: where they are stored, and their numbers among the rows that were searched. */
export interface Matches {
  readonly places: Float64Array
  readonly numbers: Float64Array
}

/** Finds the rows that match. Fails as `limit` if there are too many. */
export async function search(
  rows: Rows,
  ranges: readonly Range[],
  test: Test,
  { most, limit = Infinity, signal, onProgress }: Search,
): Promise<Matches> {
  const found: Matches[] = []
  let count = 0
  for (let at = 0; at < rows.length && count < limit;) {
    const next = Math.min(at + STEP, rows.length)
    let first = at
    for (const window of await rows.windows(at, next)) {
      for (const [part, before] of within(window, ranges)) {
        signal?.throwIfAborted()
        const matches = await test(part)
        const some = await yieldThen(() => matching(part, first + before, matches), signal)
        found.push(some)
        if ((count += some.places.length) > most)
          throw new B2ndError('limit', `more than ${most} rows meet the condition, which limits.memory does not allow`)
      }
      first += countOf(window)
    }
    at = next
    onProgress?.({ loaded: at, total: rows.length })
  }
  signal?.throwIfAborted()
  const all = (lists: Float64Array[]) => joined(lists.length ? lists : [ALL], Float64Array).subarray(0, limit)
  return { places: all(found.map(({ places }) => places)), numbers: all(found.map(({ numbers }) => numbers)) }
}

/** The rows of a window that match. `first` is the number of its first row. */
function matching([start, , picked]: Window, first: number, matches: Uint8Array): Matches {
  const rows: number[] = []
  matches.forEach((isMatch, row) => isMatch && rows.push(row))
  return {
    places: Float64Array.from(rows, row => start + (picked.length ? picked[row]! : row)),
    numbers: Float64Array.from(rows, row => first + row),
  }
}
