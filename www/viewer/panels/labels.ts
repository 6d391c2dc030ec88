// The labels over an image: names, colours, visibility, how many items they have, and how opaque they are.

import { button, fill, h, plural } from '../dom.js'
import { changed } from '../model/channels.js'
import { hexOf, MAX_LABELS, MAX_SET, type Label } from '../model/labels.js'
import type { Session } from '../model/session.js'
import { rough } from '../model/values.js'
import { addRules } from '../rules.js'
import type { Labelling } from '../views/labelling.js'
import { showError } from './error-box.js'
import './panel.js'
import rules from './labels.css'

addRules(rules)

/** The maximum number of labels that are listed. */
const MAX_LISTED = 200

export class LabelsPanel {
  readonly element = h('div', { class: 'panel labels' })
  readonly #labelling: Labelling
  readonly #session: Session
  readonly #source = h('p', { class: 'hint' })
  readonly #list = h('ul', { class: 'list', 'aria-label': 'labels' })
  readonly #note = h('p', { class: 'hint', role: 'status' })
  readonly #error = h('div')
  readonly #opacity: HTMLInputElement
  readonly #settings = h('div')
  /** How many items each label has in the whole array, once they were counted. */
  #whole: ReadonlyMap<number, number> | null = null
  #counting: AbortController | undefined
  #counted: unknown

  constructor(labelling: Labelling) {
    this.#labelling = labelling
    this.#session = labelling.session
    this.#opacity = h('input', {
      type: 'range',
      min: '0',
      max: '1',
      step: '0.05',
      'aria-label': 'opacity',
      input: () => this.#session.set({ opacity: Number(this.#opacity.value) }),
    })
    fill(
      this.#settings,
      h('label', { class: 'field' }, h('span', {}, 'opacity'), this.#opacity),
      this.#list,
      h(
        'div',
        { class: 'buttons' },
        button('Count all', () => void this.#count(), { title: 'how many items each label has in the whole array' }),
        button('Remove', () => this.#session.set({ over: 'none' })),
      ),
    )
    fill(this.element, h('h2', {}, 'Labels'), this.#source, this.#settings, this.#note, this.#chooser(), this.#error)
    this.#session.on('labelled', () => this.element.isConnected && this.update())
  }

  update(): void {
    const { overlay } = this.#labelling
    this.#settings.hidden = !overlay
    if (overlay?.labels !== this.#counted) {
      this.#counting?.abort()
      this.#whole = null
      this.#counted = overlay?.labels
      this.#note.textContent = ''
    }
    this.#source.textContent = overlay
      ? overlay.labels.dataset.name
      : 'A segmentation is shown over its image: an array of integers with the same lengths.'
    if (!overlay) return
    this.#opacity.value = String(this.#session.state.opacity)
    const here = overlay.counts()
    const counts = this.#whole ?? here
    const values = [...new Set([...counts.keys(), ...here.keys()])].filter(value => value > 0).sort((a, b) => a - b)
    const volume = overlay.labels.volume(this.#session.dataset)
    const active = (this.element.getRootNode() as ShadowRoot).activeElement
    // A name that is being edited stays.
    if (active && this.#list.contains(active) && active instanceof HTMLInputElement && active.type === 'text') return
    fill(
      this.#list,
      ...values.slice(0, MAX_LISTED).map(value => this.#row(overlay.label(value), counts.get(value) ?? 0, volume)),
      !values.length && h('li', { class: 'hint' }, 'none here'),
      values.length > MAX_LISTED && h('li', { class: 'hint' }, `and ${values.length - MAX_LISTED} more`),
    )
    const of = this.#whole ? 'the whole array' : 'what is shown'
    const few = counts.size < MAX_LABELS ? '' : ` There are more than ${MAX_LABELS} labels: only these are counted.`
    if (!this.#counting) this.#note.textContent = `Counts of ${of}.${few}`
  }

  close(): void {
    this.#counting?.abort()
  }

  #row(
    { value, name, colour, hidden }: Label & { colour: number },
    count: number,
    volume: { size: number; unit: string } | null,
  ) {
    const set = (patch: Parameters<typeof changed>[2]) =>
      this.#session.set({ labels: changed(this.#session.state.labels, value, patch) })
    const isFixed = value > MAX_SET
    const seen = h('input', {
      type: 'checkbox',
      checked: !hidden,
      disabled: isFixed,
      'aria-label': `show ${name}`,
      change: () => set({ hidden: !seen.checked }),
    })
    const ink = h('input', {
      type: 'color',
      value: hexOf(colour),
      disabled: isFixed,
      'aria-label': `colour of ${name}`,
      change: () => set({ colour: ink.value }),
    })
    const text = h('input', {
      type: 'text',
      value: name,
      size: 12,
      disabled: isFixed,
      'aria-label': `name of label ${value}`,
      change: () => set({ name: text.value.trim() }),
    })
    const size = this.#whole && volume ? `, ${rough(count * volume.size)} ${volume.unit}` : ''
    return h('li', {}, seen, ink, text, h('span', { class: 'count' }, `${count.toLocaleString('en')}${size}`))
  }

  /** Chooses a file, or a member of the store. */
  #chooser(): HTMLElement {
    const { members } = this.#labelling
    const input = h('input', {
      type: 'file',
      hidden: true,
      'aria-label': 'segmentation',
      change: () => {
        const [file] = input.files!
        if (file) void this.#try(this.#labelling.choose({ name: file.name, openable: file }))
      },
    })
    const select = h(
      'select',
      {
        'aria-label': 'segmentation in the store',
        change: () => select.value && this.#session.set({ over: select.value }),
      },
      h('option', { value: '' }, 'A member …'),
      ...members.map(key => h('option', { value: key }, key)),
    )
    return h(
      'div',
      { class: 'buttons' },
      button('Choose a file…', () => input.click()),
      input,
      members.length > 0 && select,
    )
  }

  async #try(work: Promise<void>): Promise<void> {
    fill(this.#error)
    try {
      await work
      this.update()
    } catch (error) {
      await showError(this.#error, error, { close: () => fill(this.#error) })
    }
  }

  async #count(): Promise<void> {
    const { overlay } = this.#labelling
    if (!overlay) return
    this.#counting?.abort()
    const counting = (this.#counting = new AbortController())
    const { labels } = overlay
    const tell = (share: number) => (this.#note.textContent = `Counting: ${Math.floor(100 * share)} %`)
    tell(0)
    try {
      this.#whole = await labels.count(counting.signal, tell)
      this.#note.textContent = `${plural(this.#whole.size, 'value')} in the whole array.`
    } catch (error) {
      if (!counting.signal.aborted) await showError(this.#error, error, { close: () => fill(this.#error) })
    }
    if (this.#counting === counting) this.#counting = undefined
    this.update()
  }
}
