// Rows of tables and objects of sequences, as lines.

import { argument } from '../base/errors.js'
import { dateText, spanText } from '../data/time.js'
import type { Column, ColumnSpec, Objects, Table } from '../store.js'
import { csvLine } from './csv.js'
import { simpleType } from './dtypes.js'
import { toJson } from './msgpack.js'
import type { Parts } from './output.js'
import { realText } from './reals.js'
import type { Part } from './selection.js'
import { positionsOf, type Positions } from './slabs.js'
import { complexText, EDGE, hides, widthOf } from './text.js'
import type { Format } from './values.js'

/** Rows that are read at a time. */
const AT_ONCE = 4096
/** Longer texts are cut in tables for people. */
const WIDEST = 40

/** Reads the values of rows; rows `start` to `end`, without gaps. */
type Read<T> = (start: number, end: number) => Promise<T[]>

/** Calls `read` for rows in parts, and gives the selected ones in order. */
async function* picked<T>(rows: Positions, from: number, to: number, read: Read<T>): AsyncGenerator<T> {
  for (let start = from; start < to;) {
    let [low, high, end] = [rows.at(start), rows.at(start), start + 1]
    for (; end < to; end++) {
      const at = rows.at(end)
      if (Math.max(high, at) - Math.min(low, at) >= AT_ONCE) break
      low = Math.min(low, at)
      high = Math.max(high, at)
    }
    const values = await read(low, high + 1)
    for (; start < end; start++) yield values[rows.at(start) - low]!
  }
}

/** The shown rows; `undefined` where some are left out. */
async function* shown<T>(rows: Positions, format: Format, read: Read<T>): AsyncGenerator<T | undefined> {
  const hidden = format === 'text' && hides(rows.count, rows.count)
  yield* picked(rows, 0, hidden ? EDGE : rows.count, read)
  if (!hidden) return
  yield undefined
  yield* picked(rows, rows.count - EDGE, rows.count, read)
}

/** Objects: as text one a line, as JSON a list of them. */
export async function* objectLines(objects: Objects, selection: readonly Part[], format: Format): Parts {
  if (format !== 'text' && format !== 'json')
    throw argument('objects have no dtype: only the formats text and json can hold them')
  const rows = positionsOf(selection, objects.length)
  const isList = format === 'json' && !rows.single
  let isFirst = true
  for await (const row of shown(rows, format, async (start, end) =>
    (await objects.slice(start, end)).map(value => [value]),
  )) {
    const text = row ? toJson(row[0]) : '...'
    yield isList ? (isFirst ? '[' : ',\n') + text : `${text}\n`
    isFirst = false
  }
  if (isList) yield isFirst ? '[]\n' : ']\n'
}

/** Rows of a table: columns for people, CSV with the names first, or a JSON list of objects. */
export async function* tableLines(
  table: Table,
  names: readonly string[] | undefined,
  selection: readonly Part[],
  format: Format,
): Parts {
  if (format === 'npy' || format === 'raw')
    throw argument('the columns of a table differ in dtype: only the formats text, csv and json can hold them')
  const wanted = names ?? table.schema.columns.map(({ name }) => name)
  const columns = await Promise.all(wanted.map(name => table.column(name)))
  const rows = positionsOf(selection, table.length)
  const written = columns.map(writtenAs)
  const cells = shown(rows, format, async (start, end) =>
    transposed(await Promise.all(columns.map(column => column.get(start, end)))),
  )
  if (format === 'text') yield* aligned(wanted, written, cells)
  else if (format === 'csv') {
    yield csvLine(wanted)
    for await (const row of cells) yield csvLine(row!.map((cell, k) => plain(cell, written[k]!, '')))
  } else {
    let opening = '['
    for await (const row of cells) {
      const fields = row!.map((cell, k) => `${JSON.stringify(wanted[k])}: ${json(cell, written[k]!)}`)
      yield `${rows.single ? '' : opening}{${fields.join(', ')}}`
      opening = ',\n'
    }
    yield rows.single ? '\n' : opening === '[' ? '[]\n' : ']\n'
  }
}

const transposed = (columns: readonly unknown[][]): unknown[][] =>
  Array.from(columns[0] ?? [], (_, row) => columns.map(column => column[row]))

async function* aligned(
  names: readonly string[],
  columns: readonly Written[],
  rows: AsyncIterable<unknown[] | undefined>,
): Parts {
  const lines: string[][] = [[...names]]
  for await (const row of rows)
    lines.push(row?.map((cell, k) => cut(plain(cell, columns[k]!, 'null'))) ?? names.map(() => '...'))
  const widths = names.map((_, k) => lines.reduce((most, line) => Math.max(most, widthOf(line[k]!)), 0))
  for (const line of lines) {
    yield `${line
      .map((cell, k) => cell + ' '.repeat(widths[k]! - widthOf(cell)))
      .join('  ')
      .trimEnd()}\n`
  }
}

/** The text on one line, and not too wide. */
function cut(text: string): string {
  const points = Array.from(text.replace(/[\n\r\t]/g, ' '))
  return points.length > WIDEST ? `${points.slice(0, WIDEST).join('')}...` : points.join('')
}

/** A cell as text. */
function plain(cell: unknown, column: Written, none: string): string {
  if (cell === null) return none
  if (typeof cell === 'boolean' && column.spec.kind === 'bool') return cell ? 'True' : 'False'
  if (typeof cell === 'string') return cell
  if (typeof cell === 'bigint') return timeOf(cell, column) ?? String(cell)
  if (typeof cell === 'number' && column.real) return realText({ value: cell, size: column.real })
  if (Array.isArray(cell) && /complex/.test(column.spec.kind)) {
    const [re, im] = cell.map(value => ({ value: value as number, size: column.real }))
    return complexText(re!, im!)
  }
  return json(cell, column)
}

/** A cell as JSON. */
function json(cell: unknown, column: Written): string {
  if (typeof cell === 'bigint') {
    const text = timeOf(cell, column)
    return text === undefined ? String(cell) : JSON.stringify(text)
  }
  if (typeof cell === 'number' && column.real && Number.isFinite(cell))
    return realText({ value: cell, size: column.real })
  if (Array.isArray(cell) && column.spec.item_shape) return nested(cell, column.spec.item_shape, column)
  if (Array.isArray(cell) && column.real) return `[${cell.map(part => json(part, column)).join(', ')}]`
  return toJson(cell)
}

/** Items in C order as nested lists. */
function nested(items: readonly unknown[], [length, ...inner]: readonly number[], column: Written): string {
  if (length === undefined) return json(items[0], column)
  const each = items.length / length
  const part = (k: number) => nested(items.slice(k * each, (k + 1) * each), inner, column)
  return `[${Array.from({ length }, (_, k) => part(k)).join(', ')}]`
}

/** A column, as its cells are written. */
interface Written {
  readonly spec: ColumnSpec
  /** The size of floats, and of the parts of complex numbers; 0 of others. */
  readonly real: number
}

function writtenAs({ spec }: Column): Written {
  const type = spec.dtype_str === undefined ? undefined : simpleType(spec.dtype_str)
  // The kind of the items, in columns of arrays.
  const kind = type ? `${type.kind}${8 * type.size}` : spec.kind
  if (!/float|complex/.test(kind)) return { spec, real: 0 }
  return { spec, real: /float16/.test(kind) ? 2 : /float32|complex64/.test(kind) ? 4 : 8 }
}

/** A time as text; `undefined` of what is none. */
function timeOf(value: bigint, { spec: { kind, unit } }: Written): string | undefined {
  if (/timestamp|datetime/.test(kind)) return dateText(value, unit)
  return /timedelta|duration/.test(kind) ? spanText(value, unit) : undefined
}
