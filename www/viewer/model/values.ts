// Conversion of items to numbers for drawing, and to text.

import { widthOf } from '../../js/data/typed-arrays.js'
import { NAT } from '../../js/data/values.js'
import { StructArray, type Data, type Type } from '../../js/index.js'
import { printed } from './texts.js'

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

/** Whether values of it are moments or durations. */
const isTime = (type: Type): boolean => kindOf(type) === 'time'

/** Whether pictures need texts of stored values: colour bars of times have them. */
export const needsTexts = (type: Type): boolean => [type, ...(type.fields ?? []).map(field => field.type)].some(isTime)

/** The fields of a structure that can be drawn. The first one is the default. */
export const drawableFields = (type: Type) => (type.fields ?? []).filter(field => drawable(field.type))

/** The type of a component of an item. */
export function partType(type: Type, part: Part): Type {
  if (type.kind !== 'struct') return type
  return (type.fields!.find(({ name }) => name === part) ?? drawableFields(type)[0] ?? type.fields![0]!).type
}

/** Beyond this, doubles cannot represent all integers. */
export const EXACT = 2n ** 53n

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

/** The maximum number of items of a sub-array, and of characters of raw bytes, in a text. */
const MAX_ITEMS = 24
const MAX_RAW_TEXT = 72

/** The text of an item of data: values as the library prints them, structures and sub-arrays put together of theirs. */
export function textOf(type: Type, data: Data, at: number, width: number): string {
  if (data instanceof StructArray) {
    if (width > 1) return '…'
    return `{${data.fields.map(field => `${field.name}: ${fieldText(field.type, data, at, field.name)}`).join(', ')}}`
  }
  if (type.kind === 'subarray') {
    const item = type.item!
    const each = widthOf(item, item.size)
    const items = Array.from({ length: Math.min(width / each, MAX_ITEMS) }, (_, k) =>
      textOf(item, data, (at * width) / each + k, each),
    )
    return `[${items.join(', ')}${width / each > MAX_ITEMS ? ', …' : ''}]`
  }
  const item = Array.isArray(data) ? [data[at]!] : data.subarray(at * width, (at + 1) * width)
  const text = printed(type, item)
  return kindOf(type) === 'raw' && text.length > MAX_RAW_TEXT ? `${text.slice(0, MAX_RAW_TEXT)}…` : text
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

/** Formats a computed number according to the type. `offset` was subtracted from it. */
export function roughText(type: Type, value: number, part: Part = '', offset = 0n): string {
  if (type.kind === 'datetime')
    return printed(type, BigInt64Array.of(Number.isFinite(value) ? BigInt(Math.round(value)) + offset : NAT))
  if (offset) return Number.isFinite(value) ? String(BigInt(Math.round(value)) + offset) : rough(value)
  if (type.kind === 'timedelta') return `${rough(value * (type.count ?? 1))} ${type.unit ?? ''}`
  return part === 'phase' ? `${rough(value / Math.PI)} π` : rough(value)
}

export function rough(value: number): string {
  // As the library prints them.
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return value.toLocaleString('en')
  return String(Number(value.toPrecision(6)))
}
