// Values for people, in NumPy's layout: nested brackets, aligned columns, and only the edges of arrays with more than a thousand
// items.

import { product } from '../base/numbers.js'
import type { Type } from '../engine/facts.js'
import { entriesOf, readItem, type Item, type List } from './items.js'
import { realText, type Real } from './reals.js'

/** Only the edges of larger arrays are shown. */
const THRESHOLD = 1000
/** Entries shown at either end of an axis. */
export const EDGE = 3
/** Line width in columns. */
const LINE = 75

/** Whether only the edges of an axis are shown, of an array with so many items. */
export const hides = (items: number, length: number): boolean => items > THRESHOLD && length > 2 * EDGE

/** The layout of an array of this shape. `cells` are the texts of the items that are shown. */
export function layout(shape: readonly number[], type: Type, cells: string[]): string {
  const length = product(shape)
  if (length === 0) return '[]'
  return nested(shape, length, 0, aligned(cells, type)[Symbol.iterator]())
}

function nested(shape: readonly number[], items: number, axis: number, cells: Iterator<string>): string {
  if (axis === shape.length) return String(cells.next().value ?? '')
  const length = shape[axis]!
  const hidden = hides(items, length)
  const entries = Array.from({ length: hidden ? 2 * EDGE : length }, () => nested(shape, items, axis + 1, cells))
  if (hidden) entries.splice(EDGE, 0, '...')
  const indent = ' '.repeat(axis + 1)
  const inner = shape.length - axis - 1
  return `[${inner ? entries.join('\n'.repeat(inner) + indent) : wrapped(entries, indent, LINE - 1 - axis)}]`
}

export const widthOf = (text: string): number => Array.from(text).length

/** Wraps entries to lines of a width, all but the first indented. */
function wrapped(entries: readonly string[], indent: string, width: number): string {
  let [text, column] = ['', indent.length]
  for (const [index, entry] of entries.entries()) {
    const length = widthOf(entry)
    if (index > 0 && column + 1 + length > width) {
      text = `${text.trimEnd()}\n${indent}`
      column = indent.length
    } else if (index > 0) {
      text += ' '
      column++
    }
    text += entry
    column += length
  }
  return text
}

/** Pads cells to a common width: floats at their points, text to the left, structures not at all. */
function aligned(cells: string[], { kind }: Type): string[] {
  if (kind === 'struct') return cells
  const padded = kind === 'float' ? alignedPoints(cells) : cells
  const width = padded.reduce((most, cell) => Math.max(most, widthOf(cell)), 0)
  const isText = kind === 'bytes' || kind === 'str'
  return padded.map(cell => {
    const space = ' '.repeat(width - widthOf(cell))
    return isText ? cell + space : space + cell
  })
}

/** Pads the fractions to a common length. `nan` and `1e16` have none. */
function alignedPoints(cells: readonly string[]): string[] {
  const fraction = (cell: string) => cell.length - cell.indexOf('.')
  const longest = cells.reduce((most, cell) => (cell.includes('.') ? Math.max(most, fraction(cell)) : most), 0)
  return cells.map(cell => (cell.includes('.') ? cell + ' '.repeat(longest - fraction(cell)) : cell))
}

/** A number or a boolean as text; undefined of anything else. */
export function numberText(item: Item): string | undefined {
  switch (item.kind) {
    case 'bool':
      return item.value ? 'True' : 'False'
    case 'integer':
      return String(item.value)
    case 'real':
      return realText(item.value)
    case 'complex':
      return complexText(item.re, item.im)
    default:
      return undefined
  }
}

/** An item as text. */
export function cellOf(item: Item): string {
  switch (item.kind) {
    case 'time':
      return `'${item.text ?? 'NaT'}'`
    case 'bytes':
    case 'void':
      return `b'${Array.from(item.bytes, escapedByte).join('')}'`
    case 'str':
      return `'${Array.from(item.text, escaped).join('')}'`
    case 'object':
      return '<object>'
    case 'list':
      return list(item, item.bytes.length > THRESHOLD * item.type.size)
    case 'structure':
      return `(${item.fields.map(([, value]) => cellOf(value)).join(', ')})`
    default:
      return numberText(item)!
  }
}

/** A sub-array within a structure, on one line. */
function list(items: List, isLarge: boolean): string {
  const entries = entriesOf(items)
  if (!entries) return cellOf(readItem(items.type, items.bytes))
  const hidden = isLarge && entries.length > 2 * EDGE
  const shown = hidden ? [...entries.slice(0, EDGE), ...entries.slice(-EDGE)] : entries
  const parts = shown.map(entry => list(entry, isLarge))
  if (hidden) parts.splice(EDGE, 0, '...')
  return `[${parts.join(', ')}]`
}

/** `1.0+2.0j` */
export function complexText(re: Real, im: Real): string {
  const text = realText(im)
  return `${realText(re)}${text.startsWith('-') ? '' : '+'}${text}j`
}

const ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r', '\n': '\\n', "'": "\\'", '\\': '\\\\' }

function escapedByte(byte: number): string {
  const char = String.fromCharCode(byte)
  if (char === '"') return '\\"'
  if (byte >= 0x20 && byte < 0x7f) return ESCAPES[char] ?? char
  return ESCAPES[char] ?? `\\x${byte.toString(16).padStart(2, '0')}`
}

/** Characters that are not seen are escaped by their number. */
function escaped(char: string): string {
  if (char === '\0') return '\\0'
  if (char in ESCAPES) return ESCAPES[char]!
  const isSeen = char === ' ' || !/[\p{C}\p{Z}\p{Grapheme_Extend}]/u.test(char)
  return isSeen ? char : `\\u{${char.codePointAt(0)!.toString(16)}}`
}
