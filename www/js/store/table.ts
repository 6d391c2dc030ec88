// Tables: columns that are members of a store.

import { NDArray } from '../arrays/ndarray.js'
import type { SChunk } from '../arrays/schunk.js'
import { argument, B2ndError, setName } from '../base/errors.js'
import type { Attributes } from '../engine/attributes.js'
import { slice } from '../reading/selection.js'
import { Live, type Window } from './live.js'
import { withoutNulls } from './nulls.js'
import { objectsIn, type Objects } from './objects.js'
import { damaged, parseSchema, type ColumnSpec, type TableSchema } from './schema.js'

/** What a table needs of its store. */
export interface Members {
  /** Opens a member. */
  get(key: string): Promise<NDArray | SChunk>
  /** Where a member is stored; `undefined` if there is none. */
  storage(key: string): string | undefined
}

/** Members that the schema has, and so should the store. */
const promised = (members: Members): Members => ({
  storage: key => members.storage(key),
  get: async key => {
    if (members.storage(key) === undefined) throw new B2ndError('format', `the table's member ${key} is missing`)
    return members.get(key)
  },
})

/** Opens the table that a group is; `undefined` if it is none. Stale columns are read with `asStored` only. */
export async function tableIn(
  store: Members,
  group: string,
  { asStored }: { asStored?: boolean | undefined },
): Promise<Table | undefined> {
  const members = promised(store)
  if (!members.storage(`${group}/_meta`)) return undefined
  const meta = await members.get(`${group}/_meta`)
  const { kind, schema } = (await meta.attrs()) as { kind?: unknown; schema?: unknown }
  if (kind !== 'ctable' || typeof schema !== 'string') return undefined
  const mask = await members.get(`${group}/_valid_rows`)
  if (!(mask instanceof NDArray) || mask.shape.length !== 1 || mask.dtype !== '|b1') throw damaged('the mask')
  return new Table(members, group, parseSchema(schema), await Live.of(mask as NDArray<Uint8Array>), !!asStored)
}

/** A table in a store. Rows that were deleted do not count. */
export class Table {
  static {
    setName(this, 'Table')
  }
  /** The schema: the columns, their kinds, and other facts by python-blosc2. */
  readonly schema: TableSchema
  /** The number of rows. */
  readonly length: number
  readonly #members: Members
  readonly #group: string
  readonly #live: Live
  readonly #asStored: boolean
  readonly #columns = new Map<string, Promise<Column>>()

  /** @internal */
  constructor(members: Members, group: string, schema: TableSchema, live: Live, asStored: boolean) {
    this.#members = members
    this.#group = group
    this.schema = schema
    this.#live = live
    this.#asStored = asStored
    this.length = live.length
  }

  /**
   * Opens a column. Fails as `argument` if there is none of this name, as `unsupported` if it is computed, or if it is `stale` and the
   * store was not opened with `asStored`.
   */
  column(name: string): Promise<Column> {
    const spec = this.schema.columns.find(column => column.name === name)
    if (!spec) return Promise.reject(this.#missing(name))
    if (!this.#asStored && this.schema.stale.includes(name)) return Promise.reject(outdated(name))
    let column = this.#columns.get(name)
    if (!column) {
      column = columnOf(this.#live, this.#members, this.#group + keyOf(name), spec)
      this.#columns.set(name, column)
      column.catch(() => this.#columns.delete(name))
    }
    return column
  }

  #missing(name: string): B2ndError {
    const computed = this.schema.computed.find(column => column.name === name)
    if (!computed) return argument(`the table has no column ${name}`)
    return new B2ndError('unsupported', `column ${name} is computed, not stored: ${computed.expression}`)
  }

  /** Reads the rows from `start` up to but excluding `end`, as objects with all stored columns or those that are named. */
  async rows(start = 0, end = this.length, names?: readonly string[]): Promise<Record<string, unknown>[]> {
    const wanted = names ?? this.schema.columns.map(({ name }) => name)
    const cells = await Promise.all(wanted.map(async name => (await this.column(name)).get(start, end)))
    return Array.from({ length: end - start }, (_, row) =>
      Object.fromEntries(wanted.map((name, column) => [name, cells[column]![row]])),
    )
  }

  /** The attributes of the table. */
  async attrs(): Promise<Attributes> {
    const key = `${this.#group}/_vlmeta`
    return this.#members.storage(key) ? (await this.#members.get(key)).attrs() : {}
  }
}

const outdated = (name: string) =>
  new B2ndError(
    'unsupported',
    `column ${name} is stale: those that it is computed from have changed since then; asStored reads the old values`,
  )

/** The key of a column below that of its table. */
function keyOf(name: string): string {
  const escaped = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  const key = name.replace(/\\(.)|([.])|[%/\\]/gsu, (char: string, literal?: string, dot?: string) =>
    dot ? '/' : (literal ?? char).replace(/[%/.\\]/g, escaped),
  )
  return `/_cols/${key}`
}

/** Reads the values of stored rows; null for those that are. */
type Reader = (window: Window) => Promise<unknown[]>

/** A column of a table. */
export class Column {
  static {
    setName(this, 'Column')
  }
  /** What the schema says. */
  readonly spec: ColumnSpec
  readonly #live: Live
  readonly #read: Reader

  /** @internal */
  constructor(live: Live, spec: ColumnSpec, read: Reader) {
    this.#live = live
    this.spec = spec
    this.#read = read
  }

  /**
   * Reads the values of the rows from `start` up to but excluding `end`, null for null cells. Times are bigints that count the
   * column's unit from 1970. Complex numbers and the items of columns of arrays are arrays of numbers, the latter in C order. Objects
   * are as `Objects` reads them.
   */
  async get(start = 0, end = this.#live.length): Promise<unknown[]> {
    const values: unknown[][] = []
    for (const window of await this.#live.windows(start, end)) values.push(await this.#read(window))
    return values.length === 1 ? values[0]! : values.flat(1)
  }
}

async function columnOf(live: Live, members: Members, key: string, spec: ColumnSpec): Promise<Column> {
  const values = await members.get(key)
  const read = await readerOf(members, key, spec, values)
  const mask = members.storage(`${key}.notnull`) && (await members.get(`${key}.notnull`))
  if (!mask) return new Column(live, spec, read)
  return new Column(live, spec, async window => {
    const [cells, valid] = await Promise.all([read(window), arrayRows(mask, window)])
    return cells.map((cell, row) => (valid[row] ? cell : null))
  })
}

async function readerOf(members: Members, key: string, spec: ColumnSpec, values: NDArray | SChunk): Promise<Reader> {
  const objects = await objectsIn(values, {})
  if (objects) return window => objectRows(objects, window)
  if (spec.kind === 'utf8') return textsOf(values, await members.get(`${key}.utf8`), spec)
  if (spec.kind !== 'dictionary') {
    const type = 'type' in values ? values.type : null
    return async window => withoutNulls(await arrayRows(values, window), spec, type)
  }
  const texts = await (await objectsIn(await members.get(`${key}_dict`), {}))?.slice()
  return async window => {
    const codes = (await arrayRows(values, window)) as number[]
    return codes.map(code => {
      if (code === (spec.null_code ?? -1)) return null
      if (!texts || !(code in texts)) throw damaged(`a code of column ${spec.name}`)
      return texts[code]
    })
  }
}

const picked = <T>(values: T[], [, , rows]: Window): T[] => (rows ? rows.map(row => values[row]!) : values)

async function objectRows(objects: Objects, window: Window): Promise<unknown[]> {
  return picked(await objects.slice(window[0], window[1]), window)
}

/** Rows of an array, each of one or more items. */
async function arrayRows(array: NDArray | SChunk, window: Window): Promise<unknown[]> {
  if (!(array instanceof NDArray) || array.shape.length < 1)
    throw new B2ndError('unsupported', 'a column of an unknown kind')
  const [start, end] = window
  if (end > array.shape[0]!) throw damaged('the length of a column')
  const { data, width, shape } = await array.get([slice(start, end)])
  const per = width * shape.slice(1).reduce((items, length) => items * length, 1)
  const item = (at: number) => ('row' in data ? data.row(at) : array.dtype === '|b1' ? data[at] !== 0 : data[at])
  const row = (at: number) => (per === 1 ? item(at) : Array.from({ length: per }, (_, part) => item(at * per + part)))
  return picked(
    Array.from({ length: end - start }, (_, at) => row(at)),
    window,
  )
}

async function textsOf(offsets: NDArray | SChunk, bytes: NDArray | SChunk, spec: ColumnSpec): Promise<Reader> {
  return async window => {
    const [start, end] = window
    const ends = (await arrayRows(offsets, [start, end + 1])).map(Number)
    const from = ends[0]!
    if (
      !(bytes instanceof NDArray) ||
      !(ends.at(-1)! <= bytes.shape[0]!) ||
      ends.some((end, row) => end < (ends[row - 1] ?? 0))
    ) {
      throw damaged(`column ${spec.name}`)
    }
    const { data } = await (bytes as NDArray<Uint8Array>).get([slice(from, ends.at(-1))])
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    const text = (row: number) => decoder.decode(data.subarray(ends[row]! - from, ends[row + 1]! - from))
    const texts = Array.from({ length: end - start }, (_, row) => text(row))
    return picked(texts, window).map(text => (text === spec.null_value ? null : text))
  }
}
