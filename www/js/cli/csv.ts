// Comma-separated values. One axis has a value a line, two are a table, more have a line for each value, which begins with its
// indices. Structures always have a line each, and a column for each field: `a`, `a.b` in a nested one, `a[0][1]` in a sub-array.

import { argument } from '../base/errors.js'
import type { Type } from '../engine/facts.js'
import { bytesAsText, hex, readItem, type Item } from './items.js'
import { Nest } from './nest.js'
import { numberText } from './text.js'

/** The limit of common spreadsheets. */
const MOST_COLUMNS = 16384

/** A scalar component of each item. */
interface Column {
  readonly name: string
  readonly offset: number
  readonly type: Type
}

/** The columns for items of this type; one without a name for single values. */
function columnsOf(type: Type, name = '', offset = 0): Column[] {
  const parts: Column[] = []
  const add = (columns: Column[]) => {
    for (const column of columns) parts.push(column)
    if (parts.length > MOST_COLUMNS) throw argument('the items have too many components for the columns of a table')
  }
  if (type.kind === 'struct')
    for (const field of type.fields!)
      add(columnsOf(field.type, name ? `${name}.${field.name}` : field.name, offset + field.offset))
  else if (type.kind === 'subarray') {
    const nest = new Nest(type.shape!)
    if (nest.length > MOST_COLUMNS) throw argument('the items have too many components for the columns of a table')
    for (let k = 0; k < nest.length; k++) {
      const indices = nest.shape.map((_, axis) => `[${nest.index(k, axis)}]`).join('')
      add(columnsOf(type.item!, name + indices, offset + k * type.item!.size))
    }
  } else add([{ name, offset, type }])
  return parts
}

/** Writes items as CSV. */
export class Csv {
  readonly #nest: Nest
  readonly #columns: readonly Column[]
  readonly #hasIndices: boolean
  /** The axes within a line: one in a table. */
  readonly #axesPerLine: number
  /** The first line; empty if the columns have no names. */
  readonly header: string
  #line: string[] = []
  #at = 0

  constructor(nest: Nest, type: Type) {
    const isStruct = type.kind === 'struct'
    const ndim = nest.shape.length
    this.#nest = nest
    this.#columns = columnsOf(type)
    this.#hasIndices = ndim > (isStruct ? 1 : 2)
    this.#axesPerLine = ndim === 2 && !isStruct ? 1 : 0
    const indices = this.#hasIndices ? nest.shape.map((_, axis) => `i${axis}`) : []
    const names = this.#columns.map(({ name }) => name || 'value')
    this.header = isStruct || this.#hasIndices ? csvLine([...indices, ...names]) : ''
  }

  /** The text that the next item adds. */
  add(bytes: Uint8Array): string {
    if (this.#hasIndices)
      for (const axis of this.#nest.shape.keys()) this.#line.push(String(this.#nest.index(this.#at, axis)))
    for (const { type, offset } of this.#columns)
      this.#line.push(csvCell(readItem(type, bytes.subarray(offset, offset + type.size))))
    const isLast = this.#nest.ends(this.#at++) >= this.#axesPerLine
    if (!isLast) return ''
    const line = csvLine(this.#line)
    this.#line = []
    return line
  }
}

/** A line, with quotes where they are needed. */
export function csvLine(cells: readonly string[]): string {
  if (cells.length === 1 && cells[0] === '') return '""\n'
  return `${cells.map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`
}

/** A scalar as text. */
function csvCell(item: Item): string {
  switch (item.kind) {
    case 'time':
      return item.text ?? 'NaT'
    case 'bytes':
      return bytesAsText(item.bytes)
    case 'str':
      return item.text
    case 'void':
      return hex(item.bytes)
    default:
      // Columns hold scalars only.
      return numberText(item) ?? ''
  }
}
