// Slices as files: CSV, JSON, NPY.
import { StructArray, type NDArray, type Type } from '../../js/index.js'
import type { Dataset, Piece } from './dataset.js'
import { fieldText, textOf } from './values.js'

/** Rows and columns. Of more than two dimensions each line is one along the last axis. */
export function* csv({ type }: Dataset, { data, shape, width }: Piece): Generator<string> {
  const quote = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  if (data instanceof StructArray) {
    yield `${data.names.map(quote).join(',')}\n`
    for (let at = 0; at < data.length; at++) yield `${data.fields.map(({ name, type }) => quote(plain(type, fieldText(type, data, at, name)))).join(',')}\n`
    return
  }
  const columns = shape.length > 1 ? shape.at(-1)! : 1
  const count = shape.reduce((product, length) => product * length, 1)
  for (let row = 0; row < count; row += columns) {
    yield `${Array.from({ length: columns }, (_, k) => quote(plain(type, textOf(type, data, row + k, width)))).join(',')}\n`
  }
}

/** As other programs read numbers. */
const plain = ({ kind }: Type, text: string): string =>
  (kind === 'str' || kind === 'bytes' ? text : text.replace(/^(-?)∞$/, '$1inf').replace(/^NaN$/, 'nan').replace(/ ([+-]) (.*)i$/, '$1$2j'))

/** Nested lists, as `tolist` gives them; what JSON has no numbers for is text. */
export function json({ type }: Dataset, { data, shape, width }: Piece): string {
  const item = (at: number): unknown => {
    if (data instanceof StructArray) return Object.fromEntries(data.fields.map(({ name, type }) => [name, number(type, fieldText(type, data, at, name))]))
    if (type.kind === 'complex') return [data[2 * at], data[2 * at + 1]]
    return number(type, textOf(type, data, at, width))
  }
  const nest = (axis: number, at: number): unknown => {
    if (axis === shape.length) return item(at)
    const inner = shape.slice(axis + 1).reduce((product, length) => product * length, 1)
    return Array.from({ length: shape[axis]! }, (_, k) => nest(axis + 1, at + k * inner))
  }
  return JSON.stringify(nest(0, 0))
}

function number(type: Type, text: string): unknown {
  const { kind } = type
  if (kind === 'bool') return text === 'true'
  const value = Number(text)
  if ((kind === 'float' || kind === 'int' || kind === 'uint') && Number.isFinite(value) && !(Number.isInteger(value) && !Number.isSafeInteger(value))) return value
  return plain(type, text)
}

/** NumPy's own format, version 2. */
export function npy(array: NDArray | null, { type }: Dataset, { data, shape }: Piece): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(type, data)
  const descr = array?.dtype && type.kind === 'struct' ? array.dtype : `'${descrOf(type)}'`
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

/** The dtype as data come: in the order of the machine, which is little-endian. */
function descrOf({ kind, size, unit, count }: Type): string {
  const order = size > 1 ? '<' : '|'
  const time = unit ? `[${count && count > 1 ? count : ''}${unit}]` : ''
  switch (kind) {
    case 'bool': return '|b1'
    case 'int': return `${order}i${size}`
    case 'uint': return `${order}u${size}`
    case 'float': return `${order}f${size}`
    case 'complex': return `<c${size}`
    case 'datetime': return `<M8${time}`
    case 'timedelta': return `<m8${time}`
    case 'bytes': return `|S${size}`
    case 'str': return `<U${size / 4}`
    default: return `|V${size}`
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
