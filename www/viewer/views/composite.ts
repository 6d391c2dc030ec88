// The composite view: additive blending of channels in different colours.
import { yieldThen } from '../../js/base/yielding.js'
import { fill, h, say } from '../dom.js'
import { blend, shrinkAhead } from '../draw/blend.js'
import type { Painted } from '../draw/paint.js'
import { changed } from '../model/channels.js'
import type { Recipe } from '../model/code-recipe.js'
import { channelBox, channelsIn, compositeLook } from '../model/composite-look.js'
import type { Plane } from '../model/looks.js'
import { shownBy } from '../model/plane.js'
import { summaryOf } from '../model/range.js'
import type { Look, Session, ShownChannel } from '../model/session.js'
import { roughText } from '../model/values.js'
import { colourMark } from './legend.js'
import { PlaneView } from './plane-view.js'
import type { Figure } from './view.js'

/** A channel in the legend. */
interface Entry {
  item: HTMLElement
  box: HTMLInputElement
  name: HTMLElement
}

export class Composite extends PlaneView {
  readonly #legend = h('ul', { class: 'legend channels', 'aria-label': 'colours of the channels' })
  #entries: Entry[] = []

  constructor(session: Session) {
    super(session, compositeLook, 'what has no light')
    this.beside.after(this.#legend)
  }

  figure(): Figure {
    const { drawn, dataset, state } = this.session
    const text = (value: number) => roughText(drawn, value, state.part, dataset.offset)
    return {
      picture: this.picture.scene,
      bar: null,
      legend: (this.session.channels ?? [])
        .filter(({ hidden }) => !hidden)
        .map(({ name, colour, limits: { min, max } }) => ({ colour, text: `${name}: ${text(min)} to ${text(max)}` })),
    }
  }

  override recipe(): Recipe {
    return { ...super.recipe(), composite: { axis: this.reader.whole!, channels: this.session.channels ?? [] } }
  }

  protected override join(texts: string[]): string {
    return channelsIn(this.session)
      .flatMap(({ name, hidden }, k) => (hidden ? [] : `${name} ${texts[k]}`))
      .join(', ')
  }

  protected override async paintAhead(plane: Plane, look: Look, size: readonly [number, number]): Promise<void> {
    const { numbers, layout, wanted } = plane
    for (const [k, { hidden }] of look.channels!.entries())
      await yieldThen(
        () => hidden || shrinkAhead(this.picture.paper, size, numbers, layout, this.#from(plane, k), shownBy(wanted)),
      )
  }

  protected override paint(plane: Plane, look: Look): Painted {
    const lights = look.channels!.flatMap(({ hidden, colour, limits }, k) =>
      hidden ? [] : [{ from: this.#from(plane, k), colour, range: limits }],
    )
    return blend(this.picture.paper, plane.numbers, plane.layout, lights, shownBy(plane.wanted))
  }

  protected override marks(plane: Plane, look: Look): HTMLElement[] {
    const { part } = this.session.state
    const channels = look.channels!
    this.#list(channels)
    const nan = channels.reduce(
      (sum, { hidden }, k) => sum + (hidden ? 0 : summaryOf(plane.slab, part, channelBox(this.session, plane, k)).nan),
      0,
    )
    return nan ? [colourMark('#000', `${nan.toLocaleString('en')} NaN`)] : []
  }

  /** The index of the first number of a channel. */
  #from(plane: Plane, k: number): number {
    return channelBox(this.session, plane, k).layout.from!
  }

  /** Updates the legend without moving the focus. */
  #list(channels: readonly ShownChannel[]): void {
    if (this.#entries.length !== channels.length) {
      this.#entries = channels.map((_, k) => this.#entry(k))
      fill(this.#legend, ...this.#entries.map(({ item }) => item))
    }
    this.#entries.forEach(({ item, box, name }, k) => {
      box.checked = !channels[k]!.hidden
      say(name, channels[k]!.name)
      item.querySelector('i')!.style.background = channels[k]!.colour
    })
  }

  #entry(k: number): Entry {
    const { session } = this
    const box = h('input', {
      type: 'checkbox',
      change: () => session.set({ channels: changed(session.state.channels, k, { hidden: !box.checked }) }),
    })
    const name = h('span', {})
    return { item: h('li', {}, h('label', { class: 'toggle' }, box, h('i', {}), name)), box, name }
  }
}
