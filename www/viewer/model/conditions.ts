// Conditions on the cells of rows, as a form states them. A comparison with null is not true, as in SQL.
import { B2ndError } from '../../js/index.js'
import { cellText, compareCells, type RowColumn } from './rows.js'

export const TESTS = ['=', '≠', '<', '≤', '>', '≥', 'contains', 'is null', 'is not null'] as const
export type Test = (typeof TESTS)[number]

export interface Condition {
  /** The position of the column. */
  column: number
  test: Test
  /** The value that cells are compared with, as it was typed. */
  value: string
}

const ORDERED: Partial<Record<Test, (order: number) => boolean>> = {
  '=': order => order === 0,
  '≠': order => order !== 0,
  '<': order => order < 0,
  '≤': order => order <= 0,
  '>': order => order > 0,
  '≥': order => order >= 0,
}

/** Whether a cell meets a condition. Fails as `argument` if cells of the column cannot be compared with its value. */
export function matcher({ test, value }: Condition, column: RowColumn): (cell: unknown) => boolean {
  if (test === 'is null') return isNull
  if (test === 'is not null') return cell => !isNull(cell)
  if (test === 'contains') return containing(value, column)
  const [meets, wanted] = [ORDERED[test]!, valueOf(value, column)]
  // As in NumPy, NaN differs from all, and is neither less nor greater.
  return cell => !isNull(cell) && (Number.isNaN(cell) ? test === '≠' : meets(order(cell, wanted)))
}

/** The order of a cell and a value. Texts have that of their characters, not of a language. */
function order(cell: unknown, wanted: unknown): number {
  if (typeof cell !== 'string' || typeof wanted !== 'string') return compareCells(cell, wanted)
  return cell === wanted ? 0 : cell < wanted ? -1 : 1
}

/** Whether the text of a cell contains another one, whatever its letters' case. */
export function containing(text: string, column: RowColumn): (cell: unknown) => boolean {
  const wanted = text.toLowerCase()
  return cell => cellText(cell, column)?.toLowerCase().includes(wanted) ?? false
}

const isNull = (cell: unknown): boolean => cell === null || cell === undefined

/** A typed value as cells of a column are. */
function valueOf(text: string, { name, kind, unit }: RowColumn): unknown {
  const typed = text.trim()
  const wrong = (what: string) => new B2ndError('argument', `column ${name} has ${what}, not “${text}”`)
  if (unit !== undefined && !/delta/.test(kind)) {
    const time = timeOf(typed, unit)
    if (time === null) throw wrong('times, such as 2026-01-31 or 2026-01-31T12:30')
    return time
  }
  if (/^u?int|delta/.test(kind) && /^[+-]?\d+$/.test(typed)) return BigInt(typed)
  if (/^(u?int|float)|delta/.test(kind)) {
    const number = Number(typed)
    if (!typed || Number.isNaN(number)) throw wrong('numbers')
    return number
  }
  if (kind !== 'bool') return text
  if (!/^(true|false)$/i.test(typed)) throw wrong('the values true and false')
  return typed.toLowerCase() === 'true'
}

const NANOSECONDS: Record<string, bigint> = { s: 10n ** 9n, ms: 10n ** 6n, us: 10n ** 3n, ns: 1n }

/** A moment as the number of units since 1970; null if the text is none. Without an offset it is UTC. */
function timeOf(text: string, unit: string): bigint | null {
  const [, day, time = 'T00:00', fraction = '', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:([T ]\d\d:\d\d(?::\d\d)?)(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  const seconds = Date.parse(`${day}${time.replace(' ', 'T')}${zone}`)
  const each = NANOSECONDS[unit]
  if (Number.isNaN(seconds) || !each) return null
  const nanoseconds = BigInt(seconds) * 10n ** 6n + BigInt(fraction.slice(1).padEnd(9, '0'))
  // Rounds down, also before 1970.
  const rest = nanoseconds % each
  return (nanoseconds - (rest < 0n ? rest + each : rest)) / each
}
