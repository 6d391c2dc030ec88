// The line view: values along an axis as one line, as several along a second axis, or as the fields of structured items.

import { StructArray } from '../../js/index.js'
import { fill, h } from '../dom.js'
import { Chart, type Band } from '../draw/chart.js'
import { LINES } from '../draw/colours.js'
import { swatch } from '../draw/hatch.js'
import { onWheel } from '../draw/wheel.js'
import { lengthOf, type Cut } from '../model/cuts.js'
import { Newest, type Slab } from '../model/loader.js'
import { axisLabel, axisOf, unitOf } from '../model/names.js'
import { strideOf } from '../model/plane.js'
import type { Session } from '../model/session.js'
import { clamp } from '../model/suggest.js'
import { dateMarks } from '../model/timeticks.js'
import { rangeOfLines, sample, seriesOf, traceFor } from '../model/trace.js'
import { fieldText, textOf } from '../model/values.js'
import { WHY } from '../model/why.js'
import { addRules } from '../rules.js'
import type { Figure, View } from './view.js'
import rules from './line.css'

addRules(rules)

/** Items along the line to read together with the one under the pointer. */
const NEAR = 1024

export class LineView implements View {
  readonly element: HTMLElement
  readonly #session: Session
  readonly chart: Chart
  readonly #legend = h('ul', { class: 'legend', 'aria-label': 'legend' })
  readonly #newest = new Newest()
  /** For the value under the pointer. */
  readonly #nearest = new Newest()
  #slab: Slab | null = null
  /** The position along the line whose value is shown. */
  #cursor: number | null = null
  #from: { x: number; window: [number, number] } | null = null

  constructor(session: Session) {
    this.#session = session
    const canvas = h('canvas', { class: 'plot', role: 'img', 'aria-label': 'line plot' })
    this.chart = new Chart(canvas)
    this.element = h('div', { class: 'view lines' }, this.#legend, canvas)
    canvas.addEventListener('pointermove', event => this.#pointer(event))
    canvas.addEventListener('pointerdown', event => {
      canvas.setPointerCapture(event.pointerId)
      this.#from = { x: this.chart.toX(event.offsetX), window: [...this.chart.scene.window] }
    })
    canvas.addEventListener('pointerup', () => (this.#from = null))
    canvas.addEventListener('dblclick', () => this.zoom(0))
    onWheel(canvas, { zoom: (factor, [x]) => this.#zoomAt(factor, this.chart.toX(x)), step: by => session.step(by) })
  }

  update(): void {
    const session = this.#session
    const cuts = traceFor(session.dataset, session.state)
    const there = session.loader.peek(cuts)
    if (there) {
      this.#newest.stop()
      session.emit('costly', null)
      return this.#show(there)
    }
    this.#newest
      .run(async signal => {
        // Shows parts of a line that is expensive to read until the user confirms.
        if (isOverview(cuts) && !(await session.affords(cuts, signal)))
          this.#show(await sample(session, cuts, session.state.x!, signal))
        this.#show(await session.obtain(cuts, signal))
      })
      .catch((error: unknown) => session.emit('error', error))
  }

  close(): void {
    this.#newest.stop()
    this.#nearest.stop()
    this.chart.close()
  }

  cuts(): Cut[] {
    const {
      dataset: { shape },
      state: { x, y, index, window },
    } = this.#session
    return shape.map((length, axis): Cut => {
      if (axis !== x && axis !== y) return index[axis]!
      if (axis === y || !window) return { start: 0, stop: length, step: 1 }
      return { start: Math.max(0, Math.floor(window[0])), stop: Math.min(length, Math.ceil(window[1]) + 1), step: 1 }
    })
  }

  figure(): Figure {
    return { chart: this.chart.scene }
  }

  move(dx: number): void {
    const { window } = this.chart.scene
    this.point((this.#cursor ?? Math.round((window[0] + window[1]) / 2)) + dx)
  }

  zoom(factor: number): void {
    const { window } = this.chart.scene
    if (!factor) this.#session.set({ window: null })
    else this.#zoomAt(factor, this.#cursor ?? (window[0] + window[1]) / 2)
  }

  #show(slab: Slab): void {
    const session = this.#session
    const { dataset, state, drawn } = session
    this.#slab = slab
    const cut = slab.piece.cuts[state.x!] as Exclude<Cut, number>
    const series = seriesOf(session, slab)
    const window: [number, number] = state.window
      ? [state.window[0], state.window[1]]
      : [0, Math.max(1, dataset.shape[state.x!]! - 1)]
    const [from, to] = window.map(at => (at - cut.start) / cut.step) as [number, number]
    const range = rangeOfLines(
      session,
      series,
      Math.max(0, Math.floor(from)),
      Math.min(lengthOf(cut), Math.ceil(to) + 1),
    )
    const { offset } = dataset
    const bands = [...this.#holes(window), ...unread(slab, state.x!)]
    this.chart.show({
      series,
      count: lengthOf(cut),
      start: cut.start,
      step: cut.step,
      window,
      range,
      bands,
      scale: state.scale,
      xLabel: axisLabel(dataset, state.x!),
      yLabel: [
        dataset.type.kind === 'struct' && state.part,
        unitOf(dataset),
        drawn.kind === 'timedelta' && drawn.unit,
        offset && drawn.kind !== 'datetime' && `${offset} + …`,
      ]
        .filter(Boolean)
        .join(', '),
      xMarks: axisOf(dataset, state.x!).marks ?? null,
      yMarks: drawn.kind === 'datetime' ? dateMarks(drawn, offset) : null,
    })
    fill(
      this.#legend,
      ...(series.length > 1 ? series.map(({ name }, k) => this.#key(name, k)) : []),
      ...[...new Set(bands.map(band => band.why))].map(why => h('li', {}, swatch(this.element, why), WHY[why])),
    )
    if (this.#cursor !== null) this.point(this.#cursor)
    const note = cut.step > 1 ? `1:${cut.step} overview (minimum to maximum)` : undefined
    session.present({ cuts: this.cuts(), note }, { limits: range, values: () => [] })
    void session.prefetch(index => traceFor(dataset, { ...session.state, index }))
  }

  /** The missing parts of the visible line, unless there are several lines. */
  #holes([from, to]: readonly [number, number]): Band[] {
    const {
      dataset: { missing },
      state: { index, x, y },
    } = this.#session
    return y === null ? (missing?.holes(index, x!, null, [from, to + 1, 0, 1]) ?? []) : []
  }

  #key(name: string, k: number): HTMLElement {
    const mark = h('i', {})
    mark.style.background = LINES[k % LINES.length]!
    return h('li', {}, mark, name)
  }

  #pointer(event: PointerEvent): void {
    const at = this.chart.toX(event.offsetX)
    const { scene } = this.chart
    if (this.#from && event.buttons) {
      const {
        x,
        window: [a, b],
      } = this.#from
      // Positions depend on the current window, which has the same width as at the start but another position.
      const shift = x - (at - scene.window[0] + a)
      this.#look(a + shift, b + shift)
      return
    }
    this.point(Math.round(at))
  }

  #zoomAt(factor: number, at: number): void {
    const [a, b] = this.chart.scene.window
    this.#look(at + (a - at) * factor, at + (b - at) * factor)
  }

  #look(a: number, b: number): void {
    const last = Math.max(1, this.#session.dataset.shape[this.#session.state.x!]! - 1)
    const width = clamp(b - a, Math.min(4, last), last)
    const start = clamp(a, 0, last - width)
    this.#session.set({ window: width >= last ? null : [start, start + width, 0, 1] })
  }

  /** Shows the exact value at a position along the line, even in an overview. */
  point(at: number): void {
    const {
      dataset: { shape },
      state: { x },
      loader,
    } = this.#session
    const cursor = clamp(at, 0, shape[x!]! - 1)
    this.#cursor = cursor
    this.#nearest.stop()
    const near = Math.floor(cursor / NEAR) * NEAR
    const cuts = this.#slab?.piece.cuts.with(x!, { start: near, stop: Math.min(shape[x!]!, near + NEAR), step: 1 })
    if (!cuts) return
    const { start, stop, step } = this.#slab!.piece.cuts[x!] as Exclude<Cut, number>
    const there = step === 1 && cursor >= start && cursor < stop ? this.#slab! : loader.peek(cuts)
    this.#tell(there, cursor)
    if (!there)
      this.#nearest
        .run(async signal => this.#tell(await loader.load(cuts, signal), cursor))
        .catch((error: unknown) => this.#session.emit('error', error))
  }

  #tell(slab: Slab | undefined, cursor: number): void {
    const session = this.#session
    const {
      dataset,
      state: { x, y, index },
    } = session
    const place = dataset.shape.map((_, axis) => (axis === x ? cursor : axis === y ? ':' : index[axis]))
    const why = y === null ? dataset.missing?.at(index.with(x!, cursor)) : null
    const [k, series] =
      slab && slab.piece.shape.length
        ? [cursor - (slab.piece.cuts[x!] as Exclude<Cut, number>).start, seriesOf(session, slab)]
        : [0, []]
    this.chart.show({
      cursor,
      dots: why ? [] : series.map(({ values, stride, offset }) => values[offset + k * stride]!),
    })
    session.emit('where', index.with(x!, cursor))
    if (!session.printable(() => this.#tell(slab, cursor))) return
    const texts = series.map(
      ({ name, stride, offset }) =>
        `${series.length > 1 ? `${name.split(' = ')[1] ?? name}: ` : ''}${this.#text(slab!, offset + k * stride)}`,
    )
    const text = why && why !== 'uninit' ? WHY[why] : `${texts.join('   ') || '…'}${why ? ` (${WHY[why]})` : ''}`
    session.emit('readout', `[${place.join(', ')}] = ${text}`)
  }

  #text({ piece: { data, width } }: Slab, at: number): string {
    const {
      dataset: { type },
      state: { part },
    } = this.#session
    const field = data instanceof StructArray ? type.fields!.find(({ name }) => name === part) : undefined
    return field ? fieldText(field.type, data as StructArray, at, part) : textOf(type, data, at, width)
  }
}

const isOverview = (cuts: readonly Cut[]): boolean =>
  cuts.some(cut => typeof cut !== 'number' && cut.cells !== undefined)

/** The intervals of an overview that were not read. */
function unread({ piece }: Slab, axis: number): Band[] {
  const { cells, cuts } = piece
  if (!cells) return []
  const { start, step } = cuts[axis] as Exclude<Cut, number>
  const [stride, count] = [
    strideOf(piece, axis),
    piece.shape.at(cuts.slice(0, axis).filter(cut => typeof cut !== 'number').length)!,
  ]
  const bands: Band[] = []
  for (let k = 0; k < count; k++) {
    if (cells.count[k * stride]) continue
    const last = bands.at(-1)
    if (last && last.x + last.width === start + k * step) last.width += step
    else bands.push({ x: start + k * step, width: step, why: 'unread' })
  }
  return bands
}
