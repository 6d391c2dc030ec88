// Tables: columns that are members of a store.

import { NDArray } from '../arrays/ndarray.js'
import type { SChunk } from '../arrays/schunk.js'
import { copyOf, utf8 } from '../base/bytes.js'
import { Closeable } from '../base/closeable.js'
import { argument, B2ndError, setName } from '../base/errors.js'
import { joinedTexts } from '../base/joined-texts.js'
import { product } from '../base/numbers.js'
import { callback, checked, number, position, signal, type Rules } from '../base/validation.js'
import type { Data, StructArray } from '../data/convert.js'
import { LITTLE } from '../data/values.js'
import type { Attributes } from '../engine/attributes.js'
import { createEngine, NO_FRAME, numbersOf } from '../engine/engine.js'
import type { Type } from '../engine/facts.js'
import { LIMITS } from '../engine/protocol.js'
import { valueIn } from '../engine/values.js'
import { slice } from '../reading/selection.js'
import { tableOf, vectorOf, type ArrowModule } from './arrow.js'
import { Condition, type Comparison } from './condition.js'
import { getEngine, recipeOf } from './engine.js'
import { Found, search, type Matches } from './found.js'
import { Live, type Rows, type Window } from './live.js'
import { isArrow, objectsIn, type Objects } from './objects.js'
import { schemaIn, type ColumnSpec, type StoredColumn, type StoredFormula, type TableSchema } from './schema.js'

/** The part of a store that its tables need. */
export interface Members {
  /** Opens a member. */
  get(key: string): Promise<NDArray | SChunk>
  /** Where a member is stored; `undefined` if there is none. */
  storage(key: string): string | undefined
}

/** Members that the schema has, and so should the store. They are opened once, and added to `opened`. */
function promised(members: Members, opened: Closeable[]): Members {
  const known = new Map<string, Promise<NDArray | SChunk>>()
  const open = async (key: string) => {
    if (members.storage(key) === undefined) throw new B2ndError('format', `the table's member ${key} is missing`)
    const member = await members.get(key)
    opened.push(member)
    return member
  }
  return {
    storage: key => members.storage(key),
    get: key => {
      let member = known.get(key)
      if (!member) {
        known.set(key, (member = open(key)))
        member.catch(() => known.delete(key))
      }
      return member
    },
  }
}

/** The rows of a batch. */
const BATCH = 2 ** 16
const SIGNAL: Rules = { signal }
const ROWS: Rules = { ...SIGNAL, columns: ['names of columns', Array.isArray], start: position, end: position }
const SEARCH: Rules = { ...SIGNAL, limit: number(0, Number.MAX_SAFE_INTEGER, true), onProgress: callback }
const BATCHES: Rules = { ...ROWS, size: number(1, Number.MAX_SAFE_INTEGER, true), onProgress: callback }
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

/** The parts of a table. */
interface Parts {
  readonly members: Members
  /** The resources that are closed with the table. */
  readonly opened: Closeable[]
  readonly group: string
  readonly schema: TableSchema
  readonly columns: readonly StoredColumn[]
  readonly formulas: readonly StoredFormula[]
  readonly live: Rows
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
   * Opens a column. Fails as `argument` if there is none of this name, as `unsupported` if it is stored as Arrow or computed by a kernel, or
   * if it is `stale` and the store was not opened with `asStored`. The first computed column loads the wasm of expressions.
   */
  column(name: string): Promise<Column>
  /** A column of this kind, so that TypeScript knows the types of its values. Fails as `argument` for another kind. */
  column<K extends keyof ColumnKinds>(name: string, kind: K): Promise<Column<ColumnKinds[K][0], ColumnKinds[K][1]>>
  column(name: string, kind?: string): Promise<Column> {
    const { columns, formulas, live, members, group, asStored } = this.#parts
    const named = ({ spec }: { spec: ColumnSpec }) => spec.name === name
    const found = columns.find(named) ?? formulas.find(named)
    if (!found) return Promise.reject(argument(`the table has no column ${name}`))
    if (kind !== undefined && found.spec.kind !== kind)
      return Promise.reject(argument(`column ${name} is of the kind ${found.spec.kind}, not ${kind}`))
    if (!asStored && this.schema.stale.includes(name)) return Promise.reject(outdated(name))
    let column = this.#columns.get(name)
    if (!column) {
      column = 'formula' in found ? this.#computed(found) : columnOf(live, members, group, found)
      this.#columns.set(name, column)
      column.catch(() => this.#columns.delete(name))
    }
    return column
  }

  async #computed(formula: StoredFormula): Promise<Column> {
    const { columns, live } = this.#parts
    const { inputs } = formula.column
    if (!inputs.every(name => columns.some(({ spec }) => spec.name === name)))
      throw new B2ndError('format', `column ${formula.spec.name} is computed from columns that are not stored`)
    return computedColumn(live, formula, await Promise.all(inputs.map(name => this.column(name))))
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

  /**
   * Reads rows in batches, each a part of all columns that are named, as `Column.read` reads it. Leaving the loop ends reading. Fails as
   * `rows` does, and with the reason of an aborted signal.
   */
  async *batches(options: BatchOptions = {}): AsyncGenerator<Batch, void, undefined> {
    const { columns: names, start = 0, end = this.length, size = BATCH, signal, onProgress } = checked(options, BATCHES)
    const columns = names ? await Promise.all(names.map(name => this.column(name))) : await this.#readable()
    for (let at = start; at < end;) {
      signal?.throwIfAborted()
      const next = Math.min(at + size, end)
      const read = await Promise.all(columns.map(column => column.read(at, next, { signal })))
      yield { start: at, end: next, columns: Object.fromEntries(columns.map(({ spec }, k) => [spec.name, read[k]!])) }
      at = next
      onProgress?.({ loaded: at - start, total: end - start })
    }
  }

  /**
   * Reads rows as a table of the package apache-arrow, which is given: `await table.toArrow(await import('apache-arrow'))`. Typed arrays
   * are not copied. Fails as `batches` does, and as `unsupported` for columns of objects: name others.
   */
  async toArrow<A extends ArrowModule>(
    arrow: A,
    options: Omit<BatchOptions, 'size' | 'onProgress'> = {},
  ): Promise<InstanceType<A['Table']>> {
    const { columns: names, start = 0, end = this.length, signal } = checked(options, ROWS)
    const columns = names ? await Promise.all(names.map(name => this.column(name))) : await this.#readable()
    const vectors: Record<string, object> = {}
    for (const column of columns) vectors[column.spec.name] = await column.toArrow(arrow, start, end, { signal })
    return tableOf(arrow, vectors)
  }

  /**
   * The rows that meet a condition, such as `x > 3 and name == 'a'`: a table of them, whose `length` is their number. Closing this table
   * closes that one.
   *
   * Columns are compared with numbers, texts in quotes, `true`, `false`, dates of ISO 8601 and each other: `==`, `!=`, `<`, `<=`, `>`, `>=`,
   * chains of these, `x in (1, 2)`, `x is null`; joined by `and`, `or`, `not` and parentheses. Sides may be computed: `abs(x - y) < 1`.
   * Comparisons in an array, which must all hold, need no quotes: `[{ column: name, operator: '==', value: "O'Hara" }]`.
   * A comparison with null leaves the row out. The indexes of the table, if they are not stale, tell which blocks need not be read.
   *
   * It loads the wasm of expressions. Fails as `argument` for what is no condition on the table, as `column` does for the columns that it
   * names, as `limit` if the places of the rows take more than `limits.memory`, and with the reason of an aborted signal.
   */
  async where(condition: string | readonly Comparison[], options: SearchOptions = {}): Promise<Table> {
    const { places } = await this.#search(condition, options)
    return new Table({ ...this.#parts, opened: [], live: new Found(places) })
  }

  /** The numbers of the rows that meet a condition, in order. It takes a condition, and fails, as `where` does. */
  async find(condition: string | readonly Comparison[], options: SearchOptions = {}): Promise<Float64Array> {
    return (await this.#search(condition, options)).numbers
  }

  async #search(condition: string | readonly Comparison[], options: SearchOptions): Promise<Matches> {
    const searching = checked(options, SEARCH)
    const { members, group, live } = this.#parts
    const meta = await members.get(`${group}/_meta`)
    const parsed = await Condition.of(condition, meta)
    const columns = await Promise.all(parsed.columns.map(name => this.column(name)))
    const ranges = await parsed.candidates(group, async key => (members.storage(key) ? members.get(key) : undefined))
    const test = async (window: Window) =>
      parsed.matches(await Promise.all(columns.map(column => column.sections(window, searching.signal))))
    // A row takes as many bytes as two doubles.
    return search(live, ranges, test, { ...searching, most: meta.limits.memory / 16 })
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

/** The rows of a batch, and the values of its columns. */
export interface Batch {
  /** The first row. */
  readonly start: number
  /** The row after the last one. */
  readonly end: number
  /** The columns, by name. */
  readonly columns: Readonly<Record<string, ColumnData>>
}

/** Options of `Table.batches`. */
export interface BatchOptions {
  /** The names of columns. Default: all but those that are computed or stored as Arrow. */
  columns?: readonly string[] | undefined
  /** The first row. Default: 0. */
  start?: number | undefined
  /** The row after the last one. Default: the number of rows. */
  end?: number | undefined
  /** The rows of a batch. Default: 65536. */
  size?: number | undefined
  /** Aborts: the next batch rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Called after each batch, with the rows so far and those of all batches. */
  onProgress?: ((progress: { loaded: number; total: number }) => void) | undefined
}

/** Options of `Table.where`. */
export interface SearchOptions {
  /** The most rows to find: the first ones. Rows behind them are not searched. Default: all. */
  limit?: number | undefined
  /** Aborts: the next read rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Called now and then, with the rows that were searched and all rows. */
  onProgress?: ((progress: { loaded: number; total: number }) => void) | undefined
}

/** The cells of columns of a kind, as `get` returns them, and their values, as `read` does. */
export type ColumnKinds = Record<'bool', [cell: boolean, values: Uint8Array]> &
  Record<'int8', [cell: number, values: Int8Array]> &
  Record<'int16', [cell: number, values: Int16Array]> &
  Record<'int32', [cell: number, values: Int32Array]> &
  Record<'int64', [cell: number | bigint, values: BigInt64Array]> &
  Record<'uint8', [cell: number, values: Uint8Array]> &
  Record<'uint16', [cell: number, values: Uint16Array]> &
  Record<'uint32', [cell: number, values: Uint32Array]> &
  Record<'uint64', [cell: number | bigint, values: BigUint64Array]> &
  Record<'float32', [cell: number, values: Float32Array]> &
  Record<'float64', [cell: number, values: Float64Array]> &
  Record<'complex64', [cell: number[], values: Float32Array]> &
  Record<'complex128', [cell: number[], values: Float64Array]> &
  Record<'timestamp', [cell: bigint, values: BigInt64Array]> &
  Record<'string' | 'utf8' | 'vlstring' | 'dictionary', [cell: string, values: (string | null)[]]> &
  Record<'bytes' | 'vlbytes', [cell: Uint8Array, values: (Uint8Array | null)[]]>

/** The values of some rows of a column. */
export interface ColumnData<V = TypedArray | unknown[]> {
  /**
   * The values: a typed array, as `NDArray.get` returns it, of numbers, booleans, times and complex numbers, those of arrays in C order;
   * otherwise a list as `get` returns it.
   */
  readonly values: V
  /** 1 for each row that is null; what `values` has there means nothing. `null` if no row is. */
  readonly nulls: Uint8Array | null
}

type TypedArray = Exclude<Data, string[] | StructArray>

/** Reads the values of stored rows; null for those that are. */
type Reader = (window: Window) => Promise<unknown[]>
/** Reads them as a typed array. */
type TypedReader = (window: Window, signal: AbortSignal | undefined) => Promise<ColumnData & { values: TypedArray }>
/** Reads them as the sections of a condition. */
type SectionReader = (window: Window, signal: AbortSignal | undefined) => Promise<ArrayBufferView[]>

/** How stored rows of a column are read. */
interface Readers {
  readonly read: Reader
  /** Of numbers, booleans, times and complex numbers. */
  readonly readTyped?: TypedReader | undefined
  /** Of items; texts are read as they are. */
  readonly readSections?: SectionReader | undefined
}

/** A column of a table. `C` is the type of its cells, `V` that of its values. */
export class Column<C = unknown, V = TypedArray | unknown[]> {
  static {
    setName(this, 'Column')
  }
  /** The description in the schema. */
  readonly spec: ColumnSpec
  readonly #live: Rows
  readonly #readers: Readers
  /** @internal The dtype of a row whose values are read as typed ones, if it is a single one; otherwise empty. */
  readonly dtype: string

  /** @internal */
  constructor(live: Rows, spec: ColumnSpec, readers: Readers, dtype = '') {
    this.#live = live
    this.spec = spec
    this.#readers = readers
    this.dtype = dtype
  }

  /** @internal Reads a window as typed values. */
  typed(window: Window, signal: AbortSignal | undefined): Promise<ColumnData & { values: TypedArray }> {
    return this.#readers.readTyped!(window, signal)
  }

  /** @internal Reads a window as a condition takes it. */
  async sections(window: Window, signal: AbortSignal | undefined): Promise<ArrayBufferView[]> {
    const { read, readSections } = this.#readers
    return readSections ? readSections(window, signal) : textSections(await read(window))
  }

  /**
   * Reads the values of the rows from `start` up to but excluding `end`, null for null cells. Times are bigints that count the
   * column's unit from 1970. Complex numbers and the items of columns of arrays are arrays of numbers, the latter in C order. Objects
   * are as `Objects` reads them.
   */
  async get(start = 0, end = this.#live.length): Promise<(C | null)[]> {
    const values: unknown[][] = []
    for (const window of await this.#live.windows(start, end)) values.push(await this.#readers.read(window))
    return (values.length === 1 ? values[0]! : values.flat(1)) as (C | null)[]
  }

  /**
   * Reads the values of the rows from `start` up to but excluding `end` as a typed array, without a value of JavaScript for each, and
   * tells apart which are null. Columns of texts and objects are lists. Fails as `get` does.
   */
  async read(
    start = 0,
    end = this.#live.length,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<ColumnData<V>> {
    return (await this.#data(start, end, options)) as ColumnData<V>
  }

  async #data(start: number, end: number, options: { signal?: AbortSignal | undefined }): Promise<ColumnData> {
    const { signal } = checked(options, SIGNAL)
    const { readTyped } = this.#readers
    const windows = await this.#live.windows(start, end)
    if (!readTyped) {
      const values = await this.get(start, end)
      signal?.throwIfAborted()
      return { values, nulls: values.includes(null) ? Uint8Array.from(values, value => Number(value === null)) : null }
    }
    const parts = []
    for (const window of windows.length ? windows : [[0, 0, new Float64Array()] as const])
      parts.push(await readTyped(window, signal))
    return parts.length === 1 ? parts[0]! : joinedParts(parts, end - start)
  }

  /** Reads rows as a vector of the package apache-arrow, as `Table.toArrow` does. */
  async toArrow<A extends ArrowModule>(
    arrow: A,
    start = 0,
    end = this.#live.length,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<InstanceType<A['Vector']>> {
    const data = await this.#data(start, end, options)
    return vectorOf(arrow, this.spec, data, end - start) as InstanceType<A['Vector']>
  }
}

/** The values of some windows, of `rows` rows in all. */
function joinedParts(parts: readonly (ColumnData & { values: TypedArray })[], rows: number): ColumnData {
  const length = parts.reduce((sum, { values }) => sum + values.length, 0)
  const values = new (parts[0]!.values.constructor as new (length: number) => TypedArray)(length)
  const nulls = parts.some(part => part.nulls) ? new Uint8Array(rows) : null
  let at = 0
  for (const part of parts) {
    values.set(part.values as never, at)
    // Rows of arrays have several values.
    if (part.nulls) nulls!.set(part.nulls, at / (length / rows))
    at += part.values.length
  }
  return { values, nulls }
}

/** Opens the frames of a column. */
async function columnOf(live: Rows, members: Members, group: string, stored: StoredColumn): Promise<Column> {
  const { spec, key } = stored
  const values = await members.get(group + key)
  const maskKey = group + stored.mask
  const mask = members.storage(maskKey) ? await members.get(maskKey) : undefined
  /** The bits of a window in the mask of the column; none without a mask. */
  const bits = async ([start, end]: Window) => (mask ? mask.stored([slice(start, end)]) : new Uint8Array())
  const objects = await objectsIn(values, {})
  if (objects) return new Column(live, spec, { read: window => objectCells(objects, window, bits(window)) })
  if (!(values instanceof NDArray) || values.shape.length < 1)
    throw new B2ndError('unsupported', 'a column of an unknown kind')
  const engine = await getEngine()
  const dtype = stored.storage === 'items' ? (values.dtype ?? '') : ''
  const shape = Float64Array.from(values.shape)
  const recipe = recipeOf(values.limits, 'column', stored.entry, utf8(dtype), shape)
  const rows = (start: number, end: number) => values.stored([slice(start, end)])
  const cells = async (name: string, window: Window, bytes: Uint8Array[], ...numbers: number[]) =>
    engine.call(recipe, name, [window[2], await bits(window), ...bytes], valueIn, ...numbers) as unknown[]
  if (stored.storage === 'items') {
    const read: Reader = async window =>
      cells('items', window, [await rows(window[0], window[1])], window[1] - window[0])
    const readSections: SectionReader = async (window, signal) => {
      const [start, end, picked] = window
      const items = await values.stored([slice(start, end)], { signal })
      return [stored.entry, utf8(dtype), shape, picked, await bits(window), items]
    }
    if (!isTyped(values.type)) return new Column(live, spec, { read, readSections })
    const mayBeNull = mask !== undefined || (spec.null_value ?? null) !== null
    const readTyped: TypedReader = async (window, signal) => {
      const [start, end, picked] = window
      const { data } = await (values as NDArray<TypedArray>).get([slice(start, end)], { signal })
      if (!mayBeNull && !picked.length) return { values: data, nulls: null }
      const bytes = engine.call(recipe, 'typed', [picked, await bits(window), data], copyOf, end - start)
      const rows = picked.length || end - start
      const size = rows * values.itemsize * product(values.shape.slice(1))
      return typedData(bytes, size, data.constructor as TypedArrayOf)
    }
    return new Column(live, spec, { read, readTyped, readSections }, values.shape.length === 1 ? dtype : '')
  }
  const beside = await members.get(group + stored.texts!)
  if (stored.storage === 'texts') {
    const read: Reader = async window => {
      const [start, end] = window
      const offsets = await rows(start, end + 1)
      const { cbytes, nbytes } = beside.info
      const place = engine.call(recipe, 'place', offsets, numbersOf, end - start, cbytes, nbytes)
      const [from, to] = place as unknown as [number, number]
      const content = await beside.stored([slice(from, to)])
      return cells('texts', window, [offsets, content], end - start)
    }
    return new Column(live, spec, { read })
  }
  const texts = await (await objectsIn(beside, {}))?.slice()
  if (!texts) throw new B2ndError('format', `the texts of column ${spec.name} are damaged`)
  const read: Reader = async window => {
    const [start, end] = window
    const codes = (await cells('codes', window, [await rows(start, end)], end - start, texts.length)) as (
      | number
      | null
    )[]
    return codes.map(code => (code === null ? null : texts[code]))
  }
  return new Column(live, spec, { read })
}

/** Texts as a condition takes them: their lengths, which are there, and their bytes. */
function textSections(cells: readonly unknown[]): ArrayBufferView[] {
  const none = new Uint8Array()
  const { bytes, lengths } = joinedTexts(cells.map(cell => (typeof cell === 'string' ? cell : '')))
  return [none, none, lengths, none, Uint8Array.from(cells, cell => Number(cell !== null)), bytes]
}

type TypedArrayOf = (new (buffer: ArrayBufferLike, offset: number, length: number) => TypedArray) & {
  readonly BYTES_PER_ELEMENT: number
}

/** Items of `size` bytes, and behind them 1 for each row that is null, if one is. */
function typedData(bytes: Uint8Array, size: number, typed: TypedArrayOf): ColumnData & { values: TypedArray } {
  const nulls = bytes.length > size ? bytes.subarray(size) : null
  return { values: new typed(bytes.buffer, bytes.byteOffset, size / typed.BYTES_PER_ELEMENT), nulls }
}

/** The typed arrays of computed values, by NumPy's names of their dtypes, and how many elements a value has. */
const COMPUTED: Readonly<Record<string, readonly [TypedArrayOf, number]>> = {
  bool: [Uint8Array, 1],
  int8: [Int8Array, 1],
  int16: [Int16Array, 1],
  int32: [Int32Array, 1],
  int64: [BigInt64Array, 1],
  uint8: [Uint8Array, 1],
  uint16: [Uint16Array, 1],
  uint32: [Uint32Array, 1],
  uint64: [BigUint64Array, 1],
  float32: [Float32Array, 1],
  float64: [Float64Array, 1],
  complex64: [Float32Array, 2],
  complex128: [Float64Array, 2],
}

/** A column that is computed from others. */
async function computedColumn(
  live: Rows,
  { spec, entry, column, formula }: StoredFormula,
  inputs: readonly Column[],
): Promise<Column> {
  const [typed, elements] = COMPUTED[column.dtype] ?? []
  if (formula === null || !typed || !inputs.every(({ dtype }) => dtype))
    throw new B2ndError('unsupported', `column ${spec.name} is computed, but not from numbers: ${column.expression}`)
  const [{ expressionEngine }, engine] = await Promise.all([import('../expression/engine.js'), getEngine()])
  const computing = await expressionEngine(createEngine)
  const head = [utf8(formula), utf8(column.dtype)]
  const size = elements! * typed.BYTES_PER_ELEMENT
  const readTyped: TypedReader = async (window, signal) => {
    const [start, end, picked] = window
    const rows = picked.length || end - start
    const read = await Promise.all(inputs.map(input => input.typed(window, signal)))
    const sections = read.flatMap(({ values, nulls }, k) => [utf8(inputs[k]!.dtype), values, nulls ?? new Uint8Array()])
    const bytes = computing.call(NO_FRAME, 'formula', [...head, ...sections], copyOf, rows)
    return typedData(bytes, rows * size, typed)
  }
  const recipe = recipeOf(LIMITS, 'column', entry, utf8(column.dtype), Float64Array.of(live.length))
  const read: Reader = async window => {
    const { values, nulls } = await readTyped(window, undefined)
    return engine.call(
      recipe,
      'items',
      [new Float64Array(), validOf(nulls), values],
      valueIn,
      values.length / elements!,
    ) as unknown[]
  }
  const readSections: SectionReader = async (window, signal) => {
    const { values, nulls } = await readTyped(window, signal)
    const none = new Uint8Array()
    return [entry, utf8(column.dtype), Float64Array.of(live.length), none, validOf(nulls), values]
  }
  return new Column(live, spec, { read, readTyped, readSections })
}

/** A mask of which rows are not null, if some are. */
const validOf = (nulls: Uint8Array | null) => nulls?.map(isNull => 1 - isNull) ?? new Uint8Array()

/** Whether items are stored as typed arrays have them. */
const isTyped = (type: Type | null): boolean =>
  LITTLE &&
  !!type &&
  ['bool', 'int', 'uint', 'float', 'complex', 'datetime', 'timedelta'].includes(type.kind) &&
  type.order !== '>' &&
  !(type.kind === 'float' && ![4, 8].includes(type.size)) &&
  !(type.kind === 'complex' && type.size > 16)

async function objectCells(
  objects: Objects,
  [start, end, picked]: Window,
  mask: Promise<Uint8Array>,
): Promise<unknown[]> {
  const [values, bits] = await Promise.all([objects.slice(start, end), mask])
  const masked = bits.length ? values.map((value, row) => (bits[row] ? value : null)) : values
  return picked.length ? Array.from(picked, row => masked[row]) : masked
}
