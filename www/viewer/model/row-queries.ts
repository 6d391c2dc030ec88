// Questions about all rows of a table or of a sequence of objects: which match, in which order, and what their values are.

import { B2ndError, isB2ndError } from '../../js/index.js'
import type { Comparison } from '../../js/store/condition.js'
import type { SearchOptions } from '../../js/store/table.js'
import { comparisonOf, containing, meeting, wrong, type Condition } from './conditions.js'
import { describe, type Description } from './describe.js'
import { headOf, lineOf, type TextFormat } from './row-text.js'
import { cellText, orderOf, type RowColumn, type Rows } from './rows.js'
import { loadPrinter } from './texts.js'
import { EXACT } from './values.js'

export interface Order {
  /** The position of the column. */
  column: number
  descending: boolean
}

/** Which rows are asked for, and in which order. */
export interface Selection {
  conditions: readonly Condition[]
  /** A text that a cell of the row contains; empty for all rows. */
  search: string
  order: Order | null
}

export interface ColumnStatistics {
  rows: number
  nulls: number
  /** Of columns with numbers or times, less the base. Times count the column's unit from 1970. */
  numbers?: Description & { base: bigint }
  /** The number of different values, and the most frequent ones, of other columns. */
  distinct?: number
  frequent?: [text: string, count: number][]
}

export interface Asking {
  signal?: AbortSignal | undefined
  onProgress?: ((share: number) => void) | undefined
}

/** Numbers of rows, in their order; null for all rows as they are stored. */
export type Numbers = Uint32Array<ArrayBuffer> | null

/** The values of a column with numbers, NaN for null. Of integers that doubles do not tell apart the base is subtracted. */
export interface Values {
  values: Float64Array<ArrayBuffer>
  base: bigint
}

/** The queries. Answers are copies that a worker may send. */
export interface Queries {
  /** The rows that are selected. Fails as `argument` if a condition does not fit its column. */
  select(selection: Selection, asking?: Asking): Promise<Numbers>
  /** For each column the cells of some rows. */
  read(numbers: Uint32Array, asking?: Asking): Promise<unknown[][]>
  statistics(column: number, numbers: Numbers, asking?: Asking): Promise<ColumnStatistics>
  pair(x: number, y: number, numbers: Numbers, asking?: Asking): Promise<[x: Values, y: Values]>
  /** The rows as a file. */
  text(format: TextFormat, numbers: Numbers, asking?: Asking): Promise<Blob>
  close(): void
}

/** Rows to read at a time. */
const PAGE = 2 ** 15
/** The maximum number of cells that are kept. */
const MAX_CELLS = 5e7
/** The maximum number of rows, whose numbers have 32 bits. */
const MAX_ROWS = 2 ** 32
/** The maximum number of characters of a file. */
const MAX_TEXT = 512e6
/** Rows that are read together if few are asked for. */
const NEAR = 256
/** The maximum number of rows that are few: each may be in a part of its own, which takes a request. */
const FEW = 256
/** The maximum number of values that are told apart. */
const MAX_DISTINCT = 1e6

/** A condition, and its comparison. */
type Compared = Condition & { comparison: Comparison | null }

export class RowQueries implements Queries {
  readonly #rows: Rows
  /** Columns that were read, the least recently used first. */
  readonly #columns = new Map<number, unknown[]>()

  constructor(rows: Rows) {
    this.#rows = rows
  }

  async select({ conditions, search, order }: Selection, asking: Asking = {}): Promise<Numbers> {
    if (!conditions.length && !search && !order) return null
    const { columns } = this.#rows
    const compared = conditions.map(one => ({ ...one, comparison: comparisonOf(one, columns[one.column]!) }))
    let numbers = await this.#found(
      compared.filter(({ comparison }) => comparison),
      asking,
    )
    const others = compared.filter(({ comparison }) => !comparison)
    // What cells contain is told by their text.
    if (search || others.length) await loadPrinter()
    for (const condition of others) {
      const cells = await this.#cells(condition.column, numbers, asking)
      const meets = meeting(condition, columns[condition.column]!)
      numbers = numbers.filter((_, place) => meets(cells[place]))
    }
    if (search) numbers = await this.#search(numbers, search, asking)
    return order ? this.#sorted(numbers, order, asking) : numbers
  }

  async read(numbers: Uint32Array): Promise<unknown[][]> {
    return Promise.all(this.#rows.columns.map((_, at) => this.#some(at, numbers)))
  }

  async statistics(column: number, numbers: Numbers, asking: Asking = {}): Promise<ColumnStatistics> {
    const cells = await this.#cells(column, numbers, asking)
    const there = cells.filter(cell => cell !== null && cell !== undefined)
    const found = { rows: cells.length, nulls: cells.length - there.length }
    if (!isCountable(this.#rows.columns[column]!)) return { ...found, ...(await this.#frequent(there, column)) }
    const { values, base } = valuesOf(there)
    return { ...found, numbers: { ...(await describe(values)), base } }
  }

  async pair(x: number, y: number, numbers: Numbers, asking: Asking = {}): Promise<[Values, Values]> {
    const values = async (at: number) => valuesOf(await this.#cells(at, numbers, asking))
    return [await values(x), await values(y)]
  }

  async text(format: TextFormat, numbers: Numbers, { signal, onProgress }: Asking = {}): Promise<Blob> {
    await loadPrinter()
    const { columns, length } = this.#rows
    const count = numbers?.length ?? length
    const parts: string[] = [headOf(format, columns)]
    let size = 0
    for (let at = 0; at < count; at += PAGE) {
      signal?.throwIfAborted()
      const end = Math.min(count, at + PAGE)
      const cells = await this.#page(numbers, at, end)
      const lines = Array.from({ length: end - at }, (_, row) =>
        lineOf(
          format,
          columns,
          cells.map(column => column[row]),
        ),
      )
      const text = lines.join('')
      if ((size += text.length) > MAX_TEXT)
        throw new B2ndError('limit', `the file has more than ${MAX_TEXT} characters: choose fewer rows`)
      parts.push(text)
      onProgress?.(end / count)
    }
    return new Blob(parts, { type: format === 'CSV' ? 'text/csv' : 'application/x-ndjson' })
  }

  close(): void {
    this.#columns.clear()
    void this.#rows.close()
  }

  /** The rows for which comparisons hold, of which the library reads what their indexes leave. All rows without comparisons. */
  async #found(compared: readonly Compared[], { signal, onProgress }: Asking): Promise<Uint32Array<ArrayBuffer>> {
    const { length, columns } = this.#rows
    if (!compared.length || length > MAX_ROWS) this.#check()
    if (!compared.length) return Uint32Array.from({ length }, (_, row) => row)
    const find = async (some: readonly Compared[], options: SearchOptions) =>
      this.#rows.find!(
        some.map(({ comparison }) => comparison!),
        options,
      )
    const share = ({ loaded, total }: { loaded: number; total: number }) => onProgress?.(loaded / total)
    try {
      return Uint32Array.from(await find(compared, { signal, onProgress: share }))
    } catch (error) {
      if (!isB2ndError(error, 'argument')) throw error
      for (const one of compared)
        await find([one], { limit: 0 }).catch((cause: unknown) => {
          throw wrong(columns[one.column]!, one.value, cause)
        })
      throw error
    }
  }

  /** Rows in an order; as they are stored where cells are equal. */
  async #sorted(numbers: Uint32Array<ArrayBuffer>, { column, descending }: Order, asking: Asking): Promise<Numbers> {
    const compare = orderOf(await this.#cells(column, numbers, asking), descending)
    const places = Uint32Array.from(numbers, (_, place) => place)
    return places.sort((a, b) => compare(a, b) || a - b).map(place => numbers[place]!)
  }

  /** The rows of which a cell contains a text. */
  async #search(numbers: Uint32Array<ArrayBuffer>, text: string, asking: Asking): Promise<Uint32Array<ArrayBuffer>> {
    const found = new Uint8Array(numbers.length)
    for (const [at, column] of this.#rows.columns.entries()) {
      const contains = containing(text, column)
      const cells = await this.#cells(at, numbers, asking)
      for (let place = 0; place < found.length; place++) if (!found[place] && contains(cells[place])) found[place] = 1
    }
    return numbers.filter((_, place) => found[place])
  }

  async #frequent(cells: readonly unknown[], column: number): Promise<Omit<ColumnStatistics, 'rows' | 'nulls'>> {
    await loadPrinter()
    const counts = new Map<string, number>()
    for (const cell of cells) {
      const text = cellText(cell, this.#rows.columns[column]!)!
      const count = counts.get(text)
      if (count !== undefined || counts.size < MAX_DISTINCT) counts.set(text, (count ?? 0) + 1)
    }
    const frequent = [...counts].sort(([, a], [, b]) => b - a).slice(0, 20)
    return { distinct: counts.size, frequent }
  }

  /** Fails as `limit` if there are more rows than are kept. */
  #check(): void {
    const { length } = this.#rows
    if (length > MAX_CELLS)
      throw new B2ndError('limit', `${length} rows are more than the ${MAX_CELLS} that are searched`)
  }

  /** The cells of some rows of a column. All are read and kept if most parts of it are needed. */
  async #cells(at: number, numbers: Numbers, asking: Asking): Promise<readonly unknown[]> {
    if (numbers && numbers.length <= FEW && numbers.length * NEAR < this.#rows.length) return this.#some(at, numbers)
    const cells = await this.#column(at, asking)
    return numbers && numbers.length < cells.length ? Array.from(numbers, row => cells[row]) : cells
  }

  /** All cells of a column. */
  async #column(at: number, { signal, onProgress }: Asking): Promise<unknown[]> {
    const { length } = this.#rows
    let cells = this.#columns.get(at)
    if (!cells) {
      this.#check()
      cells = []
      for (let start = 0; start < length; start += PAGE) {
        signal?.throwIfAborted()
        for (const cell of await this.#rows.cells(at, start, Math.min(length, start + PAGE))) cells.push(cell)
        onProgress?.(cells.length / length)
      }
    }
    this.#columns.delete(at)
    this.#columns.set(at, cells)
    for (const [oldest] of this.#columns) {
      if (this.#columns.size * length <= MAX_CELLS) break
      this.#columns.delete(oldest)
    }
    return cells
  }

  /** The cells of consecutive rows of a selection. */
  #page(numbers: Numbers, start: number, end: number): Promise<unknown[][]> {
    if (numbers) return this.read(numbers.subarray(start, end))
    return Promise.all(this.#rows.columns.map((_, at) => this.#rows.cells(at, start, end)))
  }

  /** Some cells of a column. If it was not read, rows near each other are read together. */
  async #some(at: number, numbers: Uint32Array): Promise<unknown[]> {
    const known = this.#columns.get(at)
    if (known) return Array.from(numbers, row => known[row])
    const pages = new Map<number, Promise<unknown[]>>()
    const page = (row: number) => {
      const k = Math.floor(row / NEAR)
      const start = k * NEAR
      if (!pages.has(k)) pages.set(k, this.#rows.cells(at, start, Math.min(this.#rows.length, start + NEAR)))
      return pages.get(k)!
    }
    return Promise.all(Array.from(numbers, async row => (await page(row))[row % NEAR]))
  }
}

function valuesOf(cells: readonly unknown[]): Values {
  const large = cells.filter(cell => typeof cell === 'bigint')
  let base = 0n
  if (large.length) {
    const [min, max] = large.reduce(
      ([min, max], cell) => [cell < min ? cell : min, cell > max ? cell : max],
      [large[0]!, large[0]!],
    )
    if ((max > EXACT || min < -EXACT) && max - min < EXACT) base = min
  }
  const value = (cell: unknown) => (typeof cell === 'number' ? cell - Number(base) : Number((cell as bigint) - base))
  const values = Float64Array.from(cells, cell => {
    if (typeof cell === 'bigint' || typeof cell === 'number') return value(cell)
    return cell === null || cell === undefined ? NaN : Number(cell)
  })
  return { values, base }
}

/** Whether a column has numbers or times. */
export const isCountable = ({ kind, unit }: RowColumn): boolean => unit !== undefined || /^(u?int|float)\d/.test(kind)
