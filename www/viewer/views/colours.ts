// The RGB view: a plane of colours, optionally with opacity.

import { paintColours, shrinkColoursAhead, type ColourLayout } from '../draw/paint-colours.js'
import type { Painted } from '../draw/paint.js'
import type { Plane } from '../model/looks.js'
import { strideOf } from '../model/plane.js'
import { rgbLook } from '../model/rgb-look.js'
import type { Look, Session } from '../model/session.js'
import { PlaneView } from './plane-view.js'
import type { Figure } from './view.js'

export class Colours extends PlaneView {
  constructor(session: Session) {
    super(session, rgbLook, 'what has no colour')
  }

  figure(): Figure {
    return { picture: this.picture.scene, bar: null }
  }

  protected override async paintAhead(plane: Plane, _: Look, size: readonly [number, number]): Promise<void> {
    await shrinkColoursAhead(this.picture.paper, size, plane.numbers, this.#layout(plane))
  }

  protected override paint(plane: Plane, { limits }: Look): Painted {
    return paintColours(this.picture.paper, plane.numbers, this.#layout(plane), limits)
  }

  protected override marks(): [] {
    return []
  }

  /** The layout of the colours within the numbers. */
  #layout({ slab, layout }: Plane): ColourLayout {
    const axis = this.reader.whole!
    return { ...layout, deep: strideOf(slab.piece, axis), channels: this.session.dataset.shape[axis]! }
  }
}
