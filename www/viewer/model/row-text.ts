// Rows as CSV and as JSON, a line each, in the form of the command-line tool.
import { cellText, json, type RowColumn } from './rows.js'

export type TextFormat = 'CSV' | 'NDJSON'

/** The text before the rows. */
export const headOf = (format: TextFormat, columns: readonly RowColumn[]): string =>
  format === 'CSV' ? `${columns.map(({ name }) => quoted(name)).join()}\n` : ''

export const lineOf = (format: TextFormat, columns: readonly RowColumn[], cells: readonly unknown[]): string =>
  format === 'CSV'
    ? `${columns.map((column, at) => csv(cells[at], column)).join()}\n`
    : `{${columns.map((column, at) => `${JSON.stringify(column.name)}: ${inJson(cells[at], column)}`).join(', ')}}\n`

/** Null is empty, an empty text is in quotes. */
function csv(cell: unknown, column: RowColumn): string {
  const text = cellText(cell, column)
  return text === null ? '' : text === '' ? '""' : quoted(text)
}

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Times are texts, and so is what JSON has no numbers for. */
function inJson(cell: unknown, column: RowColumn): string {
  if (cell === null || cell === undefined) return 'null'
  if (column.unit !== undefined && typeof cell === 'bigint') return JSON.stringify(cellText(cell, column))
  if (typeof cell !== 'number') return json(cell)
  if (!Number.isFinite(cell)) return JSON.stringify(Number.isNaN(cell) ? 'NaN' : cell > 0 ? 'Infinity' : '-Infinity')
  return column.kind.startsWith('float') ? cellText(cell, column)! : String(cell)
}
