// How the values of a plane become colours: by a map, whose range is that of the values. Views draw what a look says.
import { yieldThen } from '../../js/base/yielding.js'
import type { Slab } from './loader.js'
import type { Layout, Wanted } from './plane.js'
import { prepareSummary, rangeOf, sampleIn, type Box } from './range.js'
import type { Look, Session } from './session.js'
import type { State } from './state.js'
import type { Numbers } from './values.js'

/** A slice that was read: its numbers, the layout of the plane within them, and the part within the window. */
export interface Plane {
  slab: Slab
  wanted: Wanted
  numbers: Numbers
  layout: Layout
  box: Box
}

/** How values become colours in one kind of view. */
export interface LookOf {
  /** The axis whose positions are combined in each pixel. */
  whole(state: State): number | null
  /** Computes what `of` needs in short steps. */
  prepare(session: Session, plane: Plane, signal?: AbortSignal): Promise<void>
  of(session: Session, plane: Plane): Look
}

export const heatmapLook: LookOf = {
  whole: () => null,
  async prepare(session, { slab, box }, signal) {
    await prepareSummary(slab, session.state.part, box, signal)
    await yieldThen(() => rangeOf(session, slab, box))
  },
  of: (session, { slab, box }) => ({ limits: rangeOf(session, slab, box), values: () => sampleIn(session, slab, box) }),
}
