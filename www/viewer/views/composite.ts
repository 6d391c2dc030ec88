// The composite view: additive blending of channels in different colours.
import { yieldThen } from '../../js/base/yielding.js'
import { changed, channelsAlong, type Channel } from '../model/channels.js'
import type { Recipe } from '../model/code-recipe.js'
import { shownBy, strideOf } from '../model/plane.js'
import { prepareSummary, sampleIn, spanOf, summaryOf, type Box } from '../model/range.js'
import type { Range } from '../model/scale.js'
import type { Session } from '../model/session.js'
import { roughText } from '../model/values.js'
import { fill, h, say } from '../dom.js'
import { blend, shrinkAhead } from '../draw/blend.js'
import type { Painted } from '../draw/paint.js'
import { colourMark } from './legend.js'
import { PlaneView, type Shown } from './plane-view.js'
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
    super(session, 'what has no light')
    this.beside.after(this.#legend)
  }

  override close(): void {
    super.close()
    this.session.channels = null
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
    return { ...super.recipe(), composite: { axis: this.whole, channels: this.session.channels ?? [] } }
  }

  protected override get whole(): number {
    return this.session.state.z!
  }

  protected override join(texts: string[]): string {
    return this.#channels()
      .flatMap(({ name, hidden }, k) => (hidden ? [] : `${name} ${texts[k]}`))
      .join(', ')
  }

  protected override async prepare(shown: Shown): Promise<void> {
    const channels = this.#channels()
    // Its size affects the size of the picture.
    if (!this.shown) this.#list(channels)
    for (const [k, channel] of channels.entries()) {
      if (channel.hidden) continue
      const box = this.#box(shown, k)
      await prepareSummary(shown.slab, this.session.state.part, box)
      await yieldThen(() => this.#limits(shown, channel, k))
    }
  }

  protected override async paintAhead(shown: Shown, size: readonly [number, number]): Promise<void> {
    const { numbers, layout, wanted } = shown
    for (const [k, { hidden }] of this.#channels().entries())
      await yieldThen(
        () =>
          hidden ||
          shrinkAhead(this.picture.paper, size, numbers, layout, this.#box(shown, k).layout.from!, shownBy(wanted)),
      )
  }

  protected paint(shown: Shown): Painted {
    const { session } = this
    const channels = this.#channels().map((channel, k) => ({
      ...channel,
      limits: channel.hidden ? (channel.fixed ?? { min: 0, max: 1 }) : this.#limits(shown, channel, k),
      values: () => sampleIn(session, shown.slab, this.#box(shown, k)),
    }))
    session.channels = channels
    this.#list(channels)
    const lights = channels.flatMap(({ hidden, colour, limits }, k) =>
      hidden ? [] : [{ from: this.#box(shown, k).layout.from!, colour, range: limits }],
    )
    return blend(this.picture.paper, shown.numbers, shown.layout, lights, shownBy(shown.wanted))
  }

  protected marks(shown: Shown): HTMLElement[] {
    const { part } = this.session.state
    const nan = this.#channels().reduce(
      (sum, { hidden }, k) => sum + (hidden ? 0 : summaryOf(shown.slab, part, this.#box(shown, k)).nan),
      0,
    )
    return nan ? [colourMark('#000', `${nan.toLocaleString('en')} NaN`)] : []
  }

  #channels(): Channel[] {
    return channelsAlong(this.session.dataset, this.whole, this.session.state.channels)
  }

  /** The part of a channel within the window. */
  #box({ slab, layout, box }: Shown, k: number): Box {
    return { ...box, layout: { ...layout, from: k * strideOf(slab.piece, this.whole) } }
  }

  /** The range of a channel: the chosen one, minus the dataset's `offset`, or that of its values. */
  #limits(shown: Shown, { fixed }: Channel, k: number): Range {
    const offset = Number(this.session.dataset.offset)
    return fixed
      ? { min: fixed.min - offset, max: fixed.max - offset }
      : spanOf(this.session, shown.slab, this.#box(shown, k), `channel ${k}`)
  }

  /** Updates the legend without moving the focus. */
  #list(channels: readonly Channel[]): void {
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
