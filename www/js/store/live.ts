// Rows that were not deleted.

import type { NDArray } from '../arrays/ndarray.js'
import { argument, B2ndError } from '../base/errors.js'
import { slice } from '../reading/selection.js'

/** Rows that are there and further apart are read one by one. */
const WIDEST = 2 ** 16

/** Bits of a mask to read at a time. */
const WINDOW = 2 ** 22

/** Stored rows to read, and those of them that are there, counted from the first; `undefined` for all. */
export type Window = readonly [start: number, end: number, picked?: number[]]

/** Consecutive chunks of the mask that are stored in one place, or nowhere. Each has the same rows. */
interface Stretch {
  /** The first stored row, and the one after the last. */
  readonly start: number
  readonly end: number
  /** Stored rows in each chunk, and how many of them are there. */
  readonly chunk: number
  readonly live: number
  /** The number of rows before. */
  readonly before: number
}

/** Finds the rows of a table among those that are stored. */
export class Live {
  /** The number of rows. */
  readonly length: number
  readonly #mask: NDArray<Uint8Array>
  readonly #stretches: readonly Stretch[]
  #last: { readonly start: number; readonly end: number; readonly windows: Promise<Window[]> } | undefined

  private constructor(mask: NDArray<Uint8Array>, stretches: readonly Stretch[], length: number) {
    this.#mask = mask
    this.#stretches = stretches
    this.length = length
  }

  /** Counts the rows of a mask, of which a few chunks are in memory at a time. What is stored in one place is counted once. */
  static async of(mask: NDArray<Uint8Array>): Promise<Live> {
    const stored = mask.shape[0]!
    const { memory } = mask.limits
    const stretches: Stretch[] = []
    let [length, counted] = [0, 0]
    const add = async (start: number, end: number, chunk: number, zeros: boolean) => {
      if (start === end) return
      if (!zeros && (counted += chunk) > memory)
        throw new B2ndError('limit', `${counted} stored rows are to be counted, \`limits.memory\` allows ${memory}`)
      let live = 0
      if (!zeros) for await (const { data } of bits(mask, start, start + chunk)) live += count(data)
      stretches.push({ start, end, chunk, live, before: length })
      length += ((end - start) / chunk) * live
    }
    const chunk = mask.chunks[0]! || 1
    let covered = 0
    for (const { nchunk, count, special } of await mask.chunkMap()) {
      const [first, end] = [nchunk, nchunk + count].map(at => Math.min(at * chunk, stored)) as [number, number]
      // The last chunk may have fewer rows than others.
      const whole = first + Math.floor((end - first) / chunk) * chunk
      const zeros = special === 'zeros' || special === 'uninit'
      await add(first, whole, chunk, zeros)
      await add(whole, end, end - whole, zeros)
      covered = end
    }
    if (covered < stored) throw new B2ndError('format', 'the mask of the table is damaged')
    return new Live(mask, stretches, length)
  }

  /** Where rows are stored, in windows one after the other. Reads the chunks of the mask that have deleted rows among them. */
  windows(start: number, end: number): Promise<Window[]> {
    // The columns of a table ask for the same rows.
    if (this.#last?.start !== start || this.#last.end !== end) {
      const windows = this.#find(start, end)
      windows.catch(() => (this.#last = undefined))
      this.#last = { start, end, windows }
    }
    return this.#last.windows
  }

  async #find(start: number, end: number): Promise<Window[]> {
    if (!(start >= 0 && start <= end && end <= this.length)) throw argument(`the table has no rows ${start} to ${end}`)
    const windows: Window[] = []
    const add = (low: number, high: number, picked?: number[]) => {
      const last = windows.at(-1)
      if (!picked && last && !last[2] && last[1] === low) windows.splice(-1, 1, [last[0], high])
      else windows.push(picked ? [low, high, picked] : [low, high])
    }
    for (let at = start; at < end;) {
      const { stretch, from, before } = this.#chunkOf(at)
      const { chunk, live } = stretch
      if (live === chunk) {
        // So are the other chunks of the stretch.
        const stop = Math.min(end, stretch.before + stretch.end - stretch.start)
        add(stretch.start + at - stretch.before, stretch.start + stop - stretch.before)
        at = stop
        continue
      }
      const stop = Math.min(end, before + live)
      const rows = await this.#rowsOf(from, chunk, at - before, stop - before)
      for (let k = 0; k < rows.length;) {
        const low = rows[k]!
        const first = k
        while (k < rows.length && rows[k]! - low < WIDEST) k++
        const high = rows[k - 1]! + 1
        add(low, high, high - low > k - first ? rows.slice(first, k).map(row => row - low) : undefined)
      }
      at = stop
    }
    return windows
  }

  /** The stored rows of a chunk that are there, of those from the `first`-th up to but excluding the `end`-th. */
  async #rowsOf(from: number, chunk: number, first: number, end: number): Promise<number[]> {
    const rows: number[] = []
    let at = 0
    for await (const part of bits(this.#mask, from, from + chunk)) {
      part.data.forEach((bit, row) => {
        if (bit && at++ >= first && at <= end) rows.push(part.start + row)
      })
      if (at >= end) break
    }
    return rows
  }

  /** The chunk that a row is stored in: its stretch, its first stored row, and the number of rows before it. */
  #chunkOf(row: number): { stretch: Stretch; from: number; before: number } {
    let [low, high] = [0, this.#stretches.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.#stretches[middle]!.before <= row) low = middle
      else high = middle
    }
    const stretch = this.#stretches[low]!
    const { start, chunk, live, before } = stretch
    const k = Math.floor((row - before) / live)
    return { stretch, from: start + k * chunk, before: before + k * live }
  }
}

/** Reads a mask in windows, and so a block that is longer than these within `limits.expansion`. */
async function* bits(mask: NDArray<Uint8Array>, start: number, end: number) {
  for (let low = start; low < end; low += WINDOW) {
    yield { start: low, data: (await mask.get([slice(low, Math.min(low + WINDOW, end))])).data }
  }
}

/** The number of true bits. */
function count(bits: Uint8Array): number {
  let count = 0
  for (const bit of bits) count += bit ? 1 : 0
  return count
}
