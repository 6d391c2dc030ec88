// Slices as files: CSV, JSON, NPY.
import { StructArray, type Data, type Type } from '../../js/index.js'
import type { Piece } from './dataset.js'
import { numberText, textOf } from './values.js'

/** Items of one type, and a function that formats one of them. */
interface Column {
  name: string
  text: (at: number) => string
}

/** Rows and columns. With more than two dimensions each row is a line along the last axis; with structures each row is an
 * item. */
export function* csv(type: Type, { data, shape, width }: Piece): Generator<string> {
  const quote = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const columns = columnsOf('', type, data, width)
  const count = shape.reduce((product, length) => product * length, 1)
  const named = type.kind === 'struct' || type.kind === 'subarray'
  if (named) yield `${columns.map(({ name }) => quote(name)).join(',')}\n`
  const length = named ? 1 : shape.length > 1 ? shape.at(-1)! : 1
  for (let row = 0; row < count; row += length) {
    const cells = named
      ? columns.map(({ text }) => text(row))
      : Array.from({ length }, (_, k) => columns[0]!.text(row + k))
    yield `${cells.map(quote).join(',')}\n`
  }
}

/** A column for each field and each item of a sub-array, at any depth. */
function columnsOf(name: string, type: Type, data: Data, width: number): Column[] {
  if (data instanceof StructArray) {
    return data.fields.flatMap(field => {
      const inner = data.column(field.name)
      return columnsOf(name ? `${name}.${field.name}` : field.name, field.type, inner, widthIn(inner, data.length))
    })
  }
  if (type.kind !== 'subarray') return [{ name, text: at => textFor(type, data, at, width) }]
  const items = countIn(type)
  const [item] = columnsOf('', type.item!, data, width / items)
  return Array.from({ length: items }, (_, k) => ({
    name: name + placeIn(type.shape!, k),
    text: at => item!.text(at * items + k),
  }))
}

/** Elements of `data` for each of `count` items. */
const widthIn = (data: Data, count: number): number =>
  data instanceof StructArray ? 1 : count ? data.length / count : 1

const countIn = ({ shape }: Type): number => shape!.reduce((product, length) => product * length, 1)

/** The position of an item in a sub-array: `[0][1]`. */
function placeIn(shape: readonly number[], item: number): string {
  let text = ''
  for (const length of shape.toReversed()) {
    text = `[${item % length}]${text}`
    item = Math.floor(item / length)
  }
  return text
}

/** An item with full precision, in a format that other programs can parse. */
function textFor(type: Type, data: Data, at: number, width: number): string {
  const { kind, size } = type
  if (kind === 'float' && width === 1) return float((data as Float64Array)[at]!, size)
  if (kind === 'complex' && width === 2) {
    const [re, im] = [(data as Float64Array)[2 * at]!, (data as Float64Array)[2 * at + 1]!]
    return `${float(re, size / 2)}${im < 0 || Object.is(im, -0) ? '' : '+'}${float(im, size / 2)}j`
  }
  if (
    kind === 'bool' ||
    kind === 'int' ||
    kind === 'uint' ||
    kind === 'bytes' ||
    kind === 'str' ||
    kind === 'datetime' ||
    kind === 'timedelta'
  )
    return textOf(type, data, at, width)
  return Array.from((data as Uint8Array).subarray(at * width, (at + 1) * width), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join(' ')
}

function float(value: number, size: number): string {
  if (value - value !== 0) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  return Object.is(value, -0) ? '-0.0' : numberText(value, size)
}

/** Nested lists, like NumPy's `tolist`. Numbers that JSON does not support become strings. Yields a part for each row. */
export function* json(type: Type, { data, shape, width }: Piece): Generator<string> {
  const item = itemsOf(type, data, width)
  const nest = function* (axis: number, at: number): Generator<string> {
    if (axis === shape.length) {
      yield item(at)
      return
    }
    const inner = shape.slice(axis + 1).reduce((product, length) => product * length, 1)
    if (axis === shape.length - 1) {
      yield `[${Array.from({ length: shape[axis]! }, (_, k) => item(at + k)).join(',')}]`
      return
    }
    yield '['
    for (let k = 0; k < shape[axis]!; k++) {
      if (k) yield ','
      yield* nest(axis + 1, at + k * inner)
    }
    yield ']'
  }
  yield* nest(0, 0)
}

/** The items of data, each as JSON. */
function itemsOf(type: Type, data: Data, width: number): (at: number) => string {
  if (data instanceof StructArray) {
    const fields = data.fields.map(field => {
      const inner = data.column(field.name)
      return [JSON.stringify(field.name), itemsOf(field.type, inner, widthIn(inner, data.length))] as const
    })
    return at => `{${fields.map(([name, item]) => `${name}:${item(at)}`).join(',')}}`
  }
  if (type.kind === 'subarray') {
    const items = countIn(type)
    const item = itemsOf(type.item!, data, width / items)
    const nest = ([length, ...inner]: readonly number[], at: number): string => {
      if (length === undefined) return item(at)
      const step = inner.reduce((product, n) => product * n, 1)
      return `[${Array.from({ length }, (_, k) => nest(inner, at + k * step)).join(',')}]`
    }
    return at => nest(type.shape!, at * items)
  }
  if (type.kind === 'complex' && width === 2) {
    const size = type.size / 2
    return at => `[${[2 * at, 2 * at + 1].map(k => numeral(float((data as Float64Array)[k]!, size))).join(',')}]`
  }
  const numeric = ['bool', 'int', 'uint', 'float'].includes(type.kind)
  return at => (numeric ? numeral(textFor(type, data, at, width)) : JSON.stringify(textFor(type, data, at, width)))
}

/** A number; a string if it is not finite, or an integer that most parsers would round. */
const numeral = (text: string): string =>
  /^-?\d+$/.test(text)
    ? Number.isSafeInteger(Number(text))
      ? text
      : `"${text}"`
    : /^(true|false|-?\d.*)$/.test(text)
      ? text
      : `"${text}"`

/** NumPy's file format, version 2. For structures `dtype` is the file's text. */
export function npy(dtype: string | null, type: Type, { data, shape }: Piece): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(type, data)
  const descr = dtype && type.kind === 'struct' ? dtype : `'${dtypeOf(type)}'`
  const dict = `{'descr': ${descr}, 'fortran_order': False, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`
  const header = new TextEncoder().encode(dict)
  const padded = Math.ceil((12 + header.length + 1) / 64) * 64 - 12
  const out = new Uint8Array(12 + padded + bytes.length).fill(32)
  out.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 2, 0])
  new DataView(out.buffer).setUint32(8, padded, true)
  out.set(header, 12)
  out[11 + padded] = 10
  out.set(bytes, 12 + padded)
  return out
}

/** The dtype of decoded data, in the byte order of the machine, which is little-endian. */
export function dtypeOf({ kind, size, unit, count }: Type): string {
  const order = size > 1 ? '<' : '|'
  const time = unit ? `[${count && count > 1 ? count : ''}${unit}]` : ''
  switch (kind) {
    case 'bool':
      return '|b1'
    case 'int':
      return `${order}i${size}`
    case 'uint':
      return `${order}u${size}`
    case 'float':
      return `${order}f${size}`
    case 'complex':
      return `<c${size}`
    case 'datetime':
      return `<M8${time}`
    case 'timedelta':
      return `<m8${time}`
    case 'bytes':
      return `|S${size}`
    case 'str':
      return `<U${size / 4}`
    default:
      return `|V${size}`
  }
}

function bytesOf({ kind, size }: Type, data: Piece['data']): Uint8Array {
  if (data instanceof StructArray) return data.bytes
  if (!Array.isArray(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  const out = new Uint8Array(data.length * size)
  const view = new DataView(out.buffer)
  data.forEach((text, k) => {
    if (kind === 'bytes') for (let at = 0; at < text.length; at++) out[k * size + at] = text.charCodeAt(at)
    else Array.from(text).forEach((point, at) => view.setUint32(k * size + 4 * at, point.codePointAt(0)!, true))
  })
  return out
}
