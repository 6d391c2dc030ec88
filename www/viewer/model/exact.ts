// The exact value of one item, even if a view shows an overview.

import type { Cut } from './cuts.js'
import { Newest, type Slab } from './loader.js'
import { strideOf } from './plane.js'
import type { Session } from './session.js'
import { textOf } from './values.js'
import { WHY } from './why.js'

/** Items along an axis to read together with the requested one, because the next request is likely to be near. */
const NEAR = 64
/** Milliseconds that the pointer must rest before a value is fetched over a network. */
const REST = 80

export class Exact {
  readonly #session: Session
  readonly #axes: () => (number | null)[]
  readonly #whole: () => number | null
  readonly #join: (texts: string[]) => string
  readonly #newest = new Newest()

  /** `axes` are those that the pointer moves along. All items along `whole` are combined by `join`. */
  constructor(
    session: Session,
    axes: () => (number | null)[],
    whole: () => number | null = () => null,
    join = (texts: string[]) => texts.join(', '),
  ) {
    this.#session = session
    this.#axes = axes
    this.#whole = whole
    this.#join = join
  }

  /** The text of an item; null if it must be read first. Then `later` is called with it, unless another item is requested
   * before. */
  text(index: readonly number[], later: (text: string) => void): string | null {
    const { dataset, loader } = this.#session
    const why = dataset.missing?.at(index)
    if (why && why !== 'uninit') return WHY[why]
    const cuts = this.#around(index)
    const there = loader.peek(cuts)
    this.#newest.stop()
    if (there) return this.#textIn(there, index)
    this.#newest
      .run(async signal => {
        if (dataset.remote) await new Promise(resolve => setTimeout(resolve, REST))
        const slab = await loader.load(cuts, signal)
        later(this.#textIn(slab, index))
      })
      .catch((error: unknown) => this.#session.emit('error', error))
    return null
  }

  close(): void {
    this.#newest.stop()
  }

  #around(index: readonly number[]): Cut[] {
    const { shape } = this.#session.dataset
    return shape.map((length, axis): Cut => {
      if (axis === this.#whole()) return { start: 0, stop: length, step: 1 }
      if (!this.#axes().includes(axis)) return index[axis]!
      const start = Math.floor(index[axis]! / NEAR) * NEAR
      return { start, stop: Math.min(length, start + NEAR), step: 1 }
    })
  }

  #textIn({ piece }: Slab, index: readonly number[]): string {
    const {
      dataset: { type, shape, missing },
    } = this.#session
    const whole = this.#whole()
    const at = piece.cuts.reduce(
      (sum: number, cut, axis) =>
        sum + (typeof cut === 'number' || axis === whole ? 0 : (index[axis]! - cut.start) * strideOf(piece, axis)),
      0,
    )
    const items =
      whole === null ? [at] : Array.from({ length: shape[whole]! }, (_, k) => at + k * strideOf(piece, whole))
    const text = this.#join(items.map(item => textOf(type, piece.data, item, piece.width)))
    const why = missing?.at(index)
    return !why ? text : why === 'uninit' ? `${text} (${WHY.uninit})` : WHY[why]
  }
}
