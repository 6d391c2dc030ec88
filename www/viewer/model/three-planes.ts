// Three planes through a point, with one range of colours, so that a colour has the same meaning in each.
import type { Cost } from '../../js/index.js'
import { Newest, type Slab } from './loader.js'
import type { Plane } from './looks.js'
import { layoutOf, overviewText, planeFor, shownBy, type Wanted } from './plane.js'
import { boxOf, rangeOf, sampleIn } from './range.js'
import type { Look, Session } from './session.js'
import { mapFor } from './suggest.js'

/** Which axes a plane shows, of x, y and z, and which it stands on. */
export type Axis = 'x' | 'y' | 'z'
export const PAIRS: readonly (readonly [across: Axis, down: Axis, through: Axis])[] = [
  ['x', 'y', 'z'],
  ['x', 'z', 'y'],
  ['z', 'y', 'x'],
]

export class ThreePlanes {
  /** The planes that were read, in the order of `PAIRS`. */
  readonly planes: (Plane | null)[] = PAIRS.map(() => null)
  readonly #session: Session
  readonly #show: (look: Look) => void
  readonly #newest = PAIRS.map(() => new Newest())
  #judged = false
  #judging = false

  /** `show` draws the planes that are there. */
  constructor(session: Session, show: (look: Look) => void) {
    this.#session = session
    this.#show = show
  }

  /** The array's axis that is x, y or z. */
  axis(name: Axis): number {
    return this.#session.state[name]!
  }

  /** Shows what was read before at once, and the others as they come. */
  update(): void {
    if (this.#judging) return
    const found = PAIRS.map((_, k) => this.#find(k))
    if (found.some(Boolean)) this.#present()
  }

  stop(): void {
    for (const newest of this.#newest) newest.stop()
  }

  /** Whether a plane was read before. If not, reads it. */
  #find(k: number): boolean {
    const session = this.#session
    const [x, y] = this.#axesOf(k)
    const wanted = planeFor(session.dataset, session.state, session.state.index, x, y)
    const there = session.loader.peek(wanted.cuts)
    if (there) {
      this.#newest[k]!.stop()
      this.#put(k, there, wanted)
      return true
    }
    const show = (slab: Slab, wanted: Wanted) => {
      this.#put(k, slab, wanted)
      this.#present()
    }
    const newest = this.#newest[k]!
    newest
      .run(async signal => {
        const sample = async (planned: Promise<Cost>, signal: AbortSignal) => {
          const { refine } = await import('./refine.js')
          await refine(session, wanted, planned, signal, show, [x, y])
        }
        // A copy is small, and needs no sample.
        const slab = await session.obtain(wanted.cuts, signal, wanted.overview === 'copy' ? undefined : sample)
        show(slab, wanted)
      })
      .catch((error: unknown) => session.emit('error', error))
    return false
  }

  #axesOf(k: number): [x: number, y: number] {
    return [this.axis(PAIRS[k]![0]), this.axis(PAIRS[k]![1])]
  }

  #put(k: number, slab: Slab, wanted: Wanted): void {
    this.#judge(slab)
    const layout = layoutOf(slab.piece, ...this.#axesOf(k))
    const numbers = slab.numbers(this.#session.state.part, shownBy(wanted))
    this.planes[k] = { slab, wanted, numbers, layout, box: boxOf(layout, wanted, null) }
  }

  /** Takes the map that the first values suggest, before anything is painted in another one. */
  #judge({ piece }: Slab): void {
    if (this.#judged) return
    this.#judged = true
    const { dataset, state, base } = this.#session
    const map = mapFor(dataset, state, base, piece, piece.shape.at(-1)!)
    this.#judging = true
    if (map) this.#session.set({ map })
    this.#judging = false
  }

  #present(): void {
    const session = this.#session
    const look = this.#look()
    this.#show(look)
    const wanted = this.planes.flatMap(plane => plane?.wanted ?? [])
    const [cuts, ...others] = wanted.map(({ cuts }) => cuts)
    const note = wanted.map(one => overviewText(session.dataset, one)).find(Boolean)
    session.present({ cuts: cuts!, others, note }, look)
  }

  #look(): Look {
    const session = this.#session
    const ranges = this.planes.flatMap((plane, k) =>
      plane ? rangeOf(session, plane.slab, plane.box, PAIRS[k]!.join('')) : [],
    )
    const known = ranges.filter(({ min }) => !Number.isNaN(min))
    const first = this.planes.find(plane => plane)!
    return {
      limits: { min: Math.min(...known.map(({ min }) => min)), max: Math.max(...known.map(({ max }) => max)) },
      values: () => sampleIn(session, first.slab, first.box),
    }
  }
}
