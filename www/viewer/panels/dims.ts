// The controls of the axes: their directions, and the positions of the others.

import { button, fill, h, say } from '../dom.js'
import { axisName, coordinate } from '../model/names.js'
import type { Session } from '../model/session.js'
import { projectionOf } from '../model/state.js'
import { MAX_CHANNELS } from '../model/suggest.js'
import { kindOf } from '../model/values.js'

const SPEEDS = [2, 5, 10, 20, 40]

interface Slider {
  range: HTMLInputElement
  number: HTMLInputElement
  row: HTMLElement
  of: HTMLElement
}

export class Dimensions {
  readonly element = h('div', { class: 'dims', role: 'group', 'aria-label': 'dimensions' })
  readonly #session: Session
  readonly #sliders = new Map<number, Slider>()
  #made = ''
  #playing = false
  #speed = 10

  constructor(session: Session) {
    this.#session = session
    this.update()
  }

  update(): void {
    const { state, active, dataset } = this.#session
    const made = JSON.stringify([
      state.view,
      state.x,
      state.y,
      state.z,
      state.project,
      dataset.shape.map((_, axis) => axisName(dataset, axis)),
    ])
    if (made !== this.#made) {
      this.#made = made
      this.#make()
    }
    for (const [axis, { range, number, row, of }] of this.#sliders) {
      const at = String(state.index[axis])
      if (range.value !== at) range.value = at
      if (number !== document.activeElement && (number.getRootNode() as ShadowRoot).activeElement !== number)
        number.value = at
      row.classList.toggle('active', axis === active)
      const where = coordinate(dataset, axis, state.index[axis]!)
      say(of, `of ${dataset.shape[axis]}${where && ` · ${where}`}`)
    }
  }

  /** Plays: steps along the active axis repeatedly. */
  play(): void {
    this.#playing = !this.#playing
    for (const control of this.element.querySelectorAll('.play')) {
      control.textContent = this.#playing ? '❚❚' : '▶'
      control.setAttribute('aria-pressed', String(this.#playing))
    }
    let last = performance.now()
    const tick = (now: number) => {
      if (!this.#playing || !this.element.isConnected) return
      // Waits for a position that is still being read.
      if (now - last >= 1000 / this.#speed - 2 && !this.waiting) {
        last = now
        this.#session.step(1, this.#session.active, true)
      }
      requestAnimationFrame(tick)
    }
    if (this.#playing) requestAnimationFrame(tick)
  }

  /** Whether the view waits for bytes. */
  waiting = false

  /** Focuses the field for a position. */
  focus(): void {
    const number =
      this.#session.state.view === 'table'
        ? this.element.querySelector<HTMLInputElement>('label > .index')
        : this.#sliders.get(this.#session.active ?? -1)?.number
    number?.focus()
    number?.select()
  }

  #make(): void {
    this.#sliders.clear()
    const { dataset, state } = this.#session
    const mapping = dataset.shape.length > 1 && state.view !== 'text' ? this.#mapping() : null
    const projected = projectionOf(state)?.axis
    const rows = [...this.#session.steppable(), ...(projected === undefined ? [] : [projected])]
      .sort((a, b) => a - b)
      .map(axis => this.#row(axis))
    const places = state.view === 'table' ? this.#places() : []
    this.element.hidden = !mapping && !rows.length && !places.length
    const player = rows.length > 0 && this.#player()
    // Below many sliders it would be invisible.
    const many = rows.length > 3
    fill(this.element, mapping, ...places, many && player, ...rows, !many && player)
  }

  /** A selection of the axis for each direction of the view. */
  #mapping(): HTMLElement {
    const { dataset, state } = this.#session
    const names: ['x' | 'y' | 'z', string][] =
      state.view === 'table'
        ? [['y', 'rows'], ...(kindOf(dataset.type) === 'struct' ? [] : [['x', 'columns'] as ['x', string]])]
        : state.view === 'line'
          ? [
              ['x', 'along'],
              ['y', 'lines'],
            ]
          : state.view === 'rgb'
            ? [
                ['x', 'x'],
                ['y', 'y'],
                ['z', 'colour'],
              ]
            : state.view === 'planes'
              ? [
                  ['x', 'x'],
                  ['y', 'y'],
                  ['z', 'z'],
                ]
              : state.view === 'composite'
                ? [
                    ['x', 'x'],
                    ['y', 'y'],
                    ['z', 'channels'],
                  ]
                : [
                    ['x', 'x'],
                    ['y', 'y'],
                  ]
    return h(
      'div',
      { class: 'mapping' },
      ...names.map(([key, label]) => {
        const select = h(
          'select',
          { 'aria-label': label, change: () => this.#assign(key, select.value === '-' ? null : Number(select.value)) },
          key === 'y' && state.view === 'line' && h('option', { value: '-', selected: state.y === null }, 'one'),
          ...dataset.shape.map(
            (length, axis) =>
              (label !== 'channels' || length <= MAX_CHANNELS) &&
              h(
                'option',
                { value: String(axis), selected: state[key] === axis },
                `${axisName(dataset, axis)} (${length})`,
              ),
          ),
        )
        return h('label', { class: 'field' }, h('span', {}, label), select)
      }),
    )
  }

  /** Fields to go to a row and a column. */
  #places(): HTMLElement[] {
    const { dataset, state } = this.#session
    const axes: [number | null, string][] = [
      [state.y, 'row'],
      [dataset.type.kind === 'struct' ? null : state.x, 'column'],
    ]
    return axes.flatMap(([axis, name]) => {
      if (axis === null) return []
      const number = h('input', {
        type: 'text',
        inputMode: 'numeric',
        class: 'index',
        placeholder: '0',
        'aria-label': `go to ${name}`,
        change: () => {
          const [position, length] = [Math.round(Number(number.value)), dataset.shape[axis]!]
          if (number.value.trim() && Number.isFinite(position))
            this.#session.go(axis, Math.max(0, Math.min(length - 1, position < 0 ? length + position : position)))
          number.value = ''
        },
      })
      return [h('label', { class: 'field' }, h('span', {}, `to ${name}`), number)]
    })
  }

  /** Swaps axes that would be used twice. */
  #assign(key: 'x' | 'y' | 'z', axis: number | null): void {
    const { state } = this.#session
    const patch: Partial<Record<'x' | 'y' | 'z', number | null>> = { [key]: axis }
    for (const other of ['x', 'y', 'z'] as const)
      if (other !== key && axis !== null && state[other] === axis) patch[other] = state[key]
    this.#session.set(patch)
  }

  #row(axis: number): HTMLElement {
    const { dataset, state } = this.#session
    const name = axisName(dataset, axis)
    const last = dataset.shape[axis]! - 1
    const go = (text: string) => {
      const position = Number(text)
      this.#session.active = axis
      if (text.trim() && Number.isFinite(position))
        this.#session.go(axis, Math.max(0, Math.min(last, Math.round(position < 0 ? last + 1 + position : position))))
      this.update()
    }
    const range = h('input', {
      type: 'range',
      min: '0',
      max: String(last),
      step: '1',
      value: String(state.index[axis]),
      'aria-label': `position along ${name}`,
      input: () => go(range.value),
      focus: () => this.#activate(axis),
      wheel: (event: WheelEvent) => {
        event.preventDefault()
        this.#activate(axis)
        this.#session.step(Math.sign(event.deltaY), axis)
      },
    })
    const number = h('input', {
      type: 'text',
      inputMode: 'numeric',
      value: String(state.index[axis]),
      'aria-label': `index along ${name}`,
      class: 'index',
      change: () => {
        go(number.value)
        number.value = String(this.#session.state.index[axis])
      },
      focus: () => this.#activate(axis),
      keydown: (event: KeyboardEvent) => {
        if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
          event.preventDefault()
          this.#session.step(event.key === 'ArrowUp' ? 1 : -1, axis)
          number.value = String(this.#session.state.index[axis])
        }
      },
    })
    const of = h('span', { class: 'of' })
    const projected = projectionOf(state)
    range.disabled = number.disabled = axis === projected?.axis
    const row = h(
      'div',
      { class: 'slider' },
      h('span', { class: 'name' }, name),
      range,
      number,
      of,
      (state.view === 'heatmap' || state.view === 'composite') && this.#projection(axis, name),
    )
    this.#sliders.set(axis, { range, number, row, of })
    return row
  }

  /** The choice along an axis: one position, or a projection. */
  #projection(axis: number, name: string): HTMLElement {
    const projected = projectionOf(this.#session.state)
    const shown = axis === projected?.axis ? projected.how : ''
    const options = { '': 'slice', max: 'maximum', mean: 'mean', min: 'minimum' }
    const select = h(
      'select',
      {
        'aria-label': `projection along ${name}`,
        change: () => this.#session.set({ project: select.value && `${select.value}:${axis}` }),
      },
      ...Object.entries(options).map(([value, text]) => h('option', { value, selected: value === shown }, text)),
    )
    return select
  }

  #activate(axis: number): void {
    this.#session.active = axis
    this.update()
  }

  #player(): HTMLElement {
    const speed = h(
      'select',
      { 'aria-label': 'speed', change: () => (this.#speed = Number(speed.value)) },
      ...SPEEDS.map(fps => h('option', { value: String(fps), selected: fps === this.#speed }, `${fps}/s`)),
    )
    return h(
      'div',
      { class: 'player' },
      button('‹', () => this.#session.step(-1), { 'aria-label': 'one back', title: 'one back (,)' }),
      button(this.#playing ? '❚❚' : '▶', () => this.play(), {
        class: 'play',
        'aria-label': 'play',
        'aria-pressed': String(this.#playing),
        title: 'play (space)',
      }),
      button('›', () => this.#session.step(1), { 'aria-label': 'one on', title: 'one on (.)' }),
      speed,
    )
  }
}
