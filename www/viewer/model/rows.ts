// Tables and sequences of objects: rows that are read as they are needed.

import type { NDArray, SChunk } from '../../js/index.js'
import type { Comparison } from '../../js/store/condition.js'
import { objectsIn, type Objects } from '../../js/store/objects.js'
import type { SearchOptions, Table } from '../../js/store/table.js'
import { floatText, printed } from './texts.js'

/** A column. */
export interface RowColumn {
  name: string
  /** The kind of its values, by python-blosc2's name. */
  kind: string
  unit?: string | undefined
}

/** Rows with named columns. */
export interface Rows {
  readonly columns: readonly RowColumn[]
  readonly length: number
  /** Reads the cells of a column. */
  cells(column: number, start: number, end: number): Promise<unknown[]>
  /** The numbers of the rows for which comparisons hold. Objects have none. */
  find?(conditions: readonly Comparison[], options: SearchOptions): Promise<Float64Array>
  attrs(): Promise<object>
  close(): Promise<void>
}

/** The rows of a table. The store remains open. */
export const rowsOfTable = (table: Table): Rows => ({
  columns: table.schema.columns,
  length: table.length,
  cells: async (column, start, end) => (await table.column(table.schema.columns[column]!.name)).get(start, end),
  find: (conditions, options) => table.find(conditions, options),
  attrs: () => table.attrs(),
  close: async () => {},
})

/** The rows of a frame that is a sequence of objects, such as an object or list array; `null` if it is none. */
export async function rowsOfObjects(frame: NDArray | SChunk, signal?: AbortSignal): Promise<Rows | null> {
  const objects = await objectsIn(frame, { signal })
  return objects ? listed(objects, frame) : null
}

const listed = (objects: Objects, frame: NDArray | SChunk): Rows => ({
  columns: [{ name: 'value', kind: 'object' }],
  length: objects.length,
  cells: (_, start, end) => objects.slice(start, end),
  attrs: () => frame.attrs(),
  close: () => frame.close(),
})

/** The text of a cell; `null` for null. Needs the printer. */
export function cellText(value: unknown, { kind, unit }: RowColumn): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint' && unit !== undefined)
    return printed(
      { kind: /delta/.test(kind) ? 'timedelta' : 'datetime', size: 8, order: '<', unit },
      BigInt64Array.of(value),
    )
  if (typeof value === 'boolean') return printed({ kind: 'bool', size: 1, order: '|' }, Uint8Array.of(Number(value)))
  if (typeof value === 'number' && kind.startsWith('float')) return floatText(value, kind === 'float32' ? 4 : 8)
  if (kind.startsWith('complex') && Array.isArray(value))
    return kind === 'complex64'
      ? printed({ kind: 'complex', size: 8, order: '<' }, Float32Array.from(value as number[]))
      : printed({ kind: 'complex', size: 16, order: '<' }, Float64Array.from(value as number[]))
  if (value instanceof Uint8Array) return hexOf(value)
  return typeof value === 'object' ? json(value) : String(value)
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

/** JSON with all digits of integers; bytes are hexadecimal, and NaN and infinities are texts. */
export function json(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return JSON.stringify(String(value))
  if (value instanceof Uint8Array) return JSON.stringify(hexOf(value))
  const entries = entriesOf(value)
  if (!entries) return JSON.stringify(value) ?? 'null'
  return isList(value)
    ? `[${entries.map(([, item]) => json(item)).join()}]`
    : `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${json(item)}`).join()}}`
}

const isList = (value: unknown): boolean => Array.isArray(value) || value instanceof Set || ArrayBuffer.isView(value)

/** The entries of an object, a map or a list; null of anything else, such as bytes. */
export function entriesOf(value: unknown): [name: string, value: unknown][] | null {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return null
  if (value instanceof Map) return Array.from(value, ([key, item]) => [String(key), item])
  return Object.entries(isList(value) ? Array.from(value as Iterable<unknown>) : value)
}

const collator = new Intl.Collator('en')

/** Compares cells: numbers by their value, others by their text. */
export function compareCells(a: unknown, b: unknown): number {
  const isOrdered = (cell: unknown) => ['number', 'bigint', 'boolean'].includes(typeof cell)
  if (isOrdered(a) && isOrdered(b)) return a! < b! ? -1 : a! > b! ? 1 : 0
  const [x, y] = [a, b].map(cell => (typeof cell === 'string' ? cell : json(cell)))
  return collator.compare(x!, y!)
}

/** Compares rows by their cells. Null and NaN come last in both directions. */
export function orderOf(cells: readonly unknown[], descending: boolean): (a: number, b: number) => number {
  const isLast = (cell: unknown) => cell === null || cell === undefined || Number.isNaN(cell)
  return (a, b) => {
    const [x, y] = [cells[a], cells[b]]
    const [last, other] = [isLast(x), isLast(y)]
    if (last || other) return Number(last) - Number(other)
    return descending ? compareCells(y, x) : compareCells(x, y)
  }
}
