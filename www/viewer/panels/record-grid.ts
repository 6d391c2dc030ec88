// Rows as a table, whose heads sort them. Rows are chosen by their numbers.
import { button, fill, h } from '../dom.js'
import type { Order } from '../model/row-queries.js'
import { cellText, entriesOf, type RowColumn } from '../model/rows.js'
import { tree } from './tree.js'

/** A row with its number in the file. */
export interface NumberedRow {
  number: number
  cells: readonly unknown[]
}

export class RecordGrid {
  readonly element: HTMLElement
  readonly #columns: readonly RowColumn[]
  readonly #sort: (order: Order | null) => void
  readonly #head = h('tr')
  readonly #body = h('tbody')
  readonly #chosen = new Set<number>()
  #rows: readonly NumberedRow[] = []
  /** The place of the row that was chosen last. */
  #last = 0
  #order: Order | null = null

  constructor(name: string, columns: readonly RowColumn[], sort: (order: Order | null) => void) {
    this.#columns = columns
    this.#sort = sort
    this.element = h('table', { 'aria-label': name }, h('thead', {}, this.#head), this.#body)
    this.#drawHead()
  }

  set order(order: Order | null) {
    this.#order = order
    this.#drawHead()
    // The button that had the focus was replaced.
    if (order) this.#head.querySelectorAll('button')[order.column]?.focus()
  }

  /** The numbers of the rows that were chosen; null without any. */
  get chosen(): Uint32Array<ArrayBuffer> | null {
    return this.#chosen.size ? Uint32Array.from(this.#chosen).sort() : null
  }

  /** Chooses no rows. */
  forget(): void {
    this.#chosen.clear()
  }

  draw(rows: readonly NumberedRow[]): void {
    this.#rows = rows
    fill(this.#body, ...rows.map((row, place) => this.#row(row, place)))
  }

  #drawHead(): void {
    fill(
      this.#head,
      h('th', { scope: 'col', class: 'number' }, 'row'),
      ...this.#columns.map((column, at) => this.#heading(column, at)),
    )
  }

  #heading(column: RowColumn, at: number): HTMLElement {
    const order = this.#order?.column === at ? this.#order : null
    const sort = order ? (order.descending ? 'descending' : 'ascending') : 'none'
    const sign = order ? (order.descending ? ' ▾' : ' ▴') : ''
    // Ascending first, then descending, then as stored.
    const next = order?.descending ? null : { column: at, descending: order !== null }
    return h(
      'th',
      { scope: 'col', 'aria-sort': sort, class: isNumeric(column) ? 'number' : undefined },
      h('button', { type: 'button', title: 'sort all rows', click: () => this.#sort(next) }, column.name + sign),
      h('small', {}, column.unit ? `${column.kind} [${column.unit}]` : column.kind),
    )
  }

  #row({ number, cells }: NumberedRow, place: number): HTMLElement {
    const choose = button(String(number), () => {}, { class: 'quiet', title: 'choose the row; with Shift a range' })
    choose.addEventListener('click', event => this.#choose(place, event.shiftKey))
    const row = h(
      'tr',
      {},
      h('th', { scope: 'row', class: 'number' }, choose),
      ...this.#columns.map((column, at) => cellOf(cells[at], column)),
    )
    this.#mark(row, number)
    return row
  }

  #mark(row: Element, number: number): void {
    const isChosen = this.#chosen.has(number)
    row.classList.toggle('chosen', isChosen)
    row.querySelector('button')!.setAttribute('aria-pressed', String(isChosen))
  }

  /** Chooses a row or no longer, or all rows since the last one. */
  #choose(place: number, isRange: boolean): void {
    const [from, to] = isRange ? [Math.min(place, this.#last), Math.max(place, this.#last)] : [place, place]
    const add = isRange || !this.#chosen.has(this.#rows[place]!.number)
    for (const { number } of this.#rows.slice(from, to + 1)) this.#chosen[add ? 'add' : 'delete'](number)
    this.#last = place
    for (const [k, row] of [...this.#body.children].entries()) this.#mark(row, this.#rows[k]!.number)
  }
}

/** Objects and lists with content are trees, bytes are counted; all other cells are texts. */
function cellOf(cell: unknown, column: RowColumn): HTMLElement {
  const isTree = column.kind === 'object' && (cell instanceof Uint8Array || entriesOf(cell)?.length)
  if (isTree) return h('td', {}, tree('', cell))
  const text = cellText(cell, column)
  const style = text === null ? 'null' : isNumeric(column) ? 'number' : undefined
  return h('td', { class: style }, text ?? 'null')
}

const isNumeric = ({ kind, unit }: RowColumn): boolean => unit === undefined && /^(u?int|float)\d/.test(kind)
