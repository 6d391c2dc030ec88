// Rows that were not deleted.

import type { NDArray } from '../arrays/ndarray.js'
import { argument } from '../base/errors.js'
import { slice } from '../reading/selection.js'

/** Stored rows to read, and those of them that are there, counted from the first; `undefined` for all. */
export type Window = readonly [start: number, end: number, picked?: number[]]

/** Consecutive stored rows: the first, and the number of those before the end that are there. */
interface Stretch {
  readonly start: number
  readonly end: number
}

/** Finds the rows of a table among those that are stored. */
export class Live {
  readonly #mask: NDArray<Uint8Array>
  /** One for each chunk of the mask. */
  readonly #stretches: readonly Stretch[]
  #last: { readonly start: number; readonly end: number; readonly window: Promise<Window> } | undefined

  private constructor(mask: NDArray<Uint8Array>, stretches: readonly Stretch[]) {
    this.#mask = mask
    this.#stretches = stretches
  }

  /** Counts the rows of a mask, of which a few chunks are in memory at a time. */
  static async of(mask: NDArray<Uint8Array>): Promise<Live> {
    const stretches: Stretch[] = []
    let end = 0
    for await (const { start, data } of mask.parts()) {
      for (const bit of data) end += bit ? 1 : 0
      stretches.push({ start: start[0]!, end })
    }
    return new Live(mask, stretches)
  }

  /** The number of rows. */
  get length(): number {
    return this.#stretches.at(-1)?.end ?? 0
  }

  /** Where rows are stored. Reads the chunks of the mask that have deleted rows among them. */
  window(start: number, end: number): Promise<Window> {
    // The columns of a table ask for the same rows.
    if (this.#last?.start !== start || this.#last.end !== end) {
      const window = this.#find(start, end)
      window.catch(() => (this.#last = undefined))
      this.#last = { start, end, window }
    }
    return this.#last.window
  }

  async #find(start: number, end: number): Promise<Window> {
    if (!(start >= 0 && start <= end && end <= this.length)) throw argument(`the table has no rows ${start} to ${end}`)
    if (start === end) return [0, 0]
    const all = this.#stretches
    const first = all.findIndex(stretch => stretch.end > start)
    const last = all.findIndex(stretch => stretch.end >= end)
    const before = all[first - 1]?.end ?? 0
    const from = all[first]!.start
    const to = all[last + 1]?.start ?? this.#mask.shape[0]!
    if (to - from === all[last]!.end - before) return [from + start - before, from + end - before]
    const { data } = await this.#mask.get([slice(from, to)])
    const rows: number[] = []
    data.forEach((bit, row) => bit && rows.push(row))
    const picked = rows.slice(start - before, end - before)
    const [low, high] = [picked[0]!, picked.at(-1)!]
    return high - low < picked.length
      ? [from + low, from + high + 1]
      : [from + low, from + high + 1, picked.map(row => row - low)]
  }
}
