// The formats of values.

import { argument } from '../base/errors.js'
import { npyHeader } from '../data/npy.js'
import type { Type } from '../engine/facts.js'
import { Csv } from './csv.js'
import { dtypeOf } from './dtypes.js'
import { readItem } from './items.js'
import { jsonOf } from './json.js'
import { Nest } from './nest.js'
import type { Parts } from './output.js'
import type { Selected } from './slabs.js'
import { cellOf, layout } from './text.js'

export const FORMATS = ['text', 'npy', 'raw', 'csv', 'json'] as const
export type Format = (typeof FORMATS)[number]

/** Values in a format. */
export function formatted(format: Format, selected: Selected): Parts {
  if (format === 'raw') return selected.parts()
  if (selected.type.size === 0) throw argument('the items have no bytes, so there is nothing to write')
  return { text, npy, csv, json }[format](selected)
}

async function* text(selected: Selected): Parts {
  const { type, shape } = selected
  const bytes = shape.includes(0) ? new Uint8Array() : await selected.edges()
  const cells = Array.from(items(bytes, type), item => cellOf(readItem(type, item)))
  yield `${layout(shape, type, cells)}\n`
}

async function* npy(selected: Selected): Parts {
  const { type, shape } = selected
  if (holdsObjects(type))
    throw argument('the items are addresses of Python objects, which no .npy file can hold (use -f raw for the bytes)')
  yield npyHeader({ dtype: dtypeOf(type), shape })
  yield* selected.parts()
}

async function* csv(selected: Selected): Parts {
  const { type, shape } = selected
  const table = new Csv(new Nest(shape), type)
  yield table.header
  for await (const bytes of selected.parts()) for (const item of items(bytes, type)) yield table.add(item)
}

async function* json(selected: Selected): Parts {
  const { type, shape } = selected
  const nest = new Nest(shape)
  let at = 0
  for await (const bytes of selected.parts()) {
    for (const item of items(bytes, type)) {
      const opening = nest.starts(at)
      const separator = opening > 0 || type.kind === 'struct' ? ',\n' : ', '
      yield (at ? separator : '') + '['.repeat(opening) + jsonOf(readItem(type, item)) + ']'.repeat(nest.ends(at))
      at++
    }
  }
  yield nest.length ? '\n' : `${empty(shape)}\n`
}

/** The brackets of an array without items. */
const empty = ([length, ...inner]: readonly number[]): string =>
  length === undefined ? '' : `[${Array.from({ length }, () => empty(inner)).join(', ')}]`

function* items(bytes: Uint8Array, { size }: Type): Generator<Uint8Array> {
  for (let at = 0; at + size <= bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Whether items hold addresses of Python objects. */
const holdsObjects = ({ kind, item, fields }: Type): boolean =>
  kind === 'object' || !!(item && holdsObjects(item)) || !!fields?.some(field => holdsObjects(field.type))
