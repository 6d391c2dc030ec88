// Names of dtypes.

import { argument } from '../base/errors.js'
import type { Field, Type } from '../engine/facts.js'

const LETTERS: Readonly<Record<Type['kind'], string>> = {
  bool: 'b',
  int: 'i',
  uint: 'u',
  float: 'f',
  complex: 'c',
  datetime: 'M',
  timedelta: 'm',
  bytes: 'S',
  str: 'U',
  object: 'O',
  void: 'V',
  subarray: 'V',
  struct: 'V',
}

/**
 * The dtype in NumPy's notation: a name, or the list of the fields of a structure. Fails as `argument` for fields that overlap or are
 * out of order.
 */
export function dtypeOf(type: Type): string {
  if (type.kind !== 'struct') return nameOf(type)
  const parts: string[] = []
  let end = 0
  const gap = (to: number) => {
    if (to < end) throw argument('a .npy file cannot represent fields that overlap or are out of order')
    if (to > end) parts.push(`('', '|V${to - end}')`)
  }
  for (const field of type.fields!) {
    gap(field.offset)
    parts.push(fieldDescr(field))
    end = field.offset + field.type.size
  }
  gap(type.size)
  return `[${parts.join(', ')}]`
}

function nameOf({ kind, size, order, unit, count }: Type): string {
  const step = unit ? `[${count === 1 ? '' : (count ?? '')}${unit}]` : ''
  return `${order}${LETTERS[kind]}${kind === 'str' ? size / 4 : size}${step}`
}

/** The dtype in a list of fields, where names are quoted. */
const descrOf = (type: Type): string => (type.kind === 'struct' ? dtypeOf(type) : `'${nameOf(type)}'`)

function fieldDescr({ name, title, type }: Field): string {
  const label = title === null ? quoted(name) : `(${quoted(title)}, ${quoted(name)})`
  if (type.kind !== 'subarray') return `(${label}, ${descrOf(type)})`
  const shape = type.shape!
  return `(${label}, ${descrOf(type.item!)}, (${shape.join(', ')}${shape.length === 1 ? ',' : ''}))`
}

/** A string of Python. */
const quoted = (text: string): string =>
  `'${Array.from(text, char => {
    if (char === "'" || char === '\\') return `\\${char}`
    return /\p{Cc}/u.test(char) ? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}` : char
  }).join('')}'`

/** The type with a name such as `<f4`; undefined for structures and others. */
export function simpleType(name: string): Type | undefined {
  const [, order, letter, size, count, unit] = /^([<>|=]?)([bifucMmSUV?])(\d*)(?:\[(\d*)(\w+)\])?$/.exec(name) ?? []
  const kind = Object.entries(LETTERS).find(([, found]) => found === letter)?.[0] as Type['kind'] | undefined
  if (!kind || !size) return undefined
  const bytes = Number(size) * (kind === 'str' ? 4 : 1)
  return {
    kind,
    size: bytes,
    order: order === '>' ? '>' : '<',
    ...(/time/.test(kind) && { unit: unit ?? '', count: Number(count || 1) }),
  }
}
