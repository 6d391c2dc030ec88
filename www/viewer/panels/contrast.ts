import { createHistogram } from '../../js/data/histogram.js'
import { summarize } from '../../js/data/summary.js'
import { roughText } from '../data/values.js'
// The histogram of what is shown, with a handle at each end of the range of colours.
import { button, fill, fit, h, inks } from '../dom.js'
import { percentiles, type Range } from '../draw/scale.js'
import type { Session } from '../session.js'

const BINS = 100
/** Steps of a handle from one end of the histogram to the other. */
const STEPS = 1000

export class Contrast {
  readonly element = h('div', { class: 'panel' })
  readonly #session: Session
  readonly #canvas = h('canvas', { role: 'img', 'aria-label': 'histogram of what is shown' })
  readonly #text = h('p', { class: 'hint', 'aria-live': 'polite' })
  readonly #handles: readonly [HTMLInputElement, HTMLInputElement]
  readonly #observer = new ResizeObserver(() => this.#paint())
  /** What the histogram is over; not changed while a handle is moved. */
  #domain: Range = { min: 0, max: 1 }
  #counts: readonly number[] = []

  constructor(session: Session) {
    this.#session = session
    const handle = (label: string, end: 'min' | 'max') => {
      const input = h('input', {
        type: 'range',
        min: '0',
        max: String(STEPS),
        step: '1',
        'aria-label': label,
        input: () => this.#move(end, Number(input.value)),
      })
      return input
    }
    this.#handles = [handle('least value', 'min'), handle('greatest value', 'max')]
    fill(
      this.element,
      h('h2', {}, 'Contrast'),
      h('div', { class: 'histogram' }, this.#canvas, ...this.#handles),
      this.#text,
      h(
        'div',
        { class: 'buttons' },
        button('Auto range', () => this.#auto('auto'), { title: 'all that is shown now, kept for other positions' }),
        button('1 % to 99 %', () => this.#auto('percentile')),
        button('Auto per plane', () => this.#auto('plane'), {
          title: 'all of each plane: colours mean something else in each',
        }),
      ),
    )
    session.on('shown', () => this.element.isConnected && this.update())
    this.#observer.observe(this.#canvas)
  }

  update(): void {
    const { limits } = this.#session
    const values = this.#session.values()
    const all = summarize(values)
    // A few that lie far away leave nothing to be seen of the others.
    const most = percentiles(values, 0.0005, 0.9995)
    const far = all.max - all.min > 20 * (most.max - most.min) && most.max > most.min
    const { min, max } = far ? most : all
    const low = Math.min(Number.isNaN(min) ? 0 : min, limits.min, limits.max)
    const high = Math.max(Number.isNaN(max) ? 1 : max, limits.min, limits.max)
    if (!this.#handles.includes((this.element.getRootNode() as ShadowRoot).activeElement as HTMLInputElement))
      this.#domain = { min: low, max: high > low ? high : low + 1 }
    const histogram = createHistogram(BINS, this.#domain.min, this.#domain.max)
    histogram.add(values)
    this.#counts = histogram.result().counts
    this.#tell()
    this.#paint()
  }

  close(): void {
    this.#observer.disconnect()
  }

  #auto(range: 'auto' | 'percentile' | 'plane'): void {
    this.#session.kept.forget()
    if (this.#session.state.range === range) this.#session.emit('state', ['range'])
    else this.#session.set({ range })
  }

  #move(end: 'min' | 'max', step: number): void {
    const session = this.#session
    const { min, max } = this.#domain
    const offset = Number(session.dataset.offset)
    const limits = { ...session.limits, [end]: min + ((max - min) * step) / STEPS }
    session.limits = limits
    session.set({ range: 'fixed', min: limits.min + offset, max: limits.max + offset })
  }

  #tell(): void {
    const {
      limits,
      drawn,
      state: { part },
      dataset: { offset },
    } = this.#session
    const { min, max } = this.#domain
    const texts = [limits.min, limits.max].map(value => roughText(drawn, value, part, offset))
    this.#handles.forEach((handle, k) => {
      const step = String(Math.round((((k ? limits.max : limits.min) - min) / (max - min)) * STEPS))
      if (handle.value !== step) handle.value = step
      handle.setAttribute('aria-valuetext', texts[k]!)
    })
    this.#text.textContent = `${texts[0]} to ${texts[1]}`
  }

  #paint(): void {
    const { context, width, height } = fit(this.#canvas)
    const { accent, line, ink } = inks(this.#canvas)
    const { limits } = this.#session
    const x = (value: number) => ((value - this.#domain.min) / (this.#domain.max - this.#domain.min)) * width
    const [from, to] = [Math.min(x(limits.min), x(limits.max)), Math.max(x(limits.min), x(limits.max))]
    // By their roots: rare values are to be seen, too.
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
