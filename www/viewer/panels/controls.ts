// The controls of the view and its appearance.

import { button, choice, fill, h, toggle, typed } from '../dom.js'
import { MAPS } from '../draw/colours.js'
import { guesses } from '../model/dataset.js'
import { isLarge } from '../model/plane.js'
import type { Session } from '../model/session.js'
import type { Overview, RangeMode, Scale, State, ViewName } from '../model/state.js'
import { views } from '../model/suggest.js'
import { COMPLEX, drawableFields, kindOf } from '../model/values.js'

export const VIEW_NAMES: Record<ViewName, string> = {
  heatmap: 'Heatmap',
  rgb: 'Colours',
  composite: 'Composite',
  planes: 'Planes',
  line: 'Line',
  table: 'Table',
  text: 'Text',
}

const OVERVIEWS: Record<Overview, string> = {
  auto: 'auto',
  mean: 'mean',
  max: 'maximum',
  min: 'minimum',
  nearest: 'nearest',
}

export class Controls {
  readonly element = h('div', { class: 'top' })
  readonly #tools: HTMLElement
  readonly #session: Session
  readonly #wholeRange: () => void
  #made = ''

  constructor(session: Session, tools: HTMLElement, wholeRange: () => void) {
    this.#session = session
    this.#tools = tools
    this.#wholeRange = wholeRange
    this.update()
  }

  update(): void {
    const { state, dataset } = this.#session
    const { index: _, window: __, x: ___, y: ____, z: _____, channels: ______, ...rest } = state
    const made = JSON.stringify([rest, views(dataset)])
    if (made === this.#made) return
    this.#made = made
    // Restores the focus.
    const root = this.element.getRootNode() as ShadowRoot
    const label = this.element.contains(root.activeElement) ? labelOf(root.activeElement!) : null
    fill(
      this.element,
      this.#tabs(),
      this.#tools,
      h('div', { class: 'looks', role: 'group', 'aria-label': 'looks' }, ...this.#looks()),
    )
    this.reveal()
    if (label)
      for (const control of this.element.querySelectorAll<HTMLElement>('select, input, button'))
        if (labelOf(control) === label) control.focus()
  }

  /** Scrolls to the tab of the view if there is no space for all. Scrolls nothing else. */
  reveal(): void {
    const tab = this.element.querySelector('[aria-pressed="true"]')!
    const tabs = tab.parentElement!
    const [inner, outer] = [tab.getBoundingClientRect(), tabs.getBoundingClientRect()]
    tabs.scrollLeft += Math.max(0, inner.right - outer.right) + Math.min(0, inner.left - outer.left)
  }

  /** The controls for the component, the range, … */
  #looks(): (HTMLElement | false)[] {
    const { state, dataset } = this.#session
    const set = (patch: Partial<State>) => this.#session.set(patch)
    const picture = ['heatmap', 'planes'].includes(state.view)
    const plane = picture || state.view === 'rgb' || state.view === 'composite'
    const plot = picture || state.view === 'line'
    const kind = kindOf(dataset.type)
    return [
      dataset.guessed &&
        choice(
          'read as',
          Object.fromEntries(
            guesses(dataset.itemsize).map(({ kind, size }) => [
              kind + size,
              kind === 'void' ? 'bytes' : `${kind}${size * 8}`,
            ]),
          ),
          dataset.type.kind + dataset.type.size,
          as => set({ as }),
          'the file does not say what its items are',
        ),
      plot &&
        kind === 'complex' &&
        choice('show', COMPLEX, state.part as keyof typeof COMPLEX, part =>
          set({ part, map: part === 'phase' ? 'cyclic' : state.map === 'cyclic' ? 'viridis' : state.map }),
        ),
      plot &&
        kind === 'struct' &&
        choice(
          'field',
          Object.fromEntries(drawableFields(dataset.type).map(({ name }) => [name, name])),
          state.part,
          part => set({ part }),
        ),
      plane &&
        isLarge(dataset, state) &&
        choice<Overview>(
          'overview',
          OVERVIEWS,
          state.overview,
          overview => set({ overview }),
          'what is drawn of items that are too many for a picture',
        ),
      picture && this.#maps(),
      plot &&
        state.map !== 'labels' &&
        choice<Scale>('scale', { linear: 'linear', log: 'logarithmic', symlog: 'symmetric log' }, state.scale, scale =>
          set({ scale }),
        ),
      (plot || state.view === 'rgb') && !(picture && state.map === 'labels') && this.#range(),
      (picture || state.view === 'composite') && toggle('smooth', state.smooth, smooth => set({ smooth })),
      plane && toggle('Equal aspect', state.equal, equal => set({ equal })),
      plane && toggle('Origin: lower', state.flip, flip => set({ flip })),
    ]
  }

  #maps(): HTMLElement {
    const field = choice('colours', MAPS, this.#session.state.map, map => this.#session.set({ map }))
    // Names will do until, or if not, they are there.
    import('./swatches.js').then(
      ({ addSwatches }) => addSwatches(field.querySelector('select')!),
      () => {},
    )
    return field
  }

  #tabs(): HTMLElement {
    const { state, dataset } = this.#session
    return h(
      'div',
      { class: 'tabs', role: 'group', 'aria-label': 'kind of view' },
      ...views(dataset).map((view, k) =>
        button(VIEW_NAMES[view], () => this.#session.set({ view }), {
          'aria-pressed': String(view === state.view),
          title: `${VIEW_NAMES[view]} (${k + 1})`,
        }),
      ),
    )
  }

  #range(): HTMLElement {
    const { state, dataset } = this.#session
    const whole = dataset.array && ['number', 'time'].includes(kindOf(dataset.type))
    const modes: Partial<Record<RangeMode, string>> = {
      auto: 'auto range',
      ...(state.view !== 'line' && { plane: 'auto per plane', percentile: '1 % to 99 %' }),
      ...(whole && { whole: 'whole array' }),
      fixed: 'fixed',
    }
    const change = (range: RangeMode) => {
      if (range === 'whole') this.#wholeRange()
      // A fixed range starts with the current one.
      const {
        limits: { min, max },
      } = this.#session
      const offset = Number(dataset.offset)
      this.#session.set({ range, ...(range === 'fixed' && { min: min + offset, max: max + offset }) })
    }
    const fixed = state.range === 'fixed'
    return h(
      'div',
      { class: 'group' },
      choice('range', modes as Record<RangeMode, string>, state.range, change),
      fixed && typed('least', state.min, min => this.#session.set({ min })),
      fixed && h('span', {}, 'to'),
      fixed && typed('greatest', state.max, max => this.#session.set({ max })),
    )
  }
}

const labelOf = (element: Element): string | null =>
  element.getAttribute('aria-label') ?? element.closest('label')?.firstElementChild?.textContent ?? element.textContent
