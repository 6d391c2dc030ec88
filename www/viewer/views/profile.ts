// The profile: values along a line, below the picture in which it was drawn.

import { describe } from '../data/describe.js'
import type { Layout, Wanted } from '../data/plane.js'
import type { Scale } from '../data/state.js'
import { rough, type Numbers } from '../data/values.js'
import { button, h } from '../dom.js'
import { Chart } from '../draw/chart.js'
import { addRules } from '../rules.js'
import rules from './profile.css'

addRules(rules)

type Line = [x0: number, y0: number, x1: number, y1: number]

export interface Along {
  values: Float64Array
  line: Line
  scale: Scale
  /** A description of the values, if they are not those of the items. */
  note: string | undefined
}

/** The values along a line, one for each item of its longer side; NaN outside of what was read. */
export function along(
  [x0, y0, x1, y1]: Line,
  numbers: Numbers,
  { width, height, right, down }: Layout,
  { x, y, step }: Wanted,
): Float64Array {
  const count = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)) + 1
  return Float64Array.from({ length: count }, (_, k) => {
    const share = count > 1 ? k / (count - 1) : 0
    const column = Math.floor((Math.round(x0 + (x1 - x0) * share) - x) / step)
    const row = Math.floor((Math.round(y0 + (y1 - y0) * share) - y) / step)
    const inside = column >= 0 && row >= 0 && column < width && row < height
    return inside ? numbers[column * right + row * down]! : NaN
  })
}

export class LineProfile {
  readonly element: HTMLElement
  readonly #chart: Chart
  readonly #title = h('span', {})

  constructor(close: () => void) {
    const canvas = h('canvas', { class: 'plot', role: 'img', 'aria-label': 'values along the line' })
    this.#chart = new Chart(canvas)
    this.element = h(
      'section',
      { class: 'profile', hidden: true, 'aria-label': 'profile' },
      h('header', {}, this.#title, button('×', close, { 'aria-label': 'close the profile', class: 'quiet' })),
      canvas,
    )
  }

  show(along: Along | null): void {
    this.element.hidden = !along
    if (!along) return
    const {
      values,
      line: [x0, y0, x1, y1],
      scale,
      note,
    } = along
    const range = describe(values)
    this.#title.textContent = `Profile from (${x0}, ${y0}) to (${x1}, ${y1}): ${values.length} items, ${rough(range.min)} to ${rough(range.max)}, mean ${rough(range.mean)}, std ${rough(range.std)}, median ${rough(range.percentiles[3]!)}${note ? `, of the ${note}` : ''}`
    this.#chart.show({
      series: [{ name: 'profile', values, stride: 1, offset: 0 }],
      count: values.length,
      start: 0,
      step: 1,
      window: [0, Math.max(1, values.length - 1)],
      range,
      scale: scale === 'log' && !(range.max > 0) ? 'linear' : scale,
      xLabel: 'items from the start',
      yLabel: '',
    })
  }

  close(): void {
    this.#chart.close()
  }
}
