// Rows that were not deleted.

import type { NDArray } from '../arrays/ndarray.js'
import { joined } from '../base/bytes.js'
import { argument } from '../base/errors.js'
import { numbersOf, type Engine } from '../engine/engine.js'
import type { Recipe } from '../engine/protocol.js'
import { slice } from '../reading/selection.js'
import { getEngine, recipeOf } from './engine.js'

/** Bits of a mask to read at a time: a block that is longer than these is within `limits.expansion`. */
const WINDOW = 2 ** 22

/** Stored rows to read, and those of them that are there, counted from the first; empty for all. */
export type Window = readonly [start: number, end: number, picked: Float64Array]

/** The rows of a table, or some of them. */
export interface Rows {
  readonly length: number
  /** Where rows are stored, in windows one after the other. Fails as `argument` for rows that are not there. */
  windows(start: number, end: number): Promise<Window[]>
}

/** Finds the rows of a table among those that are stored. */
export class Live implements Rows {
  /** The number of rows. */
  readonly length: number
  readonly #mask: NDArray
  readonly #engine: Engine
  readonly #recipe: Recipe
  #last: { readonly start: number; readonly end: number; readonly windows: Promise<Window[]> } | undefined

  private constructor(mask: NDArray, engine: Engine, recipe: Recipe) {
    this.#mask = mask
    this.#engine = engine
    this.#recipe = recipe
    this.length = engine.call(recipe, 'rows', [], numbersOf)[0]!
  }

  /** Counts the rows of a mask, of which a few chunks are in memory at a time. What is stored in one place is counted once. */
  static async of(mask: NDArray): Promise<Live> {
    const engine = await getEngine()
    const lengths = Float64Array.of(mask.shape[0]!, mask.chunks[0]!)
    const runs = Float64Array.from(
      [...(await mask.chunkMap())].flatMap(({ nchunk, count, special }) => [
        nchunk,
        count,
        Number(special === 'zeros' || special === 'uninit'),
      ]),
    )
    const pieces = engine.call(recipeOf(mask.limits), 'pieces', [lengths, runs], numbersOf)
    const counts: Float64Array[] = []
    for (let k = 0; k < pieces.length;) {
      // Pieces of one length, but for the last, are counted together.
      const [start, first] = [pieces[k]!, pieces[k + 1]!]
      let end = first
      for (k += 2; pieces[k] === end && (end - start) % (first - start) === 0 && end - start < WINDOW; k += 2)
        end = pieces[k + 1]!
      const bits = await mask.stored([slice(start, end)])
      counts.push(engine.call(recipeOf(mask.limits), 'count', bits, numbersOf, first - start))
    }
    const counted = joined(counts.length ? counts : [new Float64Array()], Float64Array)
    return new Live(mask, engine, recipeOf(mask.limits, 'rows', lengths, runs, counted))
  }

  /** Reads the parts of the mask that have deleted rows among them. */
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
    mustHave(this, start, end)
    const windows: Window[] = []
    const spots = this.#engine.call(this.#recipe, 'spots', [], numbersOf, start, end)
    for (let k = 0; k < spots.length; k += 4) {
      const [low, high, from, to] = spots.subarray(k) as unknown as [number, number, number, number]
      if (Number.isNaN(from)) windows.push([low, high, new Float64Array()])
      else {
        const bits = await this.#mask.stored([slice(low, high)])
        const picked = this.#engine.call(this.#recipe, 'pick', bits, numbersOf, from, to)
        windows.push([low + picked[0]!, low + picked[1]!, picked.subarray(2)])
      }
    }
    return windows
  }
}

/** Fails unless there are these rows. */
export function mustHave({ length }: Rows, start: number, end: number): void {
  if (!(start >= 0 && start <= end && end <= length)) throw argument(`the table has no rows ${start} to ${end}`)
}
