// The contrast panel: the range of the colours of a picture, or of each channel of a composite.

import { button, fill, h } from '../dom.js'
import type { Session } from '../model/session.js'
import { roughText } from '../model/values.js'
import { ChannelRow } from './channel-row.js'
import { Handles } from './handles.js'
import './panel.js'

export class Contrast {
  readonly element = h('div', { class: 'panel contrast' })
  readonly #session: Session
  readonly #text = h('p', { class: 'hint', 'aria-live': 'polite' })
  readonly #rows = h('div', {})
  /** The handles of each channel, or of the picture. */
  #channels: ChannelRow[] = []
  #handles: Handles | null = null

  constructor(session: Session) {
    this.#session = session
    fill(
      this.element,
      h('h2', {}, 'Contrast'),
      this.#rows,
      h(
        'div',
        { class: 'buttons' },
        button('Auto range', () => this.#auto('auto'), { title: 'all that is shown now, kept for other positions' }),
        button('1 % to 99 %', () => this.#auto('percentile')),
        button('Auto per plane', () => this.#auto('plane'), {
          title: 'all of each plane: colours mean something else in each',
        }),
      ),
    )
  }

  update(): void {
    const { channels } = this.#session
    const made = channels ? this.#channels.length === channels.length : this.#handles
    if (!made) this.#make()
    if (channels) this.#channels.forEach((row, k) => row.update(channels[k]!))
    else this.#tell()
  }

  close(): void {
    for (const row of [...this.#channels, this.#handles]) row?.close()
  }

  #make(): void {
    const session = this.#session
    this.close()
    this.#channels = (session.channels ?? []).map((_, k) => new ChannelRow(session, k))
    this.#handles = session.channels
      ? null
      : new Handles('', limits => {
          const offset = Number(session.dataset.offset)
          session.set({ range: 'fixed', min: limits.min + offset, max: limits.max + offset })
        })
    fill(
      this.#rows,
      ...this.#channels.map(({ element }) => element),
      this.#handles?.element,
      this.#handles && this.#text,
    )
  }

  #auto(range: 'auto' | 'percentile' | 'plane'): void {
    const session = this.#session
    session.kept.forget()
    const channels = this.#channels.reduce((text, row) => row.automatic(text), session.state.channels)
    if (session.state.range === range && session.state.channels === channels) session.emit('state', ['range'])
    else session.set({ range, channels })
  }

  #tell(): void {
    const {
      limits,
      drawn,
      state: { part },
      dataset: { offset },
    } = this.#session
    const text = (value: number) => roughText(drawn, value, part, offset)
    this.#handles!.show(this.#session.values(), limits, text)
    this.#text.textContent = `${text(limits.min)} to ${text(limits.max)}`
  }
}
