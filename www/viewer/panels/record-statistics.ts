// Statistics of a column, with a histogram or its most frequent values, or two columns as points.
import type { HistogramResult } from '../../js/data/histogram.js'
import type { Type } from '../../js/index.js'
import { fill, h, plural } from '../dom.js'
import { Chart } from '../draw/chart.js'
import { nameOfPercentile } from '../model/describe.js'
import { isCountable, type ColumnStatistics, type Numbers, type Queries, type Values } from '../model/row-queries.js'
import type { RowColumn } from '../model/rows.js'
import { loadPrinter } from '../model/texts.js'
import { dateMarks } from '../model/timeticks.js'
import { rough, roughText } from '../model/values.js'
import { showError } from './error-box.js'
import './panel.js'

/** The maximum number of points that are drawn. */
const MAX_POINTS = 100_000

export class RecordStatistics {
  readonly element: HTMLElement
  readonly #columns: readonly RowColumn[]
  readonly #queries: () => Promise<Queries>
  readonly #column: HTMLSelectElement
  readonly #against: HTMLSelectElement
  readonly #result = h('div', { class: 'result', 'aria-live': 'polite' })
  readonly #chart: Chart
  #numbers: Numbers = null
  #asking = new AbortController()

  constructor(columns: readonly RowColumn[], queries: () => Promise<Queries>) {
    this.#columns = columns
    this.#queries = queries
    const option = ({ name }: RowColumn, at: number) => h('option', { value: String(at) }, name)
    const change = () => void this.update(this.#numbers)
    this.#column = h('select', { 'aria-label': 'statistics of', change }, ...columns.map(option))
    this.#against = h(
      'select',
      { 'aria-label': 'scatter over', change },
      h('option', { value: '' }, 'nothing'),
      ...columns.flatMap((column, at) => (isCountable(column) ? option(column, at) : [])),
    )
    const canvas = h('canvas', { class: 'plot', role: 'img', 'aria-label': 'chart', hidden: true })
    this.#chart = new Chart(canvas)
    this.element = h(
      'div',
      { class: 'panel' },
      h('h2', {}, 'Statistics'),
      h('label', { class: 'field' }, h('span', {}, 'of'), this.#column),
      h('label', { class: 'field' }, h('span', {}, 'scatter over'), this.#against),
      canvas,
      this.#result,
    )
  }

  /** Shows the statistics of some rows; null for all. */
  async update(numbers: Numbers): Promise<void> {
    this.#numbers = numbers
    if (!this.element.isConnected) return
    this.#asking.abort()
    const { signal } = (this.#asking = new AbortController())
    this.element.setAttribute('aria-busy', 'true')
    const at = Number(this.#column.value)
    const column = this.#columns[at]!
    const over = this.#against.value
    this.#against.disabled = !isCountable(column)
    try {
      const [queries] = await Promise.all([this.#queries(), loadPrinter()])
      if (over === '' || this.#against.disabled) this.#tell(column, await queries.statistics(at, numbers, { signal }))
      else {
        const [x, y] = await queries.pair(Number(over), at, numbers, { signal })
        if (!signal.aborted) this.#scatter(this.#columns[Number(over)]!, column, x, y)
      }
    } catch (error) {
      if (signal.aborted) return
      this.#chart.canvas.hidden = true
      void showError(this.#result, error)
    }
    if (!signal.aborted) this.element.removeAttribute('aria-busy')
  }

  close(): void {
    this.#asking.abort()
    this.#chart.close()
  }

  #tell(column: RowColumn, { rows, nulls, numbers, distinct = 0, frequent = [] }: ColumnStatistics): void {
    const text = (value: number) => roughText(typeOf(column), value, '', numbers?.base)
    const lines: [string, string][] = [
      ['rows', rows.toLocaleString('en')],
      ['null', nulls.toLocaleString('en')],
    ]
    if (numbers) {
      const { min, max, mean, std, percentiles, nan } = numbers
      lines.push(['least', text(min)], ['greatest', text(max)], ['mean', text(mean)])
      lines.push(['std', column.unit === undefined ? rough(std) : `${rough(std)} ${column.unit}`])
      percentiles.forEach((value, k) => lines.push([nameOfPercentile(k), text(value)]))
      if (nan) lines.push(['NaN', nan.toLocaleString('en')])
    } else lines.push(['different values', distinct.toLocaleString('en')])
    fill(
      this.#result,
      h('dl', { class: 'numbers' }, ...lines.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
      !numbers && frequent.length > 0 && h('h3', {}, 'Most frequent'),
      !numbers &&
        h(
          'dl',
          { class: 'numbers' },
          ...frequent.flatMap(([value, count]) => [h('dt', {}, value), h('dd', {}, count.toLocaleString('en'))]),
        ),
      numbers?.sampled && h('p', { class: 'hint' }, 'Percentiles are those of a sample.'),
    )
    this.#chart.canvas.hidden = !numbers || !(numbers.min <= numbers.max)
    if (numbers && !this.#chart.canvas.hidden) this.#histogram(column, numbers.histogram, numbers.base)
  }

  #histogram(column: RowColumn, { counts, start, end }: HistogramResult, base: bigint): void {
    this.#chart.show({
      points: null,
      series: [{ name: '', values: counts, stride: 1, offset: 0 }],
      bars: true,
      count: counts.length,
      start,
      step: (end - start) / counts.length,
      window: [start, end],
      range: { min: 0, max: counts.reduce((a, b) => Math.max(a, b), 1) },
      xLabel: labelOf(column, base),
      yLabel: 'rows',
      xMarks: marksOf(column, base),
      yMarks: null,
      wholeX: false,
    })
  }

  #scatter(across: RowColumn, up: RowColumn, { values: x, base }: Values, { values: y, base: below }: Values): void {
    const every = Math.ceil(x.length / MAX_POINTS) || 1
    const sample = (values: Float64Array) => (every > 1 ? values.filter((_, k) => k % every === 0) : values)
    const points = { x: sample(x), y: sample(y) }
    fill(
      this.#result,
      h(
        'p',
        { class: 'hint' },
        every > 1
          ? `${points.x.length.toLocaleString('en')} of ${plural(x.length, 'point')}.`
          : `${plural(x.length, 'point')}.`,
      ),
    )
    const [wide, high] = [spanOf(points.x), spanOf(points.y)]
    this.#chart.canvas.hidden = false
    this.#chart.show({
      points,
      series: [],
      bars: false,
      window: [wide.min, wide.max],
      range: high,
      xLabel: labelOf(across, base),
      yLabel: labelOf(up, below),
      xMarks: marksOf(across, base),
      yMarks: marksOf(up, below),
      wholeX: false,
    })
  }
}

const isTime = ({ unit, kind }: RowColumn): boolean => unit !== undefined && !/delta/.test(kind)

/** A dtype for values of a column. */
const typeOf = (column: RowColumn): Type => ({
  kind: isTime(column) ? 'datetime' : 'float',
  size: 8,
  order: '<',
  ...(column.unit !== undefined && { unit: column.unit }),
})

const labelOf = (column: RowColumn, base: bigint): string =>
  base && !isTime(column) ? `${column.name} − ${base}` : column.name

/** Ticks of times; null for those of numbers. */
const marksOf = (column: RowColumn, base: bigint) => (isTime(column) ? dateMarks(typeOf(column), base) : null)

/** The range of the finite values, with a margin. */
function spanOf(values: Float64Array): { min: number; max: number } {
  let [min, max] = [Infinity, -Infinity]
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    if (value < min) min = value
    if (value > max) max = value
  }
  if (min > max) return { min: 0, max: 1 }
  const margin = (max - min) * 0.03 || 0.5
  return { min: min - margin, max: max + margin }
}
