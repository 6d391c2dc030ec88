// An array with smaller copies of itself, such as the levels of OME-NGFF: overviews are read from the smallest that is fine enough.

import type { Cost } from '../../js/index.js'
import type { Cut } from './cuts.js'
import { Dataset, type Options, type Piece, type ReadOptions } from './dataset.js'

/** A smaller copy. */
export interface Level {
  dataset: Dataset
  /** Items of the array for each item of the copy, along each axis. */
  factors: readonly number[]
}

/** How many times longer an array is along each axis; null if it is no multiple, or a copy of the same size. */
export function factorsOf(shape: readonly number[], small: readonly number[]): number[] | null {
  if (shape.length !== small.length) return null
  const factors = shape.map((length, axis) => Math.round(length / small[axis]!))
  const fits = factors.every(
    (factor, axis) => factor >= 1 && factor < Infinity && Math.ceil(shape[axis]! / factor) === small[axis],
  )
  return fits && factors.some(factor => factor > 1) ? factors : null
}

export class Pyramid extends Dataset {
  readonly #levels: readonly Level[]

  /** Takes the place of `dataset`; closing it closes the levels. */
  constructor(dataset: Dataset, levels: readonly Level[]) {
    const { name, url, remote, imported, member, opened } = dataset
    super({ name, remote, imported, member, ...(url !== undefined && { url }) }, opened)
    this.missing = dataset.missing
    this.inherited = dataset.inherited
    this.#levels = levels
  }

  override levelFor(step: number, axes: readonly number[]): number | null {
    // Means of large integers need a common offset.
    const isLarge = this.itemsize === 8 && this.type.kind !== 'float'
    let best: number | null = null
    for (const [k, { factors }] of this.#levels.entries()) {
      const fits = axes.every(axis => (isLarge ? step === factors[axis] : Number.isInteger(step / factors[axis]!)))
      const isSmaller = (than: Level) => axes.some(axis => factors[axis]! > than.factors[axis]!)
      if (fits && (best === null || isSmaller(this.#levels[best]!))) best = k
    }
    return best
  }

  override async read(cuts: readonly Cut[], options: ReadOptions = {}): Promise<Piece> {
    const level = this.#levelOf(cuts)
    if (!level) return super.read(cuts, options)
    return { ...(await level.dataset.read(scaled(cuts, level), options)), cuts }
  }

  override async plan(cuts: readonly Cut[], options: Options = {}): Promise<Cost> {
    const level = this.#levelOf(cuts)
    return level ? level.dataset.plan(scaled(cuts, level), options) : super.plan(cuts, options)
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), ...this.#levels.map(({ dataset }) => dataset.close())])
  }

  #levelOf(cuts: readonly Cut[]): Level | undefined {
    const cut = cuts.find(cut => typeof cut !== 'number' && cut.level !== undefined)
    return typeof cut === 'object' ? this.#levels[cut.level!] : undefined
  }
}

/** A slice of an overview as one of a copy. Starts are multiples of steps, and these of factors. */
const scaled = (cuts: readonly Cut[], { factors }: Level): Cut[] =>
  cuts.map((cut, axis) => {
    const factor = factors[axis]!
    if (typeof cut === 'number') return Math.floor(cut / factor)
    const { start, stop, step, cells } = cut
    const small = { start: start / factor, stop: Math.ceil(stop / factor), step: Math.max(1, step / factor) }
    return cells === undefined || small.step === 1 ? small : { ...small, cells }
  })
