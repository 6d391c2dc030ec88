// Metadata as a tree that can be opened and closed.
import { h, plural } from '../dom.js'
import { addRules } from '../rules.js'
import rules from './tree.css'

addRules(rules)

/** A value with all nested values. */
export function tree(name: string, value: unknown, open = false): HTMLElement {
  const entries = entriesOf(value)
  if (!entries)
    return h('div', { class: 'leaf' }, h('span', { class: 'key' }, name), h('span', { class: 'value' }, textOf(value)))
  const kind = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`
  const short = Array.isArray(value) && entries.length <= 8 && entries.every(([, item]) => !entriesOf(item))
  if (short)
    return h(
      'div',
      { class: 'leaf' },
      h('span', { class: 'key' }, name),
      h('span', { class: 'value' }, `[${entries.map(([, item]) => textOf(item)).join(', ')}]`),
    )
  const details = h(
    'details',
    { open: open && entries.length <= 24 },
    h('summary', {}, h('span', { class: 'key' }, name), ' ', h('span', { class: 'value' }, kind)),
  )
  let made = false
  const make = () => {
    if (made || !details.open) return
    made = true
    details.append(...entries.slice(0, 500).map(([key, item]) => tree(key, item, entries.length < 6)))
    if (entries.length > 500) details.append(h('div', { class: 'leaf' }, `… and ${entries.length - 500} more`))
  }
  details.addEventListener('toggle', make)
  make()
  return details
}

function entriesOf(value: unknown): [string, unknown][] | null {
  if (value instanceof Map) return [...value].map(([key, item]) => [String(key), item])
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return null
  return Object.entries(value instanceof Set ? [...value] : value)
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array)
    return `${plural(value.length, 'byte')}: ${Array.from(value.subarray(0, 24), byte => byte.toString(16).padStart(2, '0')).join(' ')}${value.length > 24 ? ' …' : ''}`
  return typeof value === 'string'
    ? value
    : typeof value === 'bigint'
      ? String(value)
      : (JSON.stringify(value) ?? String(value))
}
