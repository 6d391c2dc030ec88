// A histogram with a handle at each end of a range.
import { createHistogram } from '../../js/data/histogram.js'
import { fit, h, inks } from '../dom.js'
import { percentiles, type Range } from '../model/scale.js'
import { summarize } from '../model/summary.js'
import { addRules } from '../rules.js'
import rules from './handles.css'

addRules(rules)

const BINS = 100
/** The number of steps of a handle across the histogram. */
const STEPS = 1000

export class Handles {
  readonly element: HTMLElement
  readonly #canvas: HTMLCanvasElement
  readonly #ends: readonly [HTMLInputElement, HTMLInputElement]
  readonly #observer = new ResizeObserver(() => this.#paint())
  /** The range of the histogram, which does not change while a handle is moved. */
  #domain: Range = { min: 0, max: 1 }
  #limits: Range = { min: 0, max: 1 }
  #counts: readonly number[] = []

  /** `of` is the name of the range, if there are several; `move` is called with a range that the user chose. */
  constructor(of: string, move: (limits: Range) => void) {
    const handle = (label: string, end: 'min' | 'max') => {
      const input = h('input', {
        type: 'range',
        min: '0',
        max: String(STEPS),
        step: '1',
        'aria-label': label + of,
        input: () => {
          const { min, max } = this.#domain
          move((this.#limits = { ...this.#limits, [end]: min + ((max - min) * Number(input.value)) / STEPS }))
        },
      })
      return input
    }
    this.#canvas = h('canvas', { role: 'img', 'aria-label': `histogram of what is shown${of}` })
    this.#ends = [handle('least value', 'min'), handle('greatest value', 'max')]
    this.element = h('div', { class: 'histogram' }, this.#canvas, ...this.#ends)
    this.#observer.observe(this.#canvas)
  }

  /** Shows the histogram of values; `text` formats a value for screen readers. */
  show(values: ArrayLike<number>, limits: Range, text: (value: number) => string): void {
    this.#limits = limits
    const all = summarize(values)
    // A few outliers would make the others invisible.
    const most = percentiles(values, 0.0005, 0.9995)
    const far = all.max - all.min > 20 * (most.max - most.min) && most.max > most.min
    const { min, max } = far ? most : all
    const low = Math.min(Number.isNaN(min) ? 0 : min, limits.min, limits.max)
    const high = Math.max(Number.isNaN(max) ? 1 : max, limits.min, limits.max)
    if (!this.#ends.includes((this.element.getRootNode() as ShadowRoot).activeElement as HTMLInputElement))
      this.#domain = { min: low, max: high > low ? high : low + 1 }
    const histogram = createHistogram(BINS, this.#domain.min, this.#domain.max)
    histogram.add(values)
    this.#counts = histogram.result().counts
    const length = this.#domain.max - this.#domain.min
    for (const [k, value] of [limits.min, limits.max].entries()) {
      const end = this.#ends[k]!
      const step = String(Math.round(((value - this.#domain.min) / length) * STEPS))
      if (end.value !== step) end.value = step
      end.setAttribute('aria-valuetext', text(value))
    }
    this.#paint()
  }

  close(): void {
    this.#observer.disconnect()
  }

  #paint(): void {
    const { context, width, height } = fit(this.#canvas)
    const { accent, line, ink } = inks(this.#canvas)
    const x = (value: number) => ((value - this.#domain.min) / (this.#domain.max - this.#domain.min)) * width
    const [a, b] = [x(this.#limits.min), x(this.#limits.max)]
    const [from, to] = [Math.min(a, b), Math.max(a, b)]
    // Square roots keep rare values visible.
    const most = Math.sqrt(this.#counts.reduce((a, b) => Math.max(a, b), 1))
    this.#counts.forEach((count, k) => {
      const left = (k / BINS) * width
      const tall = (Math.sqrt(count) / most) * (height - 2)
      context.fillStyle = left + width / BINS / 2 >= from && left + width / BINS / 2 <= to ? accent : line
      context.fillRect(left, height - tall, width / BINS + 0.5, tall)
    })
    context.fillStyle = ink
    for (const at of [from, to]) context.fillRect(Math.max(0, Math.min(width - 2, at - 1)), 0, 2, height)
  }
}
