// The profile: values along a line, below the picture in which it was drawn.

import { button, h, saveAs } from '../dom.js'
import { Chart } from '../draw/chart.js'
import { describe } from '../model/describe.js'
import type { Plane } from '../model/looks.js'
import { overviewText } from '../model/plane.js'
import type { Session } from '../model/session.js'
import type { Scale } from '../model/state.js'
import { summarize } from '../model/summary.js'
import { loadPrinter } from '../model/texts.js'
import { rough } from '../model/values.js'
import { addRules } from '../rules.js'
import rules from './profile.css'

addRules(rules)

type Line = [x0: number, y0: number, x1: number, y1: number]

export interface Along {
  values: Float64Array
  line: Line
  scale: Scale
  /** The length of an item along both axes, if they have the same unit. */
  size: Size
  /** The text of a value as it is stored. */
  text: (value: number) => string
  /** A description of the values, if they are not those of the items. */
  note: string | undefined
}

type Size = { x: number; y: number; unit: string } | null | undefined

/** The items of a line, as many as its longer side has. */
function itemsOf([x0, y0, x1, y1]: Line): [x: number, y: number][] {
  const count = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)) + 1
  return Array.from({ length: count }, (_, k) => {
    const share = count > 1 ? k / (count - 1) : 0
    return [Math.round(x0 + (x1 - x0) * share), Math.round(y0 + (y1 - y0) * share)]
  })
}

/** The values along a line of a plane, one for each item of its longer side; NaN outside of what was read. */
export function along(
  line: Line,
  { numbers, layout: { width, height, right, down }, wanted }: Plane,
  { dataset, state: { scale } }: Session,
  size: Size,
  text: (value: number) => string,
): Along {
  const { x, y, step } = wanted
  const values = Float64Array.from(itemsOf(line), item => {
    const [column, row] = [Math.floor((item[0] - x) / step), Math.floor((item[1] - y) / step)] as const
    const inside = column >= 0 && row >= 0 && column < width && row < height
    return inside ? numbers[column * right + row * down]! : NaN
  })
  return { values, line, scale, size, text, note: overviewText(dataset, wanted) }
}

export class LineProfile {
  readonly element: HTMLElement
  readonly #chart: Chart
  readonly #title = h('span', {})
  #shown: Along | null = null

  constructor(close: () => void) {
    const canvas = h('canvas', { class: 'plot', role: 'img', 'aria-label': 'values along the line' })
    this.#chart = new Chart(canvas)
    this.element = h(
      'section',
      { class: 'profile', hidden: true, 'aria-label': 'profile' },
      h(
        'header',
        {},
        this.#title,
        button('CSV', () => void this.#save(), { title: 'save positions and values' }),
        button('×', close, { 'aria-label': 'close the profile', class: 'quiet' }),
      ),
      canvas,
    )
  }

  show(along: Along | null): void {
    this.#shown = along
    this.element.hidden = !along
    if (!along) return
    const {
      values,
      line: [x0, y0, x1, y1],
      scale,
      size,
      note,
    } = along
    const long = size ? `, ${rough(Math.hypot((x1 - x0) * size.x, (y1 - y0) * size.y))} ${size.unit}`.trimEnd() : ''
    const range = summarize(values)
    const title = `Profile from (${x0}, ${y0}) to (${x1}, ${y1}): ${values.length} items${long}, ${rough(range.min)} to ${rough(range.max)}`
    const of = note ? `, of the ${note}` : ''
    this.#title.textContent = `${title}${of}`
    describe(values).then(
      ({ mean, std, percentiles }) => {
        if (this.#shown === along)
          this.#title.textContent = `${title}, mean ${rough(mean)}, std ${rough(std)}, median ${rough(percentiles[3]!)}${of}`
      },
      // The range remains if the wasm cannot be loaded.
      () => {},
    )
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

  /** Saves the line as CSV: positions, the distance from the start if there is one, and values. */
  async #save(): Promise<void> {
    await loadPrinter()
    const { values, line, size, text } = this.#shown!
    const [x0, y0] = line
    const rows = itemsOf(line).map(([x, y], k) => {
      const distance = size ? [Math.hypot((x - x0) * size.x, (y - y0) * size.y)] : []
      return [x, y, ...distance, text(values[k]!)].join()
    })
    const head = ['x', 'y', ...(size ? [`distance${size.unit && ` (${size.unit})`}`] : []), 'value']
    const blob = new Blob([[head.join(), ...rows, ''].join('\n')], { type: 'text/csv' })
    saveAs(blob, `profile_${line.join('_')}.csv`)
  }

  close(): void {
    this.#chart.close()
  }
}
