// Values of metalayers, objects and tables as JSON.

import type { PackedArray } from '../store.js'
import { simpleType } from './dtypes.js'
import { hex } from './items.js'
import { jsonOf } from './json.js'

/** What has its own text in JSON: integers of any size. */
class Raw {
  constructor(readonly text: string) {}
}

/** Turns what readers return into what JSON has: bytes into `{"bin": hex}`, frames into their length, sets and tuples into lists. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return new Raw(String(value))
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (value instanceof Uint8Array) return { bin: hex(value) }
  if (value instanceof Set) return [...value]
  if (ArrayBuffer.isView(value)) return [...(value as unknown as Iterable<unknown>)]
  const { frame, type, data, dtype } = (value ?? {}) as { [key in 'frame' | 'type' | 'data' | 'dtype']?: unknown }
  if (frame instanceof Uint8Array) return { frame: frame.length }
  if (data instanceof Uint8Array && dtype !== undefined) return packed(value as PackedArray) ?? null
  if (typeof type === 'number' && data instanceof Uint8Array) return { ext: type, bin: hex(data) }
  return value
}

/** An array of NumPy as nested lists; undefined if its dtype has no simple name. */
function packed({ dtype, shape, data }: PackedArray): Raw | undefined {
  const { str = '' } = dtype as { str?: string }
  const item = simpleType(str)
  return item && new Raw(jsonOf({ kind: 'list', type: item, shape, bytes: data }))
}

/** A value as JSON, in lines if `indent` is not 0. */
export function toJson(value: unknown, indent = 0, depth = 0): string {
  const item = plain(value)
  if (item instanceof Raw) return item.text
  if (item === null || item === undefined) return 'null'
  if (Object.is(item, -0)) return '-0.0'
  if (typeof item !== 'object') return JSON.stringify(item)
  const isList = Array.isArray(item)
  const parts = isList
    ? item.map(inner => toJson(inner, indent, depth + 1))
    : Object.entries(item).map(
        ([key, inner]) => `${JSON.stringify(key)}:${indent ? ' ' : ''}${toJson(inner, indent, depth + 1)}`,
      )
  const [open, close] = isList ? '[]' : '{}'
  if (!parts.length || !indent) return `${open}${parts.join(',')}${close}`
  const line = `\n${' '.repeat(indent * (depth + 1))}`
  return `${open}${line}${parts.join(`,${line}`)}\n${' '.repeat(indent * depth)}${close}`
}
