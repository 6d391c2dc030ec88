// Conditions on the cells of rows, as a form states them.
import { B2ndError } from '../../js/index.js'
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

/**
 * A condition in the language of `b2nd get --where`; null if it has no words for it. Fails as `argument` if cells of the column cannot be
 * compared with the value.
 */
export function statementOf({ test, value }: Condition, column: RowColumn): string | null {
  if (test === 'contains') return null
  const isComparable = isText(column) || /^(bool|u?int|float|timestamp)/.test(column.kind)
  const name = `\`${column.name.replace(/[`\\]/g, '\\$&')}\``
  if (test === 'is null' || test === 'is not null') return isComparable ? `${name} ${test}` : null
  if (!isComparable) throw wrong(column, value)
  return `${name} ${COMPARISONS[test]!} ${literalOf(value, column)}`
}

/** Whether a cell meets a condition that is no statement. */
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

/** A typed value in the language of conditions. */
function literalOf(value: string, column: RowColumn): string {
  if (isText(column)) return `'${value.replace(/['"\\]/g, '\\$&')}'`
  const typed = value.trim()
  const form = column.kind === 'bool' ? /^(true|false)$/i : /^[-+]?[\d.][\w.:+-]*( [\d:.+-]+)?$/
  if (!form.test(typed)) throw wrong(column, value)
  return column.unit === undefined ? typed.toLowerCase() : `'${typed}'`
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
