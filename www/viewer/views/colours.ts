// The RGB view: a plane of colours, optionally with opacity.
import { strideOf } from '../model/plane.js'
import { prepareSummary, rangeOf, sampleIn } from '../model/range.js'
import type { Range } from '../model/scale.js'
import type { Session } from '../model/session.js'
import { paintColours, shrinkColoursAhead, type ColourLayout } from '../draw/paint-colours.js'
import type { Painted } from '../draw/paint.js'
import { PlaneView, type Shown } from './plane-view.js'
import type { Figure } from './view.js'

export class Colours extends PlaneView {
  constructor(session: Session) {
    super(session, 'what has no colour')
  }

  figure(): Figure {
    return { picture: this.picture.scene, bar: null }
  }

  protected override get whole(): number {
    return this.session.state.z!
  }

  protected override async prepare(shown: Shown): Promise<void> {
    const { slab, box } = everythingIn(shown)
    if (!this.#asBytes) await prepareSummary(slab, this.session.state.part, box)
  }

  protected override async paintAhead(shown: Shown, size: readonly [number, number]): Promise<void> {
    await shrinkColoursAhead(this.picture.paper, size, shown.numbers, this.#layout(shown))
  }

  protected paint(shown: Shown): Painted {
    const { session } = this
    const all = everythingIn(shown)
    const range = this.#range(all)
    session.limits = range
    session.values = () => sampleIn(session, shown.slab, all.box)
    return paintColours(this.picture.paper, shown.numbers, this.#layout(shown), range)
  }

  protected marks(): [] {
    return []
  }

  /** The layout of the colours within the numbers. */
  #layout({ slab, layout }: Shown): ColourLayout {
    return { ...layout, deep: strideOf(slab.piece, this.whole), channels: this.session.dataset.shape[this.whole]! }
  }

  /** Bytes are colours without conversion. */
  get #asBytes(): boolean {
    const {
      dataset: { type },
      state: { range },
    } = this.session
    return type.kind === 'uint' && type.size === 1 && range === 'auto'
  }

  #range({ slab, box }: Shown): Range {
    return this.#asBytes ? { min: 0, max: 255 } : rangeOf(this.session, slab, box)
  }
}

/** All numbers, regardless of their axes, in as many rows as the picture has. */
function everythingIn(shown: Shown): Shown {
  const { height } = shown.layout
  const width = shown.numbers.length / height
  const layout = { width, height, right: 1, down: width }
  return { ...shown, layout, box: { layout, columns: [0, width], rows: [0, height] } }
}
