// The text view: one item with full precision.

import { StructArray } from '../../js/index.js'
import { h } from '../dom.js'
import type { Cut } from '../model/cuts.js'
import { Newest } from '../model/loader.js'
import type { Session } from '../model/session.js'
import { loadPrinter } from '../model/texts.js'
import { fieldText, textOf } from '../model/values.js'
import { addRules } from '../rules.js'
import type { View } from './view.js'
import rules from './text.css'

addRules(rules)

export class TextView implements View {
  readonly element: HTMLElement
  readonly #session: Session
  readonly #text = h('output', { class: 'scalar' })
  readonly #newest = new Newest()

  constructor(session: Session) {
    this.#session = session
    this.element = h('div', { class: 'view text' }, this.#text)
  }

  update(): void {
    const { dataset } = this.#session
    if (dataset.shape.includes(0)) {
      this.#text.textContent = `nothing: the shape is (${dataset.shape.join(', ')})`
      this.#session.present({ cuts: this.cuts() })
      return
    }
    const cuts = this.cuts()
    this.#newest
      .run(async signal => {
        const [
          {
            piece: { data, width },
          },
        ] = await Promise.all([this.#session.obtain(cuts, signal), loadPrinter()])
        const { type } = dataset
        const text =
          data instanceof StructArray
            ? data.fields.map(field => `${field.name}: ${fieldText(field.type, data, 0, field.name)}`).join('\n')
            : textOf(type, data, 0, width)
        this.#text.textContent = text || '(empty)'
        this.#session.emit('readout', `[${this.#session.state.index.join(', ')}] = ${text}`)
        this.#session.present({ cuts })
      })
      .catch((error: unknown) => this.#session.emit('error', error))
  }

  close(): void {
    this.#newest.stop()
  }

  cuts(): Cut[] {
    const {
      dataset: { shape },
      state: { index },
    } = this.#session
    // An empty array has no item. Its only slice is all of it.
    return shape.includes(0) ? shape.map(stop => ({ start: 0, stop, step: 1 })) : index.slice(0, shape.length)
  }
}
