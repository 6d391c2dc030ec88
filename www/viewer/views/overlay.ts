// The labels of a segmentation over the pictures of an image.

import { labelColour } from '../draw/colours.js'
import { paintLabels } from '../draw/paint-labels.js'
import { Paper } from '../draw/paper.js'
import type { Picture } from '../draw/picture.js'
import { addCounts, type Label, type Labels } from '../model/labels.js'
import { Loader, Newest, type Slab } from '../model/loader.js'
import { layoutOf, type Layout, type Wanted } from '../model/plane.js'
import type { Session } from '../model/session.js'
import type { Numbers } from '../model/values.js'

/** The labels over one picture. */
interface Layer {
  readonly paper: Paper
  readonly newest: Newest
  /** The labels that are shown. */
  shown: { numbers: Numbers; layout: Layout; wanted: Wanted } | null
}

export class Overlay {
  readonly labels: Labels
  readonly #session: Session
  readonly #loader: Loader
  readonly #layers = new Map<Picture, Layer>()

  constructor(session: Session, labels: Labels, budget: number) {
    this.#session = session
    this.labels = labels
    this.#loader = new Loader(labels.dataset, budget)
  }

  /** A label with the settings of the view. */
  label = (value: number): Label & { colour: number } => {
    const label = this.labels.label(value, this.#session.state.labels)
    return { ...label, colour: label.colour ?? labelColour(value) }
  }

  /** Shows the labels of what a picture shows, as soon as they were read. */
  show(picture: Picture, wanted: Wanted, x: number, y: number): void {
    const layer = this.#layerOf(picture)
    layer.newest.stop()
    // A sample of an image has no plane yet.
    const cuts = wanted.share ? null : this.labels.cutsFor(wanted.cuts, [x, y])
    const there = cuts && this.#loader.peek(cuts)
    if (!cuts || !there) this.#clear(picture, layer)
    if (there) this.#put(picture, layer, there, wanted, x, y)
    else if (cuts)
      layer.newest
        .run(async signal => {
          const slab = await this.#loader.load(cuts, signal)
          if (!signal.aborted) this.#put(picture, layer, slab, wanted, x, y)
        })
        .catch((error: unknown) => this.#session.emit('error', error))
  }

  /** The name of the label of an item under the pointer; empty if there is none. */
  textAt(picture: Picture, [x, y]: readonly [number, number]): string {
    const shown = this.#layers.get(picture)?.shown
    if (!shown) return ''
    const { numbers, layout, wanted } = shown
    const [column, row] = [Math.floor((x - wanted.x) / wanted.step), Math.floor((y - wanted.y) / wanted.step)]
    if (column < 0 || row < 0 || column >= layout.width || row >= layout.height || wanted.step > 1) return ''
    const value = numbers[column * layout.right + row * layout.down]!
    return value > 0 ? this.label(value).name : ''
  }

  /** How many pixels each visible label has, in all pictures. */
  counts(): Map<number, number> {
    const counts = new Map<number, number>()
    for (const { shown } of this.#layers.values()) if (shown) addCounts(counts, shown.numbers, 0, shown.numbers.length)
    return counts
  }

  /** Forgets the pictures of a view. */
  forget(): void {
    for (const [picture, layer] of this.#layers) {
      layer.newest.stop()
      this.#clear(picture, layer)
    }
    this.#layers.clear()
  }

  close(): void {
    this.forget()
    this.#loader.forget()
    void this.labels.dataset.close()
  }

  #layerOf(picture: Picture): Layer {
    const there = this.#layers.get(picture)
    if (there) return there
    const layer: Layer = { paper: new Paper(), newest: new Newest(), shown: null }
    this.#layers.set(picture, layer)
    return layer
  }

  #clear(picture: Picture, layer: Layer): void {
    layer.shown = null
    picture.show({ over: null })
  }

  #put(picture: Picture, layer: Layer, slab: Slab, wanted: Wanted, x: number, y: number): void {
    let numbers: Numbers
    try {
      numbers = slab.memo('labels', () => this.labels.numbers(slab.piece.data))
    } catch (error) {
      this.#clear(picture, layer)
      this.#session.emit('error', error)
      return
    }
    const layout = layoutOf(slab.piece, this.labels.axisFor(x), this.labels.axisFor(y))
    const isNew = layer.shown?.numbers !== numbers
    layer.shown = { numbers, layout, wanted }
    const painted = paintLabels(layer.paper, numbers, layout, this.#session.state.labels, this.label)
    const { x: left, y: top, width, height } = wanted
    picture.show({ over: { ...painted, x: left, y: top, width, height, opacity: this.#session.state.opacity } })
    if (isNew) this.#session.emit('labelled', null)
  }
}
