// Notices about files that do not contain all of their values.

import { h, fill } from '../dom.js'
import type { Dataset } from '../model/dataset.js'

const KINDS: Record<string, string> = {
  computed: 'This is a lazy expression: its values are computed from other files.',
  lazyexpr:
    'This is a lazy expression: Blosc2 computes its values from other files when it reads it. This file has none of them.',
  lazyudf:
    'This is a lazy function: Blosc2 computes its values from other files when it reads it. This file has none of them.',
  proxy: 'This is a proxy: it keeps those chunks of another array that were fetched.',
  remote_array: 'This is a remote array: it keeps those chunks of another array that were fetched.',
  c2array: 'This is a reference to an array on a Caterva2 server. This file has none of its values.',
}

/** A notice; null for files that contain their values. */
export function reference(dataset: Dataset): HTMLElement | null {
  const { array, missing, shape, opened } = dataset
  if (!opened.info.reference) return null
  const kind = dataset.reference ?? 'computed'
  const chunks = array
    ? shape.reduce((product, length, axis) => product * Math.ceil(length / array.chunks[axis]!), 1)
    : 0
  const kept = chunks - (missing?.count ?? 0)
  const parts =
    (kept && kind !== 'computed') || kind === 'proxy' || kind === 'remote_array'
      ? ` It has ${kept} of ${chunks} chunks; what is hatched is not in this file.`
      : ''
  const more = h('span', {})
  void opened
    .attrs()
    .catch(() => ({}))
    .then(attrs => fill(more, detail(attrs, opened.metalayers)))
  return h(
    'p',
    { class: 'reference', role: 'note' },
    (KINDS[kind] ?? 'This refers to other files, in a way that is not known here. This file has none of its values.') +
      parts,
    ' ',
    more,
  )
}

/** The operands or the origin of the values. */
function detail(
  attrs: Readonly<Record<string, unknown>>,
  metalayers: Readonly<Record<string, unknown>>,
): HTMLElement | null {
  const inner = (attrs['b2o'] ?? {}) as {
    expression?: string
    name?: string
    operands?: Record<string, { urlpath?: string }>
  }
  const operands = Object.entries(inner.operands ?? {})
    .map(([name, { urlpath }]) => `${name}: ${urlpath}`)
    .join(', ')
  const source = metalayers['proxy-source'] as { urlpath?: string | null; local_abspath?: string | null } | undefined
  const text = [inner.expression ?? inner.name, operands, source?.urlpath ?? source?.local_abspath]
    .filter(Boolean)
    .join('; ')
  return text ? h('code', {}, text) : null
}
