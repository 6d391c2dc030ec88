// A plane whose items are colours: red, green and blue, perhaps with opacity.
import { strideOf } from '../data/plane.js'
import { rangeOf, sampleIn } from '../data/range.js'
import { paintColours } from '../draw/paint-colours.js'
import type { Painted } from '../draw/paint.js'
import type { Range } from '../draw/scale.js'
import type { Session } from '../session.js'
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

  protected paint(shown: Shown): Painted {
    const { session, whole } = this
    const { slab, numbers, layout } = shown
    const all = everythingIn(shown)
    const range = this.#range(all)
    session.limits = range
    session.values = () => sampleIn(session, slab, all.box)
    return paintColours(
      'rgb',
      numbers,
      { ...layout, deep: strideOf(slab.piece, whole), channels: session.dataset.shape[whole]! },
      range,
    )
  }

  protected marks(): [] {
    return []
  }

  /** Bytes are colours as they are. */
  #range({ slab, box }: Shown): Range {
    const {
      dataset: { type },
      state: { range },
    } = this.session
    const whole = type.kind === 'uint' && type.size === 1 && range === 'auto'
    return whole ? { min: 0, max: 255 } : rangeOf(this.session, slab, box)
  }
}

/** All numbers, whatever axes they are of. */
function everythingIn(shown: Shown): Shown {
  const { length } = shown.numbers
  const layout = { width: length, height: 1, right: 1, down: 0 }
  return { ...shown, layout, box: { layout, columns: [0, length], rows: [0, 1] } }
}
