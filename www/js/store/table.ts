// Tables: columns that are members of a store.

import { NDArray } from '../arrays/ndarray.js'
import type { SChunk } from '../arrays/schunk.js'
import { utf8 } from '../base/bytes.js'
import { Closeable } from '../base/closeable.js'
import { argument, B2ndError, setName } from '../base/errors.js'
import type { Attributes } from '../engine/attributes.js'
import { numbersOf } from '../engine/engine.js'
import { valueIn } from '../engine/values.js'
import { slice } from '../reading/selection.js'
import { getEngine, recipeOf } from './engine.js'
import { Live, type Window } from './live.js'
import { isArrow, objectsIn, type Objects } from './objects.js'
import { schemaIn, type ColumnSpec, type StoredColumn, type TableSchema } from './schema.js'

/** What a table needs of its store. */
export interface Members {
  /** Opens a member. */
  get(key: string): Promise<NDArray | SChunk>
  /** Where a member is stored; `undefined` if there is none. */
  storage(key: string): string | undefined
}

/** Members that the schema has, and so should the store. They are added to `opened`. */
const promised = (members: Members, opened: Closeable[]): Members => ({
  storage: key => members.storage(key),
  get: async key => {
    if (members.storage(key) === undefined) throw new B2ndError('format', `the table's member ${key} is missing`)
    const member = await members.get(key)
    opened.push(member)
    return member
  },
})

/** Rows that are iterated over at a time. */
const STEP = 4096

/**
 * Opens the table that a group is; `undefined` if it is none. Stale columns are read with `asStored` only. Closing the table closes
 * `own`, too.
 */
export async function tableIn(
  store: Members,
  group: string,
  { asStored }: { asStored?: boolean | undefined },
  own?: Closeable,
): Promise<Table | undefined> {
  if (!store.storage(`${group}/_meta`)) return undefined
  const opened = own ? [own] : []
  const members = promised(store, opened)
  const read = await schemaIn(await members.get(`${group}/_meta`))
  if (!read) return undefined
  const mask = await members.get(`${group}/_valid_rows`)
  if (!(mask instanceof NDArray) || mask.shape.length !== 1 || mask.itemsize !== 1)
    throw new B2ndError('format', 'the mask of the table is damaged')
  return new Table({ ...read, members, opened, group, live: await Live.of(mask), asStored })
}

/** What a table is made of. */
interface Parts {
  readonly members: Members
  /** What is closed with the table. */
  readonly opened: Closeable[]
  readonly group: string
  readonly schema: TableSchema
  readonly columns: readonly StoredColumn[]
  readonly live: Live
  readonly asStored: boolean | undefined
}

/** A table in a store. Rows that were deleted do not count. */
export class Table extends Closeable {
  static {
    setName(this, 'Table')
  }
  /** The schema: the columns, their kinds, and other facts by python-blosc2. */
  readonly schema: TableSchema
  /** The number of rows. */
  readonly length: number
  readonly #parts: Parts
  readonly #columns = new Map<string, Promise<Column>>()

  /** @internal */
  constructor(parts: Parts) {
    super()
    this.#parts = parts
    this.schema = parts.schema
    this.length = parts.live.length
  }

  /**
   * Opens a column. Fails as `argument` if there is none of this name, as `unsupported` if it is computed or stored as Arrow, or if it is
   * `stale` and the store was not opened with `asStored`.
   */
  column(name: string): Promise<Column> {
    const { columns, live, members, group, asStored } = this.#parts
    const stored = columns.find(({ spec }) => spec.name === name)
    if (!stored) return Promise.reject(this.#missing(name))
    if (!asStored && this.schema.stale.includes(name)) return Promise.reject(outdated(name))
    let column = this.#columns.get(name)
    if (!column) {
      column = columnOf(live, members, group, stored)
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

  /**
   * Reads the rows from `start` up to but excluding `end`, as objects with the columns that are named, or all but those that are computed
   * or stored as Arrow. Fails as `column` does: a column that is stored as Arrow only if it is named.
   */
  async rows(start = 0, end = this.length, names?: readonly string[]): Promise<Record<string, unknown>[]> {
    const columns = names ? await Promise.all(names.map(name => this.column(name))) : await this.#readable()
    const cells = await Promise.all(columns.map(column => column.get(start, end)))
    return Array.from({ length: end - start }, (_, row) =>
      Object.fromEntries(columns.map(({ spec }, column) => [spec.name, cells[column]![row]])),
    )
  }

  /** All stored columns but those that are stored as Arrow. */
  async #readable(): Promise<Column[]> {
    const columns = this.schema.columns.map(({ name }) =>
      this.column(name).catch((error: unknown) => {
        if (isArrow(error)) return []
        throw error
      }),
    )
    return (await Promise.all(columns)).flat(1)
  }

  /** All rows, as `rows` reads them. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Record<string, unknown>, void, undefined> {
    for (let at = 0; at < this.length; at += STEP) yield* await this.rows(at, Math.min(at + STEP, this.length))
  }

  /** The attributes of the table. */
  async attrs(): Promise<Attributes> {
    const { members, group } = this.#parts
    const key = `${group}/_vlmeta`
    return members.storage(key) ? (await members.get(key)).attrs() : {}
  }

  /** Closes the members that were opened for the table, and leaves the store open. */
  override async close(): Promise<void> {
    await Promise.all(this.#parts.opened.splice(0).map(member => member.close()))
  }
}

const outdated = (name: string) =>
  new B2ndError(
    'unsupported',
    `column ${name} is stale: those that it is computed from have changed since then; asStored reads the old values`,
  )

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

/** Opens the frames of a column. */
async function columnOf(live: Live, members: Members, group: string, stored: StoredColumn): Promise<Column> {
  const { spec, key } = stored
  const values = await members.get(group + key)
  const maskKey = group + stored.mask
  const mask = members.storage(maskKey) ? await members.get(maskKey) : undefined
  /** The bits of a window in the mask of the column; none without a mask. */
  const bits = async ([start, end]: Window) => (mask ? mask.stored([slice(start, end)]) : new Uint8Array())
  const objects = await objectsIn(values, {})
  if (objects) return new Column(live, spec, window => objectCells(objects, window, bits(window)))
  if (!(values instanceof NDArray) || values.shape.length < 1)
    throw new B2ndError('unsupported', 'a column of an unknown kind')
  const engine = await getEngine()
  const dtype = stored.storage === 'items' ? (values.dtype ?? '') : ''
  const shape = Float64Array.from(values.shape)
  const recipe = recipeOf(values.limits, 'column', stored.entry, utf8(dtype), shape)
  const rows = (start: number, end: number) => values.stored([slice(start, end)])
  const cells = async (name: string, window: Window, bytes: Uint8Array[], ...numbers: number[]) =>
    engine.call(recipe, name, [window[2], await bits(window), ...bytes], valueIn, ...numbers) as unknown[]
  if (stored.storage === 'items')
    return new Column(live, spec, async window =>
      cells('items', window, [await rows(window[0], window[1])], window[1] - window[0]),
    )
  const beside = await members.get(group + stored.texts!)
  if (stored.storage === 'texts')
    return new Column(live, spec, async window => {
      const [start, end] = window
      const offsets = await rows(start, end + 1)
      const { cbytes, nbytes } = beside.info
      const place = engine.call(recipe, 'place', offsets, numbersOf, end - start, cbytes, nbytes)
      const [from, to] = place as unknown as [number, number]
      const content = await beside.stored([slice(from, to)])
      return cells('texts', window, [offsets, content], end - start)
    })
  const texts = await (await objectsIn(beside, {}))?.slice()
  if (!texts) throw new B2ndError('format', `the texts of column ${spec.name} are damaged`)
  return new Column(live, spec, async window => {
    const [start, end] = window
    const codes = (await cells('codes', window, [await rows(start, end)], end - start, texts.length)) as (
      | number
      | null
    )[]
    return codes.map(code => (code === null ? null : texts[code]))
  })
}

async function objectCells(
  objects: Objects,
  [start, end, picked]: Window,
  mask: Promise<Uint8Array>,
): Promise<unknown[]> {
  const [values, bits] = await Promise.all([objects.slice(start, end), mask])
  const masked = bits.length ? values.map((value, row) => (bits[row] ? value : null)) : values
  return picked.length ? Array.from(picked, row => masked[row]) : masked
}
