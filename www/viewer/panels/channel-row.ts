// The controls of a channel: visibility, name, colour and range.

import { button, h } from '../dom.js'
import { changed } from '../model/channels.js'
import type { Range } from '../model/scale.js'
import type { Session, ShownChannel } from '../model/session.js'
import { roughText } from '../model/values.js'
import { Handles } from './handles.js'

type Patch = Parameters<typeof changed>[2]

export class ChannelRow {
  readonly element: HTMLElement
  readonly #session: Session
  readonly #k: number
  readonly #seen: HTMLInputElement
  readonly #name: HTMLInputElement
  readonly #colour: HTMLInputElement
  readonly #auto: HTMLButtonElement
  readonly #ends: readonly [HTMLInputElement, HTMLInputElement]
  readonly #handles: Handles
  #limits: Range = { min: 0, max: 1 }

  constructor(session: Session, k: number) {
    this.#session = session
    this.#k = k
    const of = ` of channel ${k}`
    const end = (label: string, key: 'min' | 'max') => {
      const input = h('input', {
        type: 'text',
        inputMode: 'decimal',
        size: 7,
        'aria-label': `${label}${of}`,
        change: () => {
          const value = Number(input.value.replaceAll(',', ''))
          if (input.value.trim() && Number.isFinite(value)) this.#fix({ ...this.#limits, [key]: value - this.#offset })
          else this.update(session.channels![k]!)
        },
      })
      return input
    }
    this.#seen = h('input', {
      type: 'checkbox',
      'aria-label': `show channel ${k}`,
      change: () => this.#set({ hidden: !this.#seen.checked }),
    })
    this.#name = h('input', {
      type: 'text',
      'aria-label': `name${of}`,
      change: () => this.#set({ name: this.#name.value.trim() }),
    })
    this.#colour = h('input', {
      type: 'color',
      'aria-label': `colour${of}`,
      input: () => this.#set({ colour: this.#colour.value }),
    })
    this.#auto = button('Auto', () => this.#set({ fixed: 'auto' }), {
      'aria-label': `auto range${of}`,
      title: 'the range of what is shown',
    })
    this.#ends = [end('least', 'min'), end('greatest', 'max')]
    this.#handles = new Handles(of, limits => this.#fix(limits))
    this.element = h(
      'div',
      { class: 'channel', role: 'group', 'aria-label': `channel ${k}` },
      h('div', { class: 'group' }, this.#seen, this.#colour, this.#name),
      this.#handles.element,
      h('div', { class: 'group' }, this.#ends[0], h('span', {}, 'to'), this.#ends[1], this.#auto),
    )
  }

  /** The text of a link in which the channel has the range of its values. */
  automatic(text: string): string {
    return this.#auto.disabled ? text : changed(text, this.#k, { fixed: 'auto' })
  }

  update({ name, colour, hidden, fixed, limits, values }: ShownChannel): void {
    const {
      drawn,
      state: { part },
      dataset: { offset },
    } = this.#session
    const text = (value: number) => roughText(drawn, value, part, offset)
    this.#limits = limits
    this.#seen.checked = !hidden
    this.#put(this.#name, name)
    this.#put(this.#colour, colour)
    this.#put(this.#ends[0], text(limits.min))
    this.#put(this.#ends[1], text(limits.max))
    this.#auto.disabled = !fixed
    this.element.classList.toggle('hidden', hidden)
    if (!hidden) this.#handles.show(values(), limits, text)
  }

  close(): void {
    this.#handles.close()
  }

  /** Does not change a field that the user is editing. */
  #put(input: HTMLInputElement, value: string): void {
    const { activeElement } = this.element.getRootNode() as ShadowRoot
    if (input !== activeElement && input.value !== value) input.value = value
  }

  get #offset(): number {
    return Number(this.#session.dataset.offset)
  }

  #set(patch: Patch): void {
    const session = this.#session
    session.set({ channels: changed(session.state.channels, this.#k, patch) })
  }

  #fix({ min, max }: Range): void {
    this.#set({ fixed: { min: min + this.#offset, max: max + this.#offset } })
  }
}
