// `b2nd info`: what a file is, without its data.

import { product } from '../base/numbers.js'
import { NDArray, SChunk } from '../index.js'
import { objectsIn, type Store, type Table } from '../store.js'
import { toJson } from './msgpack.js'
import { isArrow, schunkOf, type Opened } from './opened.js'

/** A description of what was opened, as `info --json` prints it. */
export async function factsOf(opened: Opened): Promise<Record<string, unknown>> {
  if (opened.kind === 'table') return factsOfTable(opened.table)
  if (opened.kind === 'store') return factsOfStore(opened.store)
  return factsOfFrame(opened.frame, opened.size)
}

async function factsOfTable(table: Table): Promise<Record<string, unknown>> {
  const { columns: specs, stale } = table.schema
  const columns = specs.map(({ name, kind, nullable }) => ({
    name,
    kind,
    nullable: nullable === true,
    ...(stale.includes(name) && { stale: true }),
  }))
  return { kind: 'table', rows: table.length, columns, attributes: await table.attrs() }
}

async function factsOfStore(store: Store): Promise<Record<string, unknown>> {
  return { kind: 'store', store: store.kind, members: store.keys().length, attributes: await store.attrs() }
}

async function factsOfFrame(frame: NDArray | SChunk, size: number | null): Promise<Record<string, unknown>> {
  const { info } = frame
  const array = frame instanceof NDArray ? frame : undefined
  const isChunk = info.kind === 'chunk'
  const claimed = isChunk ? info.cbytes : info.frameLength
  const facts = {
    kind: kindOf(frame),
    reference: info.reference,
    shape: array?.shape ?? null,
    chunks: array?.chunks ?? null,
    blocks: array?.blocks ?? null,
    dtype: array?.dtype ?? null,
    typesize: info.typesize,
    nbytes: nbytesOf(frame),
    cbytes: info.cbytes,
    missing: size === null ? null : Math.max(0, claimed - size),
    nchunks: await schunkOf(frame).nchunks(),
    codec: info.codec.name ?? info.codec.id,
    clevel: isChunk ? null : info.clevel,
    filters: info.filters.map(({ id, name, meta }) => ({ id, name, meta })),
    splitmode: info.splitMode,
    contiguous: !info.sparse,
    frame_version: isChunk ? null : info.version,
    metalayers: frame.meta,
    vlmetalayers: await frame.attrs(),
  }
  if (isArrow(frame)) return { ...facts, serializer: 'arrow' }
  const objects = await objectsIn(frame, {})
  return objects ? { ...facts, length: objects.length, serializer: 'msgpack' } : facts
}

/** The size of the items in bytes, without the padding of an array's chunks. */
export const nbytesOf = (frame: NDArray | SChunk): number =>
  frame instanceof NDArray ? product(frame.shape) * frame.itemsize : frame.nbytes

/** Metalayers of frames that are more than chunks, and what they are. Earlier ones tell more. */
const KINDS = {
  listarray: 'lists',
  ctable_varlen_scalar: 'scalars',
  batcharray: 'batches',
  vlarray: 'objects',
  b2embed: 'store',
} as const

export function kindOf(frame: NDArray | SChunk): string {
  const found = Object.entries(KINDS).find(([name]) => frame instanceof SChunk && name in frame.meta)
  return found?.[1] ?? frame.info.kind
}

/** A description as lines. */
export function linesOf(facts: Record<string, unknown>): string {
  const lines: string[] = []
  const line = (name: string, value: string) => lines.push(`${name.padEnd(13)} ${value}\n`)
  for (const [name, value] of Object.entries(facts)) {
    if (value === null || value === undefined || (name === 'missing' && value === 0)) continue
    if (/^(nbytes|cbytes|missing)$/.test(name)) line(name, bytesText(value as number))
    else if (name === 'filters') line(name, (value as Filter[]).map(filterText).join(', '))
    else if (/^(vl)?metalayers$|^attributes$/.test(name)) {
      for (const [layer, content] of Object.entries(value))
        if (layer !== 'b2nd' && layer !== 'caterva') line(name.replace(/s$/, ''), `${layer}: ${toJson(content)}`)
    } else if (name === 'columns') {
      for (const { name, kind, nullable, stale } of value as {
        name: string
        kind: string
        nullable: boolean
        stale?: true
      }[])
        line('column', `${name}: ${kind}${nullable ? ', nullable' : ''}${stale ? ', stale' : ''}`)
    } else if (Array.isArray(value)) line(name, `(${value.join(', ')})`)
    else if (typeof value !== 'object') line(name, `${value as string | number | boolean}`)
    const { nbytes, cbytes } = facts as { nbytes: number; cbytes: number }
    if (name === 'cbytes' && cbytes > 0) line('ratio', (nbytes / cbytes).toFixed(2))
  }
  return lines.join('')
}

interface Filter {
  readonly id: number
  readonly name: string | null
  readonly meta: number
}

const filterText = ({ id, name, meta }: Filter): string => (name ?? `filter ${id}`) + (meta ? ` (meta ${meta})` : '')

/** A number with a noun. */
export const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`

/** A size, rounded and exact. */
function bytesText(nbytes: number): string {
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']
  let [size, unit] = [nbytes, '']
  while (size >= 1024 && units.length) [size, unit] = [size / 1024, units.shift()!]
  return unit ? `${size.toFixed(2)} ${unit} (${count(nbytes, 'byte')})` : count(nbytes, 'byte')
}
