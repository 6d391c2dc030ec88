// Values along a line, under the picture that it was drawn in.
import { button, h } from '../dom.js'
import type { Scale } from '../data/state.js'
import { rough } from '../data/values.js'
import { Chart } from '../draw/chart.js'
import { extent } from '../../js/extent.js'
import { tickText } from '../draw/ticks.js'

export interface Along {
  values: Float64Array
  line: [number, number, number, number]
  scale: Scale
}

export class LineProfile {
  readonly element: HTMLElement
  readonly #chart: Chart
  readonly #title = h('span', {})

  constructor(close: () => void) {
    const canvas = h('canvas', { class: 'plot', role: 'img', 'aria-label': 'values along the line' })
    this.#chart = new Chart(canvas)
    this.element = h('section', { class: 'profile', hidden: true, 'aria-label': 'profile' },
      h('header', {}, this.#title, button('×', close, { 'aria-label': 'close the profile', class: 'quiet' })), canvas)
  }

  show(along: Along | null): void {
    this.element.hidden = !along
    if (!along) return
    const { values, line: [x0, y0, x1, y1], scale } = along
    const range = extent(values)
    this.#title.textContent =
      `Profile from (${x0}, ${y0}) to (${x1}, ${y1}): ${values.length} items, ${rough(range.min)} to ${rough(range.max)}`
    this.#chart.show({
      series: [{ name: 'profile', values, stride: 1, offset: 0 }], count: values.length, start: 0, step: 1,
      window: [0, Math.max(1, values.length - 1)], range, scale: scale === 'log' && !(range.max > 0) ? 'linear' : scale, xText: tickText, yText: tickText,
      xLabel: 'items from the start', yLabel: '',
    })
  }

  close(): void {
    this.#chart.close()
  }
}
