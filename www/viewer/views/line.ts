// Values along an axis, as lines: one, some along a second axis, or the fields of structured items.
import { fill, h } from '../dom.js'
import { lengthOf, type Cut } from '../data/dataset.js'
import { Newest, type Slab } from '../data/loader.js'
import { axisName } from '../data/names.js'
import { strideOf } from '../data/plane.js'
import { clamp } from '../data/suggest.js'
import { dateOfNumber } from '../data/time.js'
import { drawableFields, fieldText, textOf } from '../data/values.js'
import { Chart, type Series } from '../draw/chart.js'
import { LINES } from '../draw/colours.js'
import type { Range } from '../draw/scale.js'
import { summarize } from '../../js/data/summary.js'
import { tickText } from '../draw/ticks.js'
import { onWheel } from '../draw/wheel.js'
import { StructArray } from '../../js/index.js'
import type { Session } from '../session.js'
import type { View } from './view.js'

const MOST_SERIES = 8
const MOST_ITEMS = 2 ** 22

export class LineView implements View {
  readonly element: HTMLElement
  readonly #session: Session
  readonly #chart: Chart
  readonly #legend = h('ul', { class: 'legend', 'aria-label': 'legend' })
  readonly #newest = new Newest()
  #slab: Slab | null = null
  #cursor: number | null = null
  #from: { x: number; window: [number, number] } | null = null

  constructor(session: Session) {
    this.#session = session
    const canvas = h('canvas', { class: 'plot', role: 'img', 'aria-label': 'line plot' })
    this.#chart = new Chart(canvas)
    this.element = h('div', { class: 'view lines' }, this.#legend, canvas)
    canvas.addEventListener('pointermove', event => this.#pointer(event))
    canvas.addEventListener('pointerdown', event => {
      canvas.setPointerCapture(event.pointerId)
      this.#from = { x: this.#chart.toX(event.offsetX), window: [...this.#chart.scene.window] }
    })
    canvas.addEventListener('pointerup', () => (this.#from = null))
    canvas.addEventListener('dblclick', () => this.zoom(0))
    onWheel(canvas, { zoom: (factor, [x]) => this.#zoomAt(factor, this.#chart.toX(x)), step: by => session.step(by) })
  }

  update(): void {
    const cuts = this.#cuts(true)
    const there = this.#session.loader.peek(cuts)
    if (there) {
      this.#newest.stop()
      this.#session.emit('dear', null)
      return this.#show(there)
    }
    this.#newest.run(async signal => this.#show(await this.#session.obtain(cuts, signal)))
      .catch(error => this.#session.emit('trouble', error))
  }

  close(): void {
    this.#newest.stop()
    this.#chart.close()
  }

  cuts(): Cut[] {
    return this.#cuts(false)
  }

  canvas(): HTMLCanvasElement {
    return this.#chart.canvas
  }

  move(dx: number): void {
    const { scene } = this.#chart
    const middle = Math.round((scene.window[0] + scene.window[1]) / 2 / scene.step)
    this.#point(clamp((this.#cursor ?? middle) + dx, 0, scene.count - 1))
  }

  zoom(factor: number): void {
    const { window, step } = this.#chart.scene
    if (!factor) this.#session.set({ window: null })
    else this.#zoomAt(factor, this.#cursor === null ? (window[0] + window[1]) / 2 : this.#cursor * step)
  }

  /** What is read is all along the axis, what is shown perhaps a part. */
  #cuts(reading: boolean): Cut[] {
    const { dataset: { shape }, state: { x, y, index, window } } = this.#session
    return shape.map((length, axis): Cut => {
      if (axis === y) return { start: 0, stop: length, step: reading ? Math.max(1, Math.ceil(length / MOST_SERIES)) : 1 }
      if (axis !== x) return index[axis]!
      if (reading || !window) return { start: 0, stop: length, step: reading ? Math.max(1, Math.ceil(length / MOST_ITEMS)) : 1 }
      return { start: Math.max(0, Math.floor(window[0])), stop: Math.min(length, Math.ceil(window[1]) + 1), step: 1 }
    })
  }

  #series(slab: Slab): Series[] {
    const { dataset, state: { x, y, part } } = this.#session
    const { piece } = slab
    const cutY = y === null ? 0 : piece.cuts[y]!
    if (dataset.type.kind === 'struct' && y === null) {
      return drawableFields(dataset.type).filter(({ name }) => name === part)
        .map(({ name }) => ({ name, values: slab.numbers(name), stride: 1, offset: 0 }))
    }
    const values = slab.numbers(part)
    const stride = strideOf(piece, x!)
    if (typeof cutY === 'number') return [{ name: dataset.name, values, stride, offset: 0 }]
    return Array.from({ length: lengthOf(cutY) }, (_, k) => (
      { name: `${axisName(dataset, y!)} = ${cutY.start + k * cutY.step}`, values, stride, offset: k * strideOf(piece, y!) }))
  }

  #show(slab: Slab): void {
    const session = this.#session
    const { dataset, state, drawn } = session
    this.#slab = slab
    const cut = slab.piece.cuts[state.x!] as Exclude<Cut, number>
    const series = this.#series(slab)
    const time = drawn.kind === 'datetime'
    this.#chart.show({
      series, count: lengthOf(cut), start: cut.start, step: cut.step,
      window: state.window ? [state.window[0], state.window[1]] : [0, Math.max(1, dataset.shape[state.x!]! - 1)],
      range: this.#range(series, lengthOf(cut)), scale: state.scale,
      xLabel: axisName(dataset, state.x!), yLabel: dataset.type.kind === 'struct' ? state.part : '', xText: tickText,
      yText: time ? value => dateOfNumber(value, drawn.unit, drawn.count).slice(0, 10) : tickText,
    })
    fill(this.#legend, ...(series.length > 1 ? series.map(({ name }, k) => this.#key(name, k)) : []))
    if (this.#cursor !== null) this.#point(Math.min(this.#cursor, lengthOf(cut) - 1))
    session.emit('shown', { cuts: this.cuts(), note: cut.step > 1 ? `every ${cut.step}th item` : undefined })
    void session.prefetch(index => this.#cuts(true).map((cut, axis) => (typeof cut === 'number' ? index[axis]! : cut)))
  }

  #key(name: string, k: number): HTMLElement {
    const mark = h('i', {})
    mark.style.background = LINES[k % LINES.length]!
    return h('li', {}, mark, name)
  }

  #range(series: Series[], count: number): Range {
    const { state, whole } = this.#session
    if (state.range === 'fixed') return { min: state.min, max: state.max }
    if (state.range === 'whole' && whole) return whole
    if (state.part === 'phase') return { min: -Math.PI, max: Math.PI }
    const step = this.#step()
    const [from, to] = state.window ? [Math.max(0, Math.floor(state.window[0] / step)), Math.min(count, Math.ceil(state.window[1] / step) + 1)] : [0, count]
    const values = series.flatMap(({ values, stride, offset }) => {
      const part = new Float64Array(Math.max(0, to - from))
      for (let k = from; k < to; k++) part[k - from] = values[offset + k * stride]!
      return [summarize(part)]
    })
    const finite = values.filter(({ min }) => !Number.isNaN(min))
    if (!finite.length) return { min: 0, max: 1 }
    const [min, max] = [Math.min(...finite.map(({ min }) => min)), Math.max(...finite.map(({ max }) => max))]
    const positive = Math.min(...finite.map(({ leastPositive }) => leastPositive))
    if (state.scale !== 'linear') return { min: state.scale === 'log' && min <= 0 ? positive : min, max }
    const margin = (max - min) * 0.04
    return { min: min - margin, max: max + margin }
  }

  #step(): number {
    const cut = this.#slab!.piece.cuts[this.#session.state.x!]!
    return typeof cut === 'number' ? 1 : cut.step
  }

  #pointer(event: PointerEvent): void {
    const at = this.#chart.toX(event.offsetX)
    const { scene } = this.#chart
    if (this.#from && event.buttons) {
      const { x, window: [a, b] } = this.#from
      // Positions are told by the window of now, of which only the width is that of the beginning.
      const shift = x - (at - scene.window[0] + a)
      this.#look(a + shift, b + shift)
      return
    }
    this.#point(clamp(Math.round((at - scene.start) / scene.step), 0, scene.count - 1))
  }

  #zoomAt(factor: number, at: number): void {
    const [a, b] = this.#chart.scene.window
    this.#look(at + (a - at) * factor, at + (b - at) * factor)
  }

  #look(a: number, b: number): void {
    const last = Math.max(1, this.#session.dataset.shape[this.#session.state.x!]! - 1)
    const width = clamp(b - a, Math.min(4, last), last)
    const start = clamp(a, 0, last - width)
    this.#session.set({ window: width >= last ? null : [start, start + width, 0, 1] })
  }

  #point(cursor: number): void {
    this.#cursor = cursor
    this.#chart.show({ cursor })
    const { dataset, state: { x, y, part } } = this.#session
    const [slab, { scene }] = [this.#slab, this.#chart]
    if (!slab) return
    const { data, width } = slab.piece
    const texts = scene.series.map(({ name, stride, offset }) => {
      const at = offset + cursor * stride
      const struct = data instanceof StructArray
      const field = struct ? dataset.type.fields!.find(field => field.name === part) : undefined
      const text = struct && field ? fieldText(field.type, data, at, part) : textOf(dataset.type, data, at, width)
      return scene.series.length > 1 ? `${name.split(' = ')[1] ?? name}: ${text}` : text
    })
    const place = dataset.shape.map((_, axis) => (axis === x ? scene.start + cursor * scene.step : axis === y ? ':' : slab.piece.cuts[axis]))
    this.#session.emit('readout', `[${place.join(', ')}] = ${texts.join('   ')}`)
  }
}
