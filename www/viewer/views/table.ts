// The table view. Only visible cells have elements.

import { h, fill, atFrame, plural } from '../dom.js'
import { typing } from '../keys.js'
import type { Cut } from '../model/cuts.js'
import { axisName, coordinate } from '../model/names.js'
import type { Session } from '../model/session.js'
import type { State } from '../model/state.js'
import { clamp } from '../model/suggest.js'
import { loadPrinter } from '../model/texts.js'
import { WHY } from '../model/why.js'
import { addRules } from '../rules.js'
import { Tiles, widthOf } from './tiles.js'
import type { View } from './view.js'
import rules from './table.css'

addRules(rules)

const ROW = 26
/** Browsers limit the height of elements. In longer tables the scroll bar is coarser than a row. */
const HIGHEST = 4e6
/** The maximum number of cells to copy. */
const MAX_COPIED_CELLS = 1e6

export class Table implements View {
  readonly element: HTMLElement
  readonly #session: Session
  readonly #scroller: HTMLElement
  readonly #room = h('div', { class: 'room' })
  readonly #grid: HTMLElement
  readonly #draw = atFrame(() => this.#render())
  readonly #observer = new ResizeObserver(() => this.#draw())
  readonly #tiles: Tiles
  #cursor: [row: number, column: number] = [0, 0]
  /** The position of the cursor in the state. */
  #known: [row: number, column: number]
  #first: [row: number, column: number] = [0, 0]
  #plane = ''
  /** The widths of the columns; a single one if all are equal. */
  #widths = [92]
  #begun = false
  /** The start of the selection, which ends at the cursor. */
  #anchor: [row: number, column: number] | null = null
  /** The last scroll position set by the table itself. */
  #scrolledTo = [0, 0]

  constructor(session: Session) {
    this.#session = session
    this.#tiles = new Tiles(session, row => {
      this.#draw()
      if (row === this.#cursor[0]) this.#tell()
    })
    const [at, nowhere] = [this.#place(session.state), this.#place({ ...session.state, index: session.base.index })]
    // The position that the user chose, or else the start.
    if (at[0] !== nowhere[0] || at[1] !== nowhere[1]) this.#cursor = at
    this.#known = at
    this.#grid = h('div', {
      class: 'grid',
      role: 'grid',
      tabIndex: 0,
      'aria-label': 'values',
      'aria-multiselectable': 'true',
    })
    this.#scroller = h('div', { class: 'scroller', tabIndex: -1, scroll: () => this.#scrolled() }, this.#room)
    this.element = h('div', { class: 'view table' }, this.#scroller, this.#grid)
    this.#grid.addEventListener('wheel', event => this.#scroller.scrollBy(event.deltaX, event.deltaY), {
      passive: true,
    })
    this.#grid.addEventListener('pointerdown', event => this.#click(event, event.shiftKey))
    this.#grid.addEventListener('pointermove', event => {
      if (event.pointerType === 'touch' && event.buttons) this.#scroller.scrollBy(-event.movementX, -event.movementY)
      else if (event.buttons === 1) this.#click(event, true)
    })
    this.#observer.observe(this.#grid)
  }

  update(): void {
    const { dataset, state } = this.#session
    const plane = `${state.x} ${state.y} ${state.index.filter((_, axis) => axis !== state.x && axis !== state.y).join()} ${state.as}`
    if (plane !== this.#plane) {
      this.#plane = plane
      this.#tiles.forget()
      this.#cursor = [clamp(this.#cursor[0], 0, this.#rows - 1), clamp(this.#cursor[1], 0, this.#columns - 1)]
    }
    this.#widths =
      dataset.type.kind === 'struct'
        ? dataset.type.fields!.map(({ name, type }) => Math.max(widthOf(type), name.length * 8 + 20))
        : [this.#alone(widthOf(dataset.type))]
    this.#room.style.width = `${this.#head + this.#left(this.#columns)}px`
    this.#room.style.height = `${Math.min(HIGHEST, (this.#rows + 1) * ROW)}px`
    const at = this.#place(state)
    if (at[0] !== this.#known[0] || at[1] !== this.#known[1]) {
      this.#known = at
      this.#show(...at)
    } else if (!this.#begun) this.#show(...this.#cursor)
    this.#begun = true
    this.#draw()
  }

  close(): void {
    this.#tiles.forget()
    this.#observer.disconnect()
  }

  cuts(): Cut[] {
    const {
      dataset: { shape },
      state: { x, y, index },
    } = this.#session
    return shape.map((length, axis) => (axis === x || axis === y ? { start: 0, stop: length, step: 1 } : index[axis]!))
  }

  move(dx: number, dy: number): void {
    this.#goto(this.#cursor[0] + dy, this.#cursor[1] + dx)
  }

  /** A single column of text uses the whole width. */
  #alone(width: number): number {
    const { type } = this.#session.dataset
    const text = ['str', 'bytes', 'void', 'subarray'].includes(type.kind)
    return text && this.#columns === 1 ? Math.max(width, Math.min(900, this.#grid.clientWidth - this.#head)) : width
  }

  /** The row and column of the position in a state. */
  #place({ x, y, index }: State): [number, number] {
    return [y === null ? 0 : index[y]!, x === null || this.#fields ? 0 : index[x]!]
  }

  /** Scrolls to an item and sets the cursor. Extends or ends the selection. */
  #goto(row: number, column: number, range = false): void {
    this.#anchor = range ? (this.#anchor ?? this.#cursor) : null
    this.#show(row, column)
    const { x, y, index } = this.#session.state
    const next = [...index]
    if (y !== null) next[y] = this.#cursor[0]
    if (x !== null && !this.#fields) next[x] = this.#cursor[1]
    this.#known = [this.#cursor[0], this.#fields ? 0 : this.#cursor[1]]
    this.#session.set({ index: next })
  }

  #show(row: number, column: number): void {
    this.#cursor = [clamp(row, 0, this.#rows - 1), clamp(column, 0, this.#columns - 1)]
    const [r, c] = this.#cursor
    const [rows, columns] = [this.#wholeRows, Math.max(1, this.#seenColumns - 1)]
    this.#first = [
      clamp(this.#first[0], Math.max(0, r - rows + 1), r),
      clamp(this.#first[1], Math.max(0, c - columns + 1), c),
    ]
    this.#scroller.scrollTop = (this.#first[0] / Math.max(1, this.#rows - rows)) * this.#travel
    this.#scroller.scrollLeft = this.#left(this.#first[1])
    // As the browser took it: it has the event that tells so come later.
    this.#scrolledTo = [this.#scroller.scrollTop, this.#scroller.scrollLeft]
    this.#draw()
    this.#tell()
  }

  get #fields() {
    return this.#tiles.fields
  }

  get #rows(): number {
    const {
      dataset: { shape },
      state: { y },
    } = this.#session
    return y === null ? 1 : shape[y]!
  }

  /** The fields of structures are columns. */
  get #columns(): number {
    const {
      dataset: { shape },
      state: { x },
    } = this.#session
    return this.#fields?.length ?? (x === null ? 1 : shape[x]!)
  }

  get #head(): number {
    return Math.max(56, String(this.#rows).length * 9 + 20)
  }

  get #seenRows(): number {
    return Math.max(3, Math.ceil(this.#grid.clientHeight / ROW))
  }

  /** Excludes the heading, and a row that is cut off at the bottom. */
  get #wholeRows(): number {
    return Math.max(1, Math.floor(this.#grid.clientHeight / ROW) - 1)
  }

  get #seenColumns(): number {
    const room = this.#grid.clientWidth - this.#head + this.#left(this.#first[1])
    let last = this.#first[1]
    while (last < this.#columns && this.#left(last) < room) last++
    return Math.max(1, last - this.#first[1])
  }

  /** The left edge of a column. */
  #left(column: number): number {
    return this.#widths.length > 1
      ? this.#widths.slice(0, column).reduce((sum, width) => sum + width, 0)
      : column * this.#widths[0]!
  }

  #columnAt(left: number): number {
    if (this.#widths.length === 1) return clamp(Math.floor(left / this.#widths[0]!), 0, this.#columns - 1)
    let column = 0
    while (column < this.#columns - 1 && this.#left(column + 1) <= left) column++
    return column
  }

  get #travel(): number {
    return Math.max(1, this.#scroller.scrollHeight - this.#scroller.clientHeight)
  }

  #scrolled(): void {
    const { scrollTop, scrollLeft } = this.#scroller
    if (scrollTop === this.#scrolledTo[0] && scrollLeft === this.#scrolledTo[1]) return
    this.#scrolledTo = [scrollTop, scrollLeft]
    const rows = Math.max(0, this.#rows - this.#wholeRows)
    // To the end, even where the scroll bar is coarser than a row.
    this.#first = [Math.round((scrollTop / this.#travel) * rows), this.#columnAt(scrollLeft)]
    this.#draw()
  }

  /** The name of a column, if it has one, or else its position. */
  #heading(axis: number, position: number): string {
    const name = coordinate(this.#session.dataset, axis, position)
    return /^[\p{L}_]/u.test(name) ? name : String(position)
  }

  #render(): void {
    const {
      dataset,
      state: { x },
    } = this.#session
    const [r0, c0] = this.#first
    const [rows, columns] = [Math.min(this.#seenRows, this.#rows - r0), Math.min(this.#seenColumns, this.#columns - c0)]
    const fields = this.#fields
    const names = Array.from(
      { length: columns },
      (_, k) => fields?.[c0 + k]!.name ?? (x === null ? 'value' : this.#heading(x, c0 + k)),
    )
    const widths = [this.#head, ...names.map((_, k) => this.#widths[this.#widths.length > 1 ? c0 + k : 0]!)]
      .map(width => `${width}px`)
      .join(' ')
    const row = (index: number, ...cells: HTMLElement[]) => {
      const element = h('div', { class: 'row', role: 'row', 'aria-rowindex': index }, ...cells)
      element.style.gridTemplateColumns = widths
      return element
    }
    const corner = h('div', { class: 'corner', role: 'columnheader' }, this.#axes())
    this.#grid.setAttribute('aria-rowcount', String(this.#rows + 1))
    this.#grid.setAttribute('aria-colcount', String(this.#columns + 1))
    fill(
      this.#grid,
      row(
        1,
        corner,
        ...names.map((name, k) => h('div', { role: 'columnheader', 'aria-colindex': c0 + k + 2, class: 'head' }, name)),
      ),
      ...Array.from({ length: rows }, (_, k) =>
        row(
          r0 + k + 2,
          h('div', { role: 'rowheader', class: 'head' }, r0 + k),
          ...names.map((_, j) => this.#cell(r0 + k, c0 + j)),
        ),
      ),
    )
    const active = this.#grid.querySelector('.cursor')
    if (active) this.#grid.setAttribute('aria-activedescendant', active.id)
    else this.#grid.removeAttribute('aria-activedescendant')
    const {
      state: { y, index },
    } = this.#session
    this.#session.present({
      cuts: dataset.shape.map((_, axis): Cut =>
        axis === y
          ? { start: r0, stop: r0 + rows, step: 1 }
          : axis === x
            ? { start: c0, stop: c0 + columns, step: 1 }
            : index[axis]!,
      ),
    })
  }

  #axes(): string {
    const {
      dataset,
      state: { x, y },
    } = this.#session
    return y === null ? '' : x === null || this.#fields ? axisName(dataset, y).replace('axis ', 'ax ') : `${y} ╲ ${x}`
  }

  #cell(row: number, column: number): HTMLElement {
    const [text, why] = [this.#tiles.text(row, column), this.#tiles.why(row, column)]
    const cursor = row === this.#cursor[0] && column === this.#cursor[1]
    const [top, bottom, left, right] = this.#range
    const chosen = row >= top && row <= bottom && column >= left && column <= right
    return h(
      'div',
      {
        role: 'gridcell',
        class: `cell${cursor ? ' cursor' : ''}${chosen ? ' chosen' : ''}${text === null ? ' coming' : ''}${why ? ' missing' : ''}`,
        id: `cell-${row}-${column}`,
        'aria-colindex': column + 2,
        'aria-selected': chosen ? 'true' : undefined,
        title: why ? WHY[why] : text && text.length > 24 ? text : undefined,
      },
      text ?? '·',
    )
  }

  #tell(): void {
    const [row, column] = this.#cursor
    const {
      dataset,
      state: { x, y, index },
    } = this.#session
    const place = dataset.shape.map((_, axis) => (axis === y ? row : axis === x ? column : index[axis]))
    const field = this.#fields ? `.${this.#fields[column]!.name}` : ''
    const why = this.#tiles.why(row, column)
    const text =
      why && why !== 'uninit' ? WHY[why] : `${this.#tiles.text(row, column) ?? '…'}${why ? ` (${WHY[why]})` : ''}`
    this.#session.emit('readout', `[${place.join(', ')}]${field} = ${text}`)
  }

  /** The range of selected cells. */
  get #range(): [top: number, bottom: number, left: number, right: number] {
    const [a, b] = [this.#anchor ?? this.#cursor, this.#cursor]
    return [Math.min(a[0], b[0]), Math.max(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[1], b[1])]
  }

  #click(event: PointerEvent, range: boolean): void {
    const cell = (event.target as Element).closest?.('.cell')
    const [, row, column] = cell?.id.split('-').map(Number) ?? []
    if (row === undefined || (row === this.#cursor[0] && column === this.#cursor[1] && range)) return
    this.#goto(row, column!, range)
  }

  /** Copies the selected cells in the format of spreadsheets. Reads missing ones first. */
  async #copy(): Promise<void> {
    const {
      dataset,
      state: { x, y, index },
    } = this.#session
    const [top, bottom, left, right] = this.#range
    if ((bottom - top + 1) * (right - left + 1) > MAX_COPIED_CELLS) {
      this.#session.emit('readout', `more than ${MAX_COPIED_CELLS.toLocaleString('en')} cells: use Export`)
      return
    }
    const cuts = dataset.shape.map((_, axis): Cut =>
      axis === y
        ? { start: top, stop: bottom + 1, step: 1 }
        : axis === x && !this.#fields
          ? { start: left, stop: right + 1, step: 1 }
          : index[axis]!,
    )
    // The clipboard may be written only during the event, but it accepts a promise.
    const slab = this.#session.loader.load(cuts, new AbortController().signal)
    const text = Promise.all([slab, loadPrinter()]).then(([slab]) => {
      const columns = Array.from({ length: right - left + 1 }, (_, k) => left + k)
      return Array.from({ length: bottom - top + 1 }, (_, k) =>
        columns.map(column => this.#tiles.textIn(slab, top + k, column)).join('\t'),
      ).join('\n')
    })
    try {
      await navigator.clipboard.write([
        new ClipboardItem({ 'text/plain': text.then(text => new Blob([text], { type: 'text/plain' })) }),
      ])
      this.#session.emit('readout', `copied: ${plural((bottom - top + 1) * (right - left + 1), 'cell')}`)
    } catch (error) {
      this.#session.emit('readout', `cannot be copied: ${(error as Error).message}`)
    }
  }

  key(event: KeyboardEvent): void {
    if (typing(event.composedPath())) return
    const page = this.#wholeRows
    const far = event.ctrlKey || event.metaKey
    if (far && event.key === 'c') {
      event.preventDefault()
      return void this.#copy()
    }
    const [row, column] = this.#cursor
    const targets: Record<string, [number, number]> = {
      ArrowUp: [far ? 0 : row - 1, column],
      ArrowDown: [far ? Infinity : row + 1, column],
      ArrowLeft: [row, far ? 0 : column - 1],
      ArrowRight: [row, far ? Infinity : column + 1],
      PageUp: [row - page, column],
      PageDown: [row + page, column],
      Home: [far ? 0 : row, 0],
      End: [far ? Infinity : row, Infinity],
    }
    const target = targets[event.key]
    if (!target || event.altKey) return
    event.preventDefault()
    this.#goto(...target, event.shiftKey)
  }
}
