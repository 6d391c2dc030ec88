// Conditions on the cells of rows, as a form states them. The library compares the cells, as `b2nd get --where` does.
import { B2ndError } from '../../js/index.js'
import type { Cells, Comparison } from './printer.js'
import { cellText, type RowColumn } from './rows.js'

const COMPARISONS: Record<string, string> = { '=': '==', '≠': '!=', '<': '<', '≤': '<=', '>': '>', '≥': '>=' }

export const TESTS = ['=', '≠', '<', '≤', '>', '≥', 'contains', 'is null', 'is not null'] as const
export type Test = (typeof TESTS)[number]

export interface Condition {
  /** The position of the column. */
  column: number
  test: Test
  /** The value that cells are compared with, as it was typed. */
  value: string
}

/** Which cells of a column meet a condition. Fails as `argument` if cells of the column cannot be compared with its value. */
export function meeting(
  { test, value }: Condition,
  column: RowColumn,
  cells: readonly unknown[],
  meets: Comparison,
): ArrayLike<unknown> {
  if (test === 'is null') return cells.map(isNull)
  if (test === 'is not null') return cells.map(cell => !isNull(cell))
  if (test === 'contains') return cells.map(containing(value, column))
  if (!isText(column) && !/^(bool|u?int|float|timestamp)/.test(column.kind)) throw wrong(column, value)
  const text = `x ${COMPARISONS[test]!} ${literalOf(value, column)}`
  try {
    return meets(text, column.kind, listed(cells, column))
  } catch (cause) {
    throw wrong(column, value, cause)
  }
}

/** Whether the text of a cell contains another one, whatever its letters' case. */
export function containing(text: string, column: RowColumn): (cell: unknown) => boolean {
  const wanted = text.toLowerCase()
  return cell => cellText(cell, column)?.toLowerCase().includes(wanted) ?? false
}

const isNull = (cell: unknown): boolean => cell === null || cell === undefined

const isText = ({ kind }: RowColumn): boolean => /^(utf8|string|dictionary|vlstring)$/.test(kind)

/** A typed value in the language of conditions. */
function literalOf(value: string, column: RowColumn): string {
  if (isText(column)) return `'${value.replace(/['"\\]/g, '\\$&')}'`
  const typed = value.trim()
  const form = column.kind === 'bool' ? /^(true|false)$/i : /^[-+]?[\d.][\w.:+-]*( [\d:.+-]+)?$/
  if (!form.test(typed)) throw wrong(column, value)
  return column.unit === undefined ? typed.toLowerCase() : `'${typed}'`
}

function wrong({ name, kind, unit }: RowColumn, value: string, cause?: unknown): B2ndError {
  const cells =
    unit !== undefined
      ? 'times, such as 2026-01-31 or 2026-01-31T12:30'
      : kind === 'bool'
        ? 'the values true and false'
        : /^(u?int|float)/.test(kind)
          ? 'numbers'
          : 'cells that are not compared'
  return new B2ndError('argument', `column ${name} has ${cells}, not “${value}”`, { cause })
}

/** Cells as the library takes them. */
function listed(cells: readonly unknown[], column: RowColumn): Cells {
  const { kind, unit } = column
  const valid = Uint8Array.from(cells, cell => Number(!isNull(cell)))
  if (isText(column)) return { dtype: '', items: cells.map(cell => (cell as string | null) ?? ''), valid }
  if (kind === 'bool') return { dtype: '|b1', items: Uint8Array.from(cells, Number), valid }
  if (kind.startsWith('float')) {
    const numbers = cells.map(cell => Number(cell ?? 0))
    return kind === 'float32'
      ? { dtype: '<f4', items: Float32Array.from(numbers), valid }
      : { dtype: '<f8', items: Float64Array.from(numbers), valid }
  }
  const integers = BigInt64Array.from(cells as number[], cell => BigInt(cell ?? 0))
  const dtype = unit === undefined ? (kind.startsWith('u') ? '<u8' : '<i8') : `<M8[${unit}]`
  return { dtype, items: integers, valid }
}
