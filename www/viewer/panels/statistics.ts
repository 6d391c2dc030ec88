// Statistics, computed while reading.
import type { Stats, Type } from '../../js/index.js'
import { bytes, button, fill, h, plural } from '../dom.js'
import { Chart } from '../draw/chart.js'
import type { Cut } from '../model/cuts.js'
import { describe, nameOfPercentile, type Description } from '../model/describe.js'
import { Newest } from '../model/loader.js'
import { axisName } from '../model/names.js'
import { projectedNumbers } from '../model/projected.js'
import type { Session } from '../model/session.js'
import { projectionOf, type Window } from '../model/state.js'
import { dateMarks } from '../model/timeticks.js'
import { kindOf, rough, roughText, type Numbers } from '../model/values.js'
import { Heatmap } from '../views/heatmap.js'
import type { View } from '../views/view.js'
import { showError } from './error-box.js'
import './panel.js'

const BINS = 64
const OF_SHOWN = 'Of what is shown:'
/** The maximum size of a slice of which percentiles are computed: a rectangle, or what is shown, in bytes of items. */
const MAX_DECODED_BYTES = 2 ** 28

export class Statistics {
  readonly element = h('div', { class: 'panel' })
  readonly #session: Session
  readonly #view: () => View | null
  readonly #newest = new Newest()
  readonly #result = h('div', { class: 'result', 'aria-live': 'polite' })
  readonly #progress = h('progress', { max: 1, hidden: true, 'aria-label': 'progress' })
  readonly #stop = button('Stop', () => this.#halt(), { hidden: true })
  readonly #chart: Chart

  constructor(session: Session, view: () => View | null) {
    this.#session = session
    this.#view = view
    const canvas = h('canvas', { class: 'plot', role: 'img', 'aria-label': 'histogram', hidden: true })
    this.#chart = new Chart(canvas)
    const possible =
      session.dataset.array && ['number', 'time'].includes(kindOf(session.dataset.type)) && !session.dataset.guessed
    fill(
      this.element,
      h('h2', {}, 'Statistics'),
      ...(possible
        ? [
            h(
              'div',
              { class: 'buttons' },
              button('Of what is shown', () => void this.compute(false)),
              button('Of the whole array', () => void this.compute(true)),
              button('Of a rectangle', () => void this.computeRegion()),
              this.#stop,
            ),
            this.#progress,
            this.#result,
            canvas,
          ]
        : [h('p', { class: 'hint' }, 'Statistics are for arrays of real numbers.')]),
    )
  }

  /** Statistics of the visible slice, or of the whole array. */
  async compute(whole: boolean): Promise<void> {
    const session = this.#session
    await this.#newest
      .run(async signal => {
        const cuts = whole ? null : session.shown
        fill(this.#result)
        this.#chart.canvas.hidden = true
        const projection = projectionOf(session.state)
        if (cuts && projection) {
          const numbers = await this.#numbers(cuts, signal)
          const title = `Of what is shown, the ${projection.how} over ${axisName(session.dataset, projection.axis)}:`
          await this.#describe(title, numbers, signal)
          return
        }
        const cost = await session.dataset.plan(
          cuts ?? session.dataset.shape.map(stop => ({ start: 0, stop, step: 1 })),
          { signal },
        )
        fill(
          this.#result,
          h(
            'p',
            { class: 'hint' },
            `Reads ${bytes(cost.bytes)} in ${plural(cost.requests, 'request')}, ${bytes(cost.decodedBytes)} when decoded. The histogram takes a second pass.`,
          ),
        )
        if (cuts && cost.decodedBytes <= MAX_DECODED_BYTES) {
          await this.#describe(OF_SHOWN, await this.#numbers(cuts, signal), signal, true)
          return
        }
        this.#progress.value = 0
        this.#progress.hidden = this.#stop.hidden = false
        const stats = await session.dataset.stats(cuts, {
          signal,
          bins: BINS,
          onProgress: share => (this.#progress.value = share),
        })
        if (whole) session.summarized(stats)
        const { type } = session.dataset
        this.#tell(whole ? 'Of the whole array:' : OF_SHOWN, stats, type, value => roughText(type, value))
        this.#plot(stats)
      })
      .catch((error: unknown) => showError(this.#result, error))
    this.#progress.hidden = this.#stop.hidden = true
  }

  /** Statistics of a rectangle that the user draws. */
  async computeRegion(): Promise<void> {
    const session = this.#session
    const { dataset } = session
    const view = this.#view()
    const region = view instanceof Heatmap && regionIn(view, session)
    const say = (text: string) => fill(this.#result, h('p', { class: 'hint' }, text))
    this.#chart.canvas.hidden = true
    if (!region) {
      say('Rectangles are drawn in a heatmap.')
      return
    }
    say('Drag over a part of the picture.')
    await this.#newest
      .run(async signal => {
        const [x0, x1, y0, y1] = await region
        signal.throwIfAborted()
        const { x, y } = session.state
        const cuts = session.shown.map((cut, axis) =>
          axis === x ? { start: x0, stop: x1, step: 1 } : axis === y ? { start: y0, stop: y1, step: 1 } : cut,
        )
        const cost = await dataset.plan(cuts, { signal })
        if (cost.decodedBytes > MAX_DECODED_BYTES) {
          say(`This is ${bytes(cost.decodedBytes)}: draw a smaller one.`)
          return
        }
        const title = `Of rows ${y0} to ${y1 - 1} and columns ${x0} to ${x1 - 1}:`
        await this.#describe(title, await this.#numbers(cuts, signal), signal)
      })
      .catch((error: unknown) => showError(this.#result, error))
  }

  /** The drawn numbers of a slice. */
  async #numbers(cuts: readonly Cut[], signal: AbortSignal): Promise<Numbers> {
    const { dataset, state } = this.#session
    const projection = projectionOf(state)
    if (projection) return (await projectedNumbers(dataset, cuts, projection, state.part, signal)).numbers
    const { piece, blank } = await this.#session.obtain(cuts, signal)
    const numbers = dataset.numbers(piece.data, state.part)
    return blank ? Float64Array.from(numbers).filter((_, at) => !blank[at]) : numbers
  }

  /** Numbers in memory, with their percentiles. */
  async #describe(title: string, numbers: Numbers, signal: AbortSignal, plot = false): Promise<void> {
    const described = await describe(numbers)
    signal.throwIfAborted()
    const {
      drawn,
      state: { part },
      dataset: { offset },
    } = this.#session
    this.#tell(title, described, drawn, value => roughText(drawn, value, part, offset), described)
    if (plot) this.#plot(described)
  }

  #tell(
    title: string,
    { count, nan, infinite, min, max, mean, std }: Stats,
    { kind, unit }: Type,
    text: (value: number) => string,
    { percentiles, sampled }: Partial<Description> = {},
  ): void {
    const isTime = kind === 'datetime'
    const rows: [string, string][] = [
      ['items', count.toLocaleString('en')],
      ['least', text(min)],
      ['greatest', text(max)],
      ['mean', text(mean)],
      ['std', isTime ? `${rough(std)} ${unit ?? ''}` : rough(std)],
      ...(percentiles ?? []).map((value, k): [string, string] => [nameOfPercentile(k), text(value)]),
      [isTime ? 'NaT' : 'NaN', nan.toLocaleString('en')],
      ['infinite', infinite.toLocaleString('en')],
    ]
    fill(
      this.#result,
      h('p', { class: 'hint' }, title),
      h('dl', { class: 'numbers' }, ...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
      sampled && h('p', { class: 'hint' }, 'Percentiles are those of a sample.'),
    )
  }

  close(): void {
    this.#newest.stop()
    this.#chart.close()
  }

  #halt(): void {
    this.#newest.stop()
    fill(this.#result, h('p', { class: 'hint' }, 'Stopped.'))
  }

  #plot({ count, nan, infinite, histogram }: Stats): void {
    if (!histogram || !(count - nan - infinite)) return
    const { counts, start, end } = histogram
    const {
      dataset: { type, offset },
    } = this.#session
    this.#chart.canvas.hidden = false
    this.#chart.show({
      series: [{ name: '', values: counts, stride: 1, offset: 0 }],
      bars: true,
      count: counts.length,
      start,
      step: (end - start) / counts.length,
      window: [start, end],
      range: { min: 0, max: Math.max(...counts) },
      xMarks: type.kind === 'datetime' ? dateMarks(type, offset) : null,
      xLabel: 'value',
      yLabel: 'items',
      wholeX: false,
    })
  }
}

/** Waits for the user to draw a rectangle of whole items. */
function regionIn({ picture }: Heatmap, session: Session): Promise<Window> {
  return new Promise(resolve => {
    picture.gestures.onBox = ([x0, x1, y0, y1]) => {
      const { nx, ny } = picture.scene
      const region: Window = [
        Math.max(0, Math.floor(x0)),
        Math.min(nx, Math.ceil(x1)),
        Math.max(0, Math.floor(y0)),
        Math.min(ny, Math.ceil(y1)),
      ]
      picture.gestures.onBox = null
      picture.show({ region })
      session.emit('picked', { region })
      resolve(region)
    }
  })
}
