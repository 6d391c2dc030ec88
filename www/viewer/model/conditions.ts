// Conditions on the cells of rows, as a form states them.
import { B2ndError } from '../../js/index.js'
import type { Comparison } from '../../js/store/condition.js'
import { cellText, type RowColumn } from './rows.js'

export const TESTS = ['=', '≠', '<', '≤', '>', '≥', 'contains', 'is null', 'is not null'] as const
export type Test = (typeof TESTS)[number]

const OPERATORS = { '=': '==', '≠': '!=', '<': '<', '≤': '<=', '>': '>', '≥': '>=' } as const

export interface Condition {
  /** The position of the column. */
  column: number
  test: Test
  /** The value that cells are compared with, as it was typed. */
  value: string
}

/** The comparison that the library has for a condition, if any. Fails as `argument` if cells of the column cannot be compared with the value. */
export function comparisonOf({ test, value }: Condition, column: RowColumn): Comparison | null {
  if (test === 'contains') return null
  const isComparable = isText(column) || /^(bool|u?int|float|timestamp)/.test(column.kind)
  if (test === 'is null' || test === 'is not null') return isComparable ? { column: column.name, operator: test } : null
  if (!isComparable) throw wrong(column, value)
  return { column: column.name, operator: OPERATORS[test], value: typedValue(value, column) }
}

/** Whether a cell meets a condition that the library has no comparison for. */
export function meeting({ test, value }: Condition, column: RowColumn): (cell: unknown) => boolean {
  if (test === 'contains') return containing(value, column)
  return cell => (cell === null || cell === undefined) === (test === 'is null')
}

/** Whether the text of a cell contains another one, whatever its letters' case. */
export function containing(text: string, column: RowColumn): (cell: unknown) => boolean {
  const wanted = text.toLowerCase()
  return cell => cellText(cell, column)?.toLowerCase().includes(wanted) ?? false
}

const isText = ({ kind }: RowColumn): boolean => /^(utf8|string|dictionary|vlstring)$/.test(kind)

/** The value that was typed: texts and times as they are. */
function typedValue(text: string, column: RowColumn): Comparison['value'] {
  if (isText(column)) return text
  const typed = text.trim()
  const form = column.kind === 'bool' ? /^(true|false)$/i : /^[-+]?[\d.][\w.:+-]*( [\d:.+-]+)?$/
  if (!form.test(typed)) throw wrong(column, text)
  if (column.unit !== undefined) return typed
  if (column.kind === 'bool') return typed.toLowerCase() === 'true'
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(typed)) throw wrong(column, text)
  return /^[-+]?\d+$/.test(typed) ? BigInt(typed) : Number(typed)
}

/** The error for a value that does not fit its column. */
export function wrong({ name, kind, unit }: RowColumn, value: string, cause?: unknown): B2ndError {
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
