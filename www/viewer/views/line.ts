// The line view: values along an axis as one line, as several along a second axis, or as the fields of structured items.

import { StructArray } from '../../js/index.js'
import { fill, h, saveAs } from '../dom.js'
import { Chart, type Band } from '../draw/chart.js'
import { LINES } from '../draw/colours.js'
import { swatch } from '../draw/hatch.js'
import { onWheel } from '../draw/wheel.js'
import { lengthOf, type Cut } from '../model/cuts.js'
import { positionsIn } from '../model/lines.js'
import { Newest, type Slab } from '../model/loader.js'
import { axisLabel, axisName, axisOf, unitOf } from '../model/names.js'
import { strideOf } from '../model/plane.js'
import type { Session } from '../model/session.js'
import { clamp } from '../model/suggest.js'
import { loadPrinter } from '../model/texts.js'
import { dateMarks } from '../model/timeticks.js'
import { rangeOfLines, sample, seriesOf, tracesFor, type Series } from '../model/trace.js'
import { fieldText, textOf } from '../model/values.js'
import { WHY } from '../model/why.js'
import { addRules } from '../rules.js'
import { LineChooser } from './line-chooser.js'
import type { Figure, View } from './view.js'
import rules from './line.css'

addRules(rules)

/** Items along the line to read together with the one under the pointer. */
const NEAR = 1024

export class LineView implements View {
  readonly element: HTMLElement
  readonly #session: Session
  readonly chart: Chart
  readonly #chooser: LineChooser
  readonly #legend = h('ul', { class: 'legend', 'aria-label': 'legend' })
  readonly #newest = new Newest()
  /** For the value under the pointer. */
  readonly #nearest = new Newest()
  /** The lines that are shown: a slice of several lines, or one for each. */
  #slabs: readonly Slab[] = []
  /** The position along the line whose value is shown. */
  #cursor: number | null = null
  #from: { x: number; window: [number, number] } | null = null

  constructor(session: Session) {
    this.#session = session
    const canvas = h('canvas', { class: 'plot', role: 'img', 'aria-label': 'line plot' })
    this.chart = new Chart(canvas)
    this.#chooser = new LineChooser(session, () => void this.#save())
    this.element = h('div', { class: 'view lines' }, this.#chooser.element, this.#legend, canvas)
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
    const all = tracesFor(session.dataset, session.state)
    this.#chooser.update()
    const there = all.flatMap(cuts => session.loader.peek(cuts) ?? [])
    if (there.length === all.length) {
      this.#newest.stop()
      session.emit('costly', null)
      return this.#show(there)
    }
    this.#newest
      .run(async signal => {
        const slabs: Slab[] = []
        for (const cuts of all) {
          // Shows parts of a line that takes long to read, or that the user must confirm.
          if (isOverview(cuts) && !(await session.isQuick(cuts, signal)))
            this.#show([...slabs, await sample(session, cuts, session.state.x!, signal)])
          slabs.push(await session.obtain(cuts, signal))
        }
        this.#show(slabs)
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
      state: { x, y, index, window, lines },
    } = this.#session
    return shape.map((length, axis): Cut => {
      if (axis !== x && axis !== y) return index[axis]!
      if (axis === y) return regular(positionsIn(lines, length)) ?? { start: 0, stop: length, step: 1 }
      if (!window) return { start: 0, stop: length, step: 1 }
      return { start: Math.max(0, Math.floor(window[0])), stop: Math.min(length, Math.ceil(window[1]) + 1), step: 1 }
    })
  }

  figure(): Figure {
    const legend = this.chart.scene.series.map(({ name }, k) => ({ text: name, colour: LINES[k % LINES.length]! }))
    return { chart: this.chart.scene, ...(legend.length > 1 && { legend }) }
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

  #show(slabs: readonly Slab[]): void {
    const session = this.#session
    const { dataset, state, drawn } = session
    this.#slabs = slabs
    const cut = slabs[0]!.piece.cuts[state.x!] as Exclude<Cut, number>
    const series = slabs.flatMap(slab => seriesOf(session, slab))
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
    const bands = [...this.#holes(window), ...slabs.flatMap(slab => unread(slab, state.x!))]
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
    void session.prefetch(index => tracesFor(dataset, { ...session.state, index })[0]!)
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
    const [first] = this.#slabs
    if (!first) return
    const { start, stop, step } = first.piece.cuts[x!] as Exclude<Cut, number>
    const isThere = step === 1 && cursor >= start && cursor < stop
    const along = { start: near, stop: Math.min(shape[x!]!, near + NEAR), step: 1 }
    const all = this.#slabs.map(({ piece }) => piece.cuts.with(x!, along))
    const there = isThere ? this.#slabs : all.flatMap(cuts => loader.peek(cuts) ?? [])
    const isAll = there.length === all.length
    this.#tell(isAll ? there : [], cursor)
    if (!isAll)
      this.#nearest
        .run(async signal => this.#tell(await Promise.all(all.map(cuts => loader.load(cuts, signal))), cursor))
        .catch((error: unknown) => this.#session.emit('error', error))
  }

  #tell(slabs: readonly Slab[], cursor: number): void {
    const session = this.#session
    const {
      dataset,
      state: { x, y, index },
    } = session
    const place = dataset.shape.map((_, axis) => (axis === x ? cursor : axis === y ? ':' : index[axis]))
    const why = y === null ? dataset.missing?.at(index.with(x!, cursor)) : null
    const series = slabs.flatMap(slab =>
      slab.piece.shape.length
        ? seriesOf(session, slab).map(one => ({ ...one, at: placeOf(slab, one, x!, cursor), slab }))
        : [],
    )
    this.chart.show({ cursor, dots: why ? [] : series.map(({ values, at }) => values[at]!) })
    session.emit('where', index.with(x!, cursor))
    if (!session.printable(() => this.#tell(slabs, cursor))) return
    const texts = series.map(
      ({ name, slab, at }) => `${series.length > 1 ? `${name.split(' = ')[1] ?? name}: ` : ''}${this.#text(slab, at)}`,
    )
    const text = why && why !== 'uninit' ? WHY[why] : `${texts.join('   ') || '…'}${why ? ` (${WHY[why]})` : ''}`
    session.emit('readout', `[${place.join(', ')}] = ${text}`)
  }

  /** Saves the visible part of the lines: a row for each position, and a column for each line. */
  async #save(): Promise<void> {
    const { dataset, state } = this.#session
    await loadPrinter()
    const x = state.x!
    const series = this.#slabs.flatMap(slab => seriesOf(this.#session, slab).map(one => ({ ...one, slab })))
    const [from, to] = this.chart.scene.window
    const rows = []
    for (let k = Math.max(0, Math.ceil(from)); k <= Math.min(dataset.shape[x]! - 1, to); k++)
      rows.push([k, ...series.map(one => this.#text(one.slab, placeOf(one.slab, one, x, k)))].join())
    const head = [axisName(dataset, x), ...series.map(({ name }) => name)].join()
    saveAs(new Blob([[head, ...rows, ''].join('\n')], { type: 'text/csv' }), `${dataset.name}_lines.csv`)
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

/** Positions as a range, if they are one. */
function regular(chosen: readonly number[] | null): Cut | null {
  if (!chosen) return null
  const [start, second] = chosen as [number, number?]
  const step = second === undefined ? 1 : second - start
  return chosen.every((at, k) => at === start + k * step) && step > 0 ? { start, stop: chosen.at(-1)! + 1, step } : null
}

const isOverview = (cuts: readonly Cut[]): boolean =>
  cuts.some(cut => typeof cut !== 'number' && cut.cells !== undefined)

/** Where the value of a line at a position is. */
const placeOf = ({ piece }: Slab, { offset, stride }: Series, x: number, cursor: number): number =>
  offset + (cursor - (piece.cuts[x] as Exclude<Cut, number>).start) * stride

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
