// A table of a store, or a sequence of objects: rows that are loaded page by page, sorted, searched and filtered in a worker.
import { button, fill, h, plural, saveAs, typed } from '../dom.js'
import type { Numbers, Queries, Selection } from '../model/row-queries.js'
import type { TextFormat } from '../model/row-text.js'
import type { Rows } from '../model/rows.js'
import { loadPrinter } from '../model/texts.js'
import { addRules } from '../rules.js'
import { showError } from './error-box.js'
import { RecordGrid } from './record-grid.js'
import { RecordSearch } from './record-search.js'
import type { RecordStatistics } from './record-statistics.js'
import { tree } from './tree.js'
import rules from './records.css'

addRules(rules)

/** Rows to load at a time. */
const PAGE = 200

export class Records {
  readonly element: HTMLElement
  readonly #name: string
  readonly #rows: Rows
  readonly #queries: () => Promise<Queries>
  readonly #grid: RecordGrid
  readonly #note = h('span', { role: 'status' })
  readonly #progress = h('progress', { max: 1, hidden: true, 'aria-label': 'progress' })
  readonly #more = button('More rows', () => void this.#load())
  readonly #error = h('div')
  readonly #side = h('div', { class: 'side' })
  #selection: Selection = { conditions: [], search: '', order: null }
  /** The rows that are selected, in their order; null for all as they are stored. */
  #numbers: Numbers = null
  /** The place of the first row that was loaded, and the cells of the rows, row by row. */
  #first = 0
  #loaded: unknown[][] = []
  #asking = new AbortController()
  #statistics: RecordStatistics | undefined
  #closed = false

  /** `queries` starts what answers questions about all rows, when it is first needed. */
  constructor(name: string, rows: Rows, queries: () => Promise<Queries>) {
    this.#name = name
    this.#rows = rows
    let started: Promise<Queries> | undefined
    this.#queries = () => (started ??= queries())
    this.#grid = new RecordGrid(name, rows.columns, order => this.#select({ order }))
    const attributes = h('div')
    void rows.attrs().then(
      found => Object.keys(found).length && attributes.append(tree('attributes', found)),
      () => {},
    )
    const search = new RecordSearch(rows.columns, part => this.#select(part))
    const format = (label: TextFormat) => button(label, () => void this.#save(label), { title: 'save the rows' })
    this.element = h(
      'div',
      { class: 'records' },
      h('h2', {}, name, ' ', h('small', {}, `${plural(rows.length, 'row')}, ${plural(rows.columns.length, 'column')}`)),
      attributes,
      h(
        'div',
        { class: 'asked' },
        search.element,
        h(
          'span',
          { class: 'of-rows', role: 'group', 'aria-label': 'tools' },
          button('Statistics', () => void this.#toggle(), { 'data-panel': 'statistics', 'aria-expanded': 'false' }),
          format('CSV'),
          format('NDJSON'),
        ),
      ),
      h(
        'div',
        { class: 'work' },
        h('div', { class: 'rows', tabindex: '0', role: 'region', 'aria-label': 'rows' }, this.#grid.element),
        this.#side,
      ),
      this.#error,
      h('p', { class: 'buttons' }, this.#note, this.#progress, this.#more, rows.length > PAGE && this.#jump()),
    )
    void this.#load()
    this.#close = () => {
      void started?.then(queries => queries.close())
      void rows.close()
    }
  }

  readonly #close: () => void

  close(): void {
    this.#closed = true
    this.#asking.abort()
    this.#statistics?.close()
    this.#close()
  }

  get #length(): number {
    return this.#numbers?.length ?? this.#rows.length
  }

  /** A field for the first row to load. */
  #jump(): HTMLElement {
    const go = (row: number) => this.#from(Math.max(0, Math.min(this.#length - 1, Math.floor(row))))
    return h('label', { class: 'field' }, h('span', {}, 'from row'), typed('from row', 0, go))
  }

  #from(first: number): void {
    this.#first = first
    this.#loaded = []
    void this.#load()
  }

  /** Asks for other rows, or for another order. */
  #select(part: Partial<Selection>): void {
    this.#selection = { ...this.#selection, ...part }
    if (part.order !== undefined) this.#grid.order = part.order
    void this.#ask(async (queries, asking) => {
      this.#numbers = await queries.select(this.#selection, asking)
      this.#grid.forget()
      this.#from(0)
      void this.#statistics?.update(this.#numbers)
    })
  }

  /** Asks one question; a newer one ends it. */
  async #ask(
    work: (queries: Queries, asking: { signal: AbortSignal; onProgress: (share: number) => void }) => Promise<void>,
  ): Promise<void> {
    this.#asking.abort()
    const { signal } = (this.#asking = new AbortController())
    const onProgress = (share: number) => {
      if (signal.aborted) return
      this.#progress.hidden = false
      this.#progress.value = share
    }
    fill(this.#error)
    this.element.setAttribute('aria-busy', 'true')
    try {
      const queries = await this.#queries()
      if (!signal.aborted) await work(queries, { signal, onProgress })
    } catch (error) {
      if (signal.aborted) return
      this.element.removeAttribute('aria-busy')
      void showError(this.#error, error, { close: () => fill(this.#error) })
    }
    this.#progress.hidden = true
  }

  async #load(): Promise<void> {
    const loaded = this.#loaded
    const start = this.#first + loaded.length
    const end = Math.min(this.#length, start + PAGE)
    this.#more.disabled = true
    this.element.setAttribute('aria-busy', 'true')
    fill(this.#error)
    try {
      const [columns] = await Promise.all([this.#cells(start, end), loadPrinter()])
      // Others may have been asked for.
      if (this.#closed || loaded !== this.#loaded) return
      for (let row = 0; row < end - start; row++) loaded.push(columns.map(cells => cells[row]))
      this.#draw()
    } catch (error) {
      if (this.#closed || loaded !== this.#loaded) return
      void showError(this.#error, error, { retry: () => void this.#load() })
    }
    this.element.removeAttribute('aria-busy')
    this.#more.disabled = false
  }

  async #cells(start: number, end: number): Promise<unknown[][]> {
    if (this.#numbers) return (await this.#queries()).read(this.#numbers.subarray(start, end))
    return Promise.all(this.#rows.columns.map((_, at) => this.#rows.cells(at, start, end)))
  }

  #draw(): void {
    const [start, end] = [this.#first, this.#first + this.#loaded.length]
    const number = (place: number) => this.#numbers?.[place] ?? place
    this.#grid.draw(this.#loaded.map((cells, k) => ({ number: number(start + k), cells })))
    const [from, to] = [start, end - 1].map(row => row.toLocaleString('en'))
    const length = this.#length.toLocaleString('en')
    const isAll = this.#length === this.#rows.length
    const of = isAll ? length : `${length} that match, of ${this.#rows.length.toLocaleString('en')}`
    this.#note.textContent = end - start < this.#length ? `Rows ${from} to ${to} of ${of} ` : isAll ? '' : `${of} rows `
    this.#more.hidden = end >= this.#length
  }

  /** The rows that the user chose in the grid, or else those that match. */
  get #wanted(): Numbers {
    return this.#grid.chosen ?? this.#numbers
  }

  async #save(format: TextFormat): Promise<void> {
    await this.#ask(async (queries, asking) => {
      const blob = await queries.text(format, this.#wanted, asking)
      const [stem] = this.#name.split(/\.(?=[^.]*$)/)
      saveAs(blob, `${stem}.${format.toLowerCase()}`)
      this.element.removeAttribute('aria-busy')
    })
  }

  /** Shows or hides the statistics of a column. */
  async #toggle(): Promise<void> {
    const { RecordStatistics } = await import('./record-statistics.js')
    const panel = (this.#statistics ??= new RecordStatistics(this.#rows.columns, this.#queries))
    const isOpen = this.#side.hasChildNodes()
    fill(this.#side, !isOpen && panel.element)
    this.element.querySelector('[data-panel]')!.setAttribute('aria-expanded', String(!isOpen))
    if (!isOpen) await panel.update(this.#numbers)
  }
}
