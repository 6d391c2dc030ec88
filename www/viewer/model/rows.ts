// Tables and sequences of objects: rows that are read as they are needed.

import type { NDArray, SChunk } from '../../js/index.js'
import { objectsIn, type Objects } from '../../js/store/objects.js'
import type { Table } from '../../js/store/table.js'
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
  /** Reads rows: for each column its cells. */
  read(start: number, end: number): Promise<unknown[][]>
  attrs(): Promise<object>
  close(): Promise<void>
}

/** The rows of a table. The store remains open. */
export const rowsOfTable = (table: Table): Rows => ({
  columns: table.schema.columns,
  length: table.length,
  read: (start, end) =>
    Promise.all(table.schema.columns.map(async ({ name }) => (await table.column(name)).get(start, end))),
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
  read: async (start, end) => [await objects.slice(start, end)],
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
  return typeof value === 'object' ? json(value) : String(value)
}

/** JSON, with strings for what it does not have. */
function json(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (inner instanceof Uint8Array) return `${inner.length} bytes`
    if (inner instanceof Set) return Array.from(inner as Set<unknown>)
    if (ArrayBuffer.isView(inner)) return Array.from(inner as unknown as Iterable<unknown>)
    return typeof inner === 'bigint' ? String(inner) : inner
  })
}

/** Compares cells: numbers by their value, others by their text; null and NaN come last. */
export function compareCells(a: unknown, b: unknown): number {
  const [last, other] = [a, b].map(cell => cell === null || cell === undefined || Number.isNaN(cell))
  if (last || other) return Number(last) - Number(other)
  const isOrdered = (cell: unknown) => ['number', 'bigint', 'boolean'].includes(typeof cell)
  if (isOrdered(a) && isOrdered(b)) return a! < b! ? -1 : a! > b! ? 1 : 0
  const [x, y] = [a, b].map(cell => (typeof cell === 'string' ? cell : json(cell)))
  return x!.localeCompare(y!, 'en')
}
