// JSON of items. Integers are plain numbers of any size; NaN and infinities are strings; complex numbers are `[re, im]`; times are
// strings, or null for NaT; byte strings are text, raw bytes hexadecimal; structures are objects, Python's objects null.

import { bytesAsText, entriesOf, hex, readItem, type Item, type List } from './items.js'
import { realText, type Real } from './reals.js'

export function jsonOf(item: Item): string {
  switch (item.kind) {
    case 'bool':
    case 'integer':
      return String(item.value)
    case 'real':
      return real(item.value)
    case 'complex':
      return `[${real(item.re)}, ${real(item.im)}]`
    case 'time':
    case 'str':
      return JSON.stringify(item.text)
    case 'bytes':
      return JSON.stringify(bytesAsText(item.bytes))
    case 'void':
      return JSON.stringify(hex(item.bytes))
    case 'object':
      return 'null'
    case 'list':
      return list(item)
  }
  return `{${item.fields.map(([name, value]) => `${JSON.stringify(name)}: ${jsonOf(value)}`).join(', ')}}`
}

function list(items: List): string {
  const entries = entriesOf(items)
  return entries ? `[${entries.map(list).join(', ')}]` : jsonOf(readItem(items.type, items.bytes))
}

function real(number: Real): string {
  if (Number.isNaN(number.value)) return '"NaN"'
  return Number.isFinite(number.value) ? realText(number) : JSON.stringify(String(number.value))
}
