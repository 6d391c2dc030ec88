// The plane that a view is to show: which slice it needs, samples of it on the way, and how its values become colours.
import { yieldThen } from '../../js/base/yielding.js'
import type { Cost } from '../../js/index.js'
import { keyOf, type Cut } from './cuts.js'
import { Newest, type Slab } from './loader.js'
import type { LookOf, Plane } from './looks.js'
import { layoutOf, overviewText, planeFor, shownBy, windowCuts, type Wanted } from './plane.js'
import { boxOf } from './range.js'
import type { Look, Session } from './session.js'
import { projectionOf, type State } from './state.js'
import { mapFor } from './suggest.js'

/** A view of a plane. */
export interface PlaneViewer {
  /** Another plane is to come, and nothing of this one may be seen. */
  clear(): void
  /** Paints in short steps what `show` will need. */
  ahead(plane: Plane, look: Look): Promise<void>
  show(plane: Plane, look: Look): void
}

export class PlaneReader {
  plane: Plane | null = null
  readonly #session: Session
  readonly #kind: LookOf
  readonly #viewer: PlaneViewer
  readonly #newest = new Newest(true)
  /** The axes of the visible plane, and of the last requested one. */
  #axes = ''
  #asked = ''
  /** The axes of an expensive plane of which only the visible part is read. */
  #partly = ''
  /** The plane of which a sample is shown, until all of it is. */
  #sampled = ''
  #judged = false
  #judging = false

  constructor(session: Session, kind: LookOf, viewer: PlaneViewer) {
    this.#session = session
    this.#kind = kind
    this.#viewer = viewer
  }

  /** The axis whose positions are combined in each pixel. */
  get whole(): number | null {
    return this.#kind.whole(this.#session.state)
  }

  /** The plane, unless it is one of other axes. */
  get current(): Plane | null {
    return this.#axes === axesIn(this.#session.state) ? this.plane : null
  }

  /** The visible slice at full resolution. */
  get cuts(): Cut[] {
    const {
      dataset: { shape },
      state,
      state: { index, x, y, window },
    } = this.#session
    return windowCuts(shape, index, x!, y!, window, [this.whole, projectionOf(state)?.axis ?? null])
  }

  /** Shows what the state asks for: at once if it was read before. */
  update(changed?: readonly (keyof State)[]): void {
    if (this.#judging) return
    const session = this.#session
    const wanted = this.#wantedAt(session.state.index)
    // The cursor alone has moved.
    if (changed?.join() === 'index' && this.current && keyOf(this.current.wanted.cuts) === keyOf(wanted.cuts)) return
    const there = session.loader.peek(wanted.cuts)
    if (there) {
      session.emit('costly', null)
      // A window has a range of its own, and labels are painted one by one: that takes steps.
      const inSteps = changed?.includes('window') || (changed?.includes('map') && session.state.map === 'labels')
      if (!inSteps) {
        this.#newest.stop()
        return this.#show(there, wanted)
      }
    }
    // Other colours need no other sample.
    if (!there && this.plane?.wanted.share && this.#sampled === keyOf(wanted.cuts)) {
      this.#show(this.plane.slab, this.plane.wanted)
      return session.remind()
    }
    const axes = axesIn(session.state)
    // Contents of the previous plane must not be mistaken for this one's.
    if (this.#asked !== axes || session.asking) this.#newest.stop()
    this.#asked = axes
    if (this.plane && this.#axes !== axes) {
      this.plane = null
      this.#viewer.clear()
    }
    this.#newest
      .run(async signal => {
        // A copy is small, and needs no sample.
        const sample = (planned: Promise<Cost>, signal: AbortSignal) => this.#sample(wanted, planned, signal)
        const slab = await session.obtain(wanted.cuts, signal, wanted.overview === 'copy' ? undefined : sample)
        await session.busy(() => this.#showInSteps(slab, wanted, signal))
      })
      .catch((error: unknown) => session.emit('error', error))
  }

  stop(): void {
    this.#newest.stop()
  }

  #planeOf(slab: Slab, wanted: Wanted): Plane {
    const { x, y, part, window } = this.#session.state
    const layout = layoutOf(slab.piece, x!, y!)
    return { slab, wanted, numbers: slab.numbers(part, shownBy(wanted)), layout, box: boxOf(layout, wanted, window) }
  }

  /** Shows a new slice without blocking the page. */
  async #showInSteps(slab: Slab, wanted: Wanted, signal: AbortSignal): Promise<void> {
    const session = this.#session
    await yieldThen(() => slab.numbers(session.state.part, shownBy(wanted)))
    if (signal.aborted) return
    this.#judge(slab)
    const plane = this.#planeOf(slab, wanted)
    await this.#kind.prepare(session, plane, signal)
    if (!signal.aborted) await this.#viewer.ahead(plane, this.#kind.of(session, plane))
    // The window may have changed: that plane comes next, and is prepared as well.
    if (!signal.aborted) this.#present(plane)
  }

  #show(slab: Slab, wanted: Wanted): void {
    this.#judge(slab)
    this.#present(this.#planeOf(slab, wanted))
  }

  #present(plane: Plane): void {
    const session = this.#session
    const { wanted } = (this.plane = plane)
    this.#axes = axesIn(session.state)
    const look = this.#kind.of(session, plane)
    this.#viewer.show(plane, look)
    session.present({ cuts: this.cuts, note: overviewText(session.dataset, wanted) }, look)
    if (!wanted.share) void session.prefetch(index => this.#wantedAt(index).cuts)
  }

  /** Takes the map that the first values suggest, before anything is painted in another one. */
  #judge({ piece }: Slab): void {
    if (this.#judged) return
    this.#judged = true
    const { dataset, state, base } = this.#session
    const map = mapFor(dataset, state, base, piece, layoutOf(piece, state.x!, state.y!).width)
    this.#judging = true
    if (map) this.#session.set({ map })
    this.#judging = false
  }

  get #partial(): boolean {
    return this.#session.state.window !== null && this.#partly === axesIn(this.#session.state)
  }

  #wantedAt(index: readonly number[]): Wanted {
    const { dataset, state } = this.#session
    const { x, y, window } = state
    const tiles = this.#partial ? ([dataset.chunks?.[x!] ?? 512, dataset.chunks?.[y!] ?? 512] as const) : null
    return planeFor(dataset, state, index, x!, y!, { window, whole: this.whole, tiles })
  }

  /** Shows samples of a plane that takes long to read. Of one of which only a part is visible, that part is read instead. */
  async #sample(wanted: Wanted, planned: Promise<Cost>, signal: AbortSignal): Promise<void> {
    if (this.#session.state.window && !this.#partial) {
      this.#partly = axesIn(this.#session.state)
      this.#newest.stop()
      this.update()
      signal.throwIfAborted()
    }
    const { refine } = await import('./refine.js')
    await refine(this.#session, wanted, planned, signal, (slab, sample) => {
      this.#sampled = keyOf(wanted.cuts)
      return this.#showInSteps(slab, sample, signal)
    })
  }
}

const axesIn = ({ x, y }: State): string => `${x} ${y}`
