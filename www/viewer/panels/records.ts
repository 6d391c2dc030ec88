import { button, fill, h, plural, typed } from '../dom.js'
// A table of a store, or a sequence of objects: typed columns, and rows that are loaded page by page.
import { cellText, compareCells, type RowColumn, type Rows } from '../model/rows.js'
import { loadPrinter } from '../model/texts.js'
import { addRules } from '../rules.js'
import { showError } from './error-box.js'
import { tree } from './tree.js'
import rules from './records.css'

addRules(rules)

/** Rows to load at a time. */
const PAGE = 200

interface Order {
  column: number
  descending: boolean
}

export class Records {
  readonly element: HTMLElement
  readonly #rows: Rows
  readonly #body = h('tbody')
  readonly #head = h('tr')
  readonly #note = h('span', { role: 'status' })
  readonly #more = button('More rows', () => void this.#load())
  readonly #error = h('div')
  /** The first row that was loaded. */
  #first = 0
  /** The cells that were loaded, row by row. */
  #loaded: unknown[][] = []
  #order: Order | null = null
  #closed = false

  constructor(name: string, rows: Rows) {
    this.#rows = rows
    const attributes = h('div')
    void rows.attrs().then(
      found => Object.keys(found).length && attributes.append(tree('attributes', found)),
      () => {},
    )
    const grid = h('table', { 'aria-label': name }, h('thead', {}, this.#head), this.#body)
    this.element = h(
      'div',
      { class: 'records' },
      h('h2', {}, name, ' ', h('small', {}, `${plural(rows.length, 'row')}, ${plural(rows.columns.length, 'column')}`)),
      attributes,
      h('div', { class: 'rows', tabindex: '0', role: 'region', 'aria-label': 'rows' }, grid),
      this.#error,
      h('p', { class: 'buttons' }, this.#note, this.#more, rows.length > PAGE && this.#jump()),
    )
    this.#drawHead()
    void this.#load()
  }

  close(): void {
    this.#closed = true
    void this.#rows.close()
  }

  /** A field for the first row to load. */
  #jump(): HTMLElement {
    const go = (row: number) => {
      this.#first = Math.max(0, Math.min(this.#rows.length - 1, Math.floor(row)))
      this.#loaded = []
      void this.#load()
    }
    return h('label', { class: 'field' }, h('span', {}, 'from row'), typed('from row', 0, go))
  }

  async #load(): Promise<void> {
    const loaded = this.#loaded
    const start = this.#first + loaded.length
    const end = Math.min(this.#rows.length, start + PAGE)
    this.#more.disabled = true
    this.element.setAttribute('aria-busy', 'true')
    fill(this.#error)
    try {
      const [columns] = await Promise.all([this.#rows.read(start, end), loadPrinter()])
      // Others may have been asked for.
      if (this.#closed || loaded !== this.#loaded) return
      for (let row = 0; row < end - start; row++) loaded.push(columns.map(cells => cells[row]))
      this.#drawRows()
    } catch (error) {
      if (this.#closed || loaded !== this.#loaded) return
      void showError(this.#error, error, { retry: () => void this.#load() })
    }
    this.element.removeAttribute('aria-busy')
    this.#more.disabled = false
  }

  #drawHead(): void {
    fill(
      this.#head,
      h('th', { scope: 'col', class: 'number' }, 'row'),
      ...this.#rows.columns.map((column, at) => this.#heading(column, at)),
    )
  }

  #heading(column: RowColumn, at: number): HTMLElement {
    const order = this.#order?.column === at ? this.#order : null
    const sort = order ? (order.descending ? 'descending' : 'ascending') : 'none'
    const sign = order ? (order.descending ? ' ▾' : ' ▴') : ''
    const click = () => this.#sort(at)
    return h(
      'th',
      { scope: 'col', 'aria-sort': sort, class: isNumeric(column) ? 'number' : undefined },
      h('button', { type: 'button', title: 'sort what is loaded', click }, column.name + sign),
      h('small', {}, column.unit ? `${column.kind} [${column.unit}]` : column.kind),
    )
  }

  /** Ascending first, then descending, then as stored. */
  #sort(column: number): void {
    const before = this.#order?.column === column ? this.#order : null
    this.#order = before?.descending ? null : { column, descending: before !== null }
    // The button that has the focus is replaced.
    this.#drawHead()
    this.#head.querySelectorAll('button')[column]?.focus()
    this.#drawRows()
  }

  #drawRows(): void {
    const { length } = this.#rows
    const [start, end] = [this.#first, this.#first + this.#loaded.length]
    const [from, to] = [start, end - 1].map(row => row.toLocaleString('en'))
    this.#note.textContent = end - start < length ? `Rows ${from} to ${to} of ${length.toLocaleString('en')} ` : ''
    this.#more.hidden = end >= length
    const numbers = this.#loaded.map((_, row) => row)
    if (this.#order) {
      const { column, descending } = this.#order
      const compare = (a: number, b: number) => compareCells(this.#loaded[a]![column], this.#loaded[b]![column])
      numbers.sort((a, b) => (descending ? compare(b, a) : compare(a, b)))
    }
    fill(this.#body, ...numbers.map(row => this.#row(row)))
  }

  #row(row: number): HTMLElement {
    const cells = this.#rows.columns.map((column, at) => {
      const text = cellText(this.#loaded[row]![at], column)
      const style = text === null ? 'null' : isNumeric(column) ? 'number' : undefined
      return h('td', { class: style }, text ?? 'null')
    })
    return h('tr', {}, h('th', { scope: 'row', class: 'number' }, this.#first + row), ...cells)
  }
}

const isNumeric = ({ kind, unit }: RowColumn): boolean => unit === undefined && /^(u?int|float)\d/.test(kind)
