// Which of the lines along a second axis are shown, as positions and ranges.
import { button, h } from '../dom.js'
import { MAX_LINES, positionsIn } from '../model/lines.js'
import type { Session } from '../model/session.js'

export class LineChooser {
  readonly element: HTMLElement
  readonly #session: Session
  readonly #input: HTMLInputElement

  /** `save` saves the lines that are shown. */
  constructor(session: Session, save: () => void) {
    this.#session = session
    const input = (this.#input = h('input', {
      type: 'text',
      size: 16,
      placeholder: 'some of them',
      'aria-label': 'lines at',
      title: `positions and ranges such as 0, 5, 10:20:5; at most ${MAX_LINES} lines`,
      change: () => this.#choose(input.value.trim()),
    }))
    this.element = h(
      'div',
      { class: 'chooser' },
      h('label', { class: 'field' }, h('span', {}, 'lines at'), input),
      button('CSV', save, { title: 'save the lines that are shown' }),
    )
  }

  update(): void {
    const { y, lines } = this.#session.state
    this.element.hidden = y === null
    this.#input.value = lines
    this.#input.setCustomValidity('')
  }

  #choose(text: string): void {
    const { state, dataset } = this.#session
    const isWrong = text !== '' && (!/^[\d:, -]*$/.test(text) || !positionsIn(text, dataset.shape[state.y!]!))
    this.#input.setCustomValidity(isWrong ? 'The axis has no such positions.' : '')
    if (!this.#input.reportValidity()) return
    this.#session.set({ lines: text })
  }
}
