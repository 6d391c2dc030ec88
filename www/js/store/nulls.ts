// Values that stand for null in a column, as `src/table/null.rs` compares them.

import { base } from '../data/typed-arrays.js'
import { float16, float16Bits, NAT } from '../data/values.js'
import type { Type } from '../engine/facts.js'
import type { ColumnSpec } from './schema.js'

/** Replaces values that stand for null, of items of this type. Booleans beside such a value are stored as bytes. */
export function withoutNulls(cells: unknown[], { kind, null_value: value }: ColumnSpec, type: Type | null): unknown[] {
  if (value === undefined || value === null) return cells
  const sentinel = asStored(value, base(type))
  const isNull = (cell: unknown): boolean =>
    Array.isArray(cell)
      ? cell.every(isNull)
      : cell === sentinel || Object.is(cell, sentinel) || (cell === NAT && kind === 'timestamp')
  const nulled = cells.map(cell => (isNull(cell) ? null : cell))
  return kind === 'bool' ? nulled.map(cell => (cell === null ? null : cell === true || cell === 1)) : nulled
}

/** A value as an item of a column holds it; `undefined` if none can. */
function asStored(value: unknown, type: Type | null): unknown {
  const { base64 } = Object(value) as { base64?: unknown }
  if (typeof base64 === 'string') return withoutZeros(atob(base64))
  if (typeof value === 'string') return withoutZeros(value)
  const number = Number(value)
  if (type?.kind === 'float')
    return type.size === 2 ? float16(float16Bits(number)) : type.size === 4 ? Math.fround(number) : number
  if (type?.size !== 8) return number
  return typeof value === 'bigint' ? value : Number.isInteger(number) ? BigInt(number) : undefined
}

/** NumPy's texts end before the zeros at their end. */
function withoutZeros(text: string): string {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0) end--
  return text.slice(0, end)
}
