// Conversion of items to numbers for drawing, and to text.
// The texts on the page are not made by `src/export` in Rust, as those of files are (formats.ts): that module has 52 800 bytes by gzip, and
// of the 130 000 that the first load may have, 129 500 are used.

import { NAT } from '../../js/data/values.js'
import { StructArray, type Data, type Type } from '../../js/index.js'
import { dateText, spanText } from './time.js'

export type Numbers = ArrayLike<number>
/** The drawn component of a complex number, or the drawn field of a structure. */
export type Part = string

export const COMPLEX = { abs: 'magnitude', phase: 'phase', real: 'real part', imag: 'imaginary part' }

export type Kind = 'number' | 'complex' | 'time' | 'text' | 'struct' | 'raw'

export function kindOf({ kind, size }: Type): Kind {
  switch (kind) {
    case 'bool':
    case 'int':
    case 'uint':
      return 'number'
    case 'float':
      return size <= 8 ? 'number' : 'raw'
    case 'complex':
      return size <= 16 ? 'complex' : 'raw'
    case 'datetime':
    case 'timedelta':
      return 'time'
    case 'bytes':
    case 'str':
      return 'text'
    case 'struct':
      return 'struct'
    default:
      return 'raw'
  }
}

/** Whether pictures and lines can show it. */
export const drawable = (type: Type): boolean => ['number', 'complex', 'time'].includes(kindOf(type))

/** The fields of a structure that can be drawn. The first one is the default. */
export const drawableFields = (type: Type) => (type.fields ?? []).filter(field => drawable(field.type))

/** The type of a component of an item. */
export function partType(type: Type, part: Part): Type {
  if (type.kind !== 'struct') return type
  return (type.fields!.find(({ name }) => name === part) ?? drawableFields(type)[0] ?? type.fields![0]!).type
}

/** Beyond this, doubles cannot represent all integers. */
const EXACT = 2n ** 53n

/** The offset to subtract from large integers so that doubles represent their differences: their minimum. */
export function offsetOf(data: Data): bigint {
  if (!(data instanceof BigInt64Array || data instanceof BigUint64Array)) return 0n
  let [min, max] = [2n ** 64n, -(2n ** 64n)]
  for (const value of data) {
    if (value === NAT) continue
    if (value < min) min = value
    if (value > max) max = value
  }
  return (max > EXACT || min < -EXACT) && max - min < EXACT && min <= max ? min : 0n
}

/** The numbers of a component of the items; for 64-bit integers, minus `offset`. */
export function numbersOf(type: Type, data: Data, part: Part, offset = 0n): Numbers {
  if (data instanceof StructArray) {
    const field = type.fields!.find(({ name }) => name === part) ?? drawableFields(type)[0]
    return field ? numbersOf(field.type, columnOf(data, field.name), 'abs') : []
  }
  if (kindOf(type) === 'complex') return complexPart(data as Float32Array | Float64Array, part)
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    const time = type.kind === 'datetime' || type.kind === 'timedelta'
    const out = new Float64Array(data.length)
    for (let k = 0; k < out.length; k++)
      out[k] = time && data[k] === NAT ? NaN : Number(offset ? data[k]! - offset : data[k])
    return out
  }
  // Each read of a float16 would need a conversion.
  if (type.kind === 'float' && type.size === 2) return Float32Array.from(data as Float32Array)
  return data as unknown as Numbers
}

function complexPart(data: Float32Array | Float64Array, part: Part): Numbers {
  const out = new Float64Array(data.length / 2)
  for (let k = 0; k < out.length; k++) {
    const [re, im] = [data[2 * k]!, data[2 * k + 1]!]
    out[k] = part === 'phase' ? Math.atan2(im, re) : part === 'real' ? re : part === 'imag' ? im : Math.hypot(re, im)
  }
  return out
}

/** Formats an item of data. */
export function textOf(type: Type, data: Data, at: number, width: number): string {
  if (data instanceof StructArray) {
    if (width > 1) return '…'
    return `{${data.fields.map(field => `${field.name}: ${fieldText(field.type, data, at, field.name)}`).join(', ')}}`
  }
  switch (type.kind) {
    case 'bool':
      return data[at] ? 'true' : 'false'
    case 'float':
      if (width === 1) return numberText(data[at] as number, type.size)
      break
    case 'complex':
      if (width === 2) return complexText(data[2 * at] as number, data[2 * at + 1] as number, type.size / 2)
      break
    case 'datetime':
      return dateText(data[at] as bigint, type.unit, type.count)
    case 'timedelta':
      return spanText(data[at] as bigint, type.unit, type.count)
    case 'int':
    case 'uint':
    case 'bytes':
    case 'str':
      return String(data[at])
    case 'subarray': {
      const { item } = type
      const each = item!.kind === 'complex' ? 2 : 1
      const items = Array.from({ length: Math.min(width / each, 24) }, (_, k) =>
        textOf(item!, data, (at * width) / each + k, each),
      )
      return `[${items.join(', ')}${width / each > 24 ? ', …' : ''}]`
    }
  }
  const items = Array.prototype.slice.call(data, at * width, at * width + Math.min(width, 24)) as number[]
  return items.map(byte => byte.toString(16).padStart(2, '0')).join(' ') + (width > 24 ? ' …' : '')
}

/** Caches columns, which are converted from bytes on request. */
const columns = new WeakMap<StructArray, Map<string, Data>>()

function columnOf(data: StructArray, name: string): Data {
  const made = columns.get(data) ?? new Map<string, Data>()
  columns.set(data, made)
  const column = made.get(name) ?? data.column(name)
  made.set(name, column)
  return column
}

export function fieldText(type: Type, data: StructArray, at: number, name: string): string {
  const column = columnOf(data, name)
  return textOf(type, column, at, data.length ? column.length / data.length : 1)
}

const complexText = (re: number, im: number, size: number): string =>
  `${numberText(re, size)} ${im < 0 || Object.is(im, -0) ? '-' : '+'} ${numberText(Math.abs(im), size)}i`

/** The shortest text that identifies the number in a float of this size. */
export function numberText(value: number, size = 8): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞'
  if (Object.is(value, -0)) return '-0'
  if (size === 4) {
    for (let digits = 6; digits <= 9; digits++) {
      const short = Number(value.toPrecision(digits))
      if (Math.fround(short) === value) return String(short)
    }
  }
  return String(size === 2 ? Number(value.toPrecision(5)) : value)
}

/** Formats a computed number according to the type. `offset` was subtracted from it. */
export function roughText(type: Type, value: number, part: Part = '', offset = 0n): string {
  if (offset && type.kind !== 'datetime')
    return Number.isFinite(value) ? String(BigInt(Math.round(value)) + offset) : numberText(value)
  if (type.kind === 'datetime')
    return Number.isFinite(value) ? dateText(BigInt(Math.round(value)) + offset, type.unit, type.count) : 'NaT'
  if (type.kind === 'timedelta') return `${rough(value * (type.count ?? 1))} ${type.unit ?? ''}`
  return part === 'phase' ? `${rough(value / Math.PI)} π` : rough(value)
}

export function rough(value: number): string {
  if (!Number.isFinite(value)) return numberText(value)
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return value.toLocaleString('en')
  return String(Number(value.toPrecision(6)))
}
