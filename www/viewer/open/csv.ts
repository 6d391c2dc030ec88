// Tables of comma- or tab-separated values. Numbers become a matrix; with other columns, rows become structures.
import { B2ndError } from '../../js/base/errors.js'
import { checkGrowth, checkSize, wrong, type Reading, type Values } from './values.js'

/** Other spellings of numbers. */
const WORDS = new Map([
  ['', NaN],
  ['nan', NaN],
  ['na', NaN],
  ['n/a', NaN],
  ['null', NaN],
  ['none', NaN],
  ['inf', Infinity],
  ['+inf', Infinity],
  ['-inf', -Infinity],
  ['infinity', Infinity],
  ['-infinity', -Infinity],
])
/** The maximum number of columns: the names and types of all are in memory. */
const MAX_COLUMNS = 2 ** 18
/** The limit if the columns have different types, which makes a row a structure. */
const MOST_FIELDS = 2 ** 14
const INTEGER = /^[+-]?\d{1,19}$/
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const [MIN_INT64, MAX_INT64] = [-(2n ** 63n), 2n ** 63n - 1n]

/** Kinds of the cells of a column, the later the more general. */
type Kind = 'integer' | 'number' | 'text'

/** Gives the spelling of the number that a cell may have. */
type Plain = (cell: string) => string

interface Column {
  name: string | undefined
  kind: Kind
  /** The characters of its longest cell. */
  length: number
}

export async function readCsv(file: Blob, name: string, { signal, onProgress }: Reading): Promise<Values> {
  // The text takes two bytes per character.
  checkSize(3 * file.size, name)
  const text = uncommented(textOf(new Uint8Array(await file.arrayBuffer())), name)
  const separator = separatorOf(text, name)
  const plain = plainBy(separator)
  const all = (report: (share: number) => void) => inSteps(new Rows(text, separator), { signal, onProgress: report })
  const { columns, count, isHeaded } = await survey(
    all(share => onProgress(share / 2)),
    plain,
  )
  if (!columns.length) throw wrong('the table has no values')
  const read = columns.some(({ kind }) => kind === 'text') ? structures : matrix
  const rows = all(share => onProgress((1 + share) / 2))
  return read(isHeaded ? below(rows) : rows, columns, count, plain, file.size)
}

/** Yields rows, and pauses from time to time: a page that decodes them itself stays responsive. */
async function* inSteps(rows: Rows, { signal, onProgress }: Reading): AsyncGenerator<string[][]> {
  let batch: string[][] = []
  let end = performance.now() + STEP
  for (const row of rows) {
    batch.push(row)
    if (batch.length % 64 || performance.now() < end) continue
    yield batch
    onProgress(rows.share)
    await new Promise(done => setTimeout(done))
    signal.throwIfAborted()
    batch = []
    end = performance.now() + STEP
  }
  yield batch
}

/** Milliseconds of work without a pause. */
const STEP = 50

/** The rows below the header. */
async function* below(batches: AsyncIterable<string[][]>): AsyncGenerator<string[][]> {
  let start = 1
  for await (const batch of batches) {
    yield batch.slice(start)
    start = 0
  }
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or else Windows-1252, which older spreadsheets write. */
function textOf(bytes: Uint8Array): string {
  const mark = (bytes[0]! << 8) | bytes[1]!
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8'
  let text
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    text = new TextDecoder('windows-1252').decode(bytes)
  }
  return text.includes('\n') ? text : text.replaceAll('\r', '\n')
}

/** Leaves out comments at the start. The last one stays if it has the names of the columns, as NumPy writes them. */
function uncommented(text: string, name: string): string {
  const [comments] = /^(?:#[^\n]*\n)+/.exec(text) ?? []
  if (!comments) return text
  const rest = text.slice(comments.length)
  const separator = separatorOf(rest, name)
  const names = comments.slice(comments.lastIndexOf('\n', comments.length - 2) + 2)
  const cells = lineOf(rest).split(separator)
  const isHeader = names.split(separator).length === cells.length && cells.some(cell => kindOf(cell.trim()) !== 'text')
  return isHeader ? names + rest : rest
}

/** The first line of a text, as far as it is examined. */
const lineOf = (text: string): string => /^.*$/m.exec(text.slice(0, 2 ** 16))?.[0] ?? ''

/** Where no comma separates cells, one may be in a number. */
function plainBy(separator: string): Plain {
  if (separator === ',') return cell => cell.trim()
  return cell => cell.trim().replace(/^([+-]?\d*),(\d+(?:e[+-]?\d+)?)$/i, '$1.$2')
}

/** The most frequent separator of the first line. */
function separatorOf(text: string, name: string): string {
  if (/\.tsv$/i.test(name)) return '\t'
  const line = lineOf(text)
  const count = (sign: string) => line.split(sign).length
  return [',', '\t', ';'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/** The rows of cells. Empty lines are left out. Cells in quotes may have separators and line ends. */
class Rows {
  readonly #text: string
  readonly #separator: string
  #at = 0

  constructor(text: string, separator: string) {
    this.#text = text
    this.#separator = separator
  }

  /** The share of the text that was read. */
  get share(): number {
    return this.#at / this.#text.length
  }

  *[Symbol.iterator](): Generator<string[]> {
    const text = this.#text
    while (this.#at < text.length) {
      let end = text.indexOf('\n', this.#at)
      if (end < 0) end = text.length
      const line = text.slice(this.#at, end - Number(text[end - 1] === '\r'))
      if (line.includes('"')) {
        const cells: string[] = []
        this.#at = quoted(text, this.#at, this.#separator, cells)
        yield cells
      } else {
        this.#at = end + 1
        if (line.trim()) yield cellsOf(line, this.#separator)
      }
    }
  }
}

/** The cells of a line; one more than there may be if there are too many. */
const cellsOf = (line: string, separator: string): string[] => line.split(separator, MAX_COLUMNS + 1)

/** Reads the cells of a row with quotes. Returns where the next one starts. */
function quoted(text: string, at: number, separator: string, cells: string[]): number {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, 'y')
  for (;;) {
    cell.lastIndex = at
    const [match, inside, plain, end] = cell.exec(text) ?? []
    if (match === undefined) throw wrong(`a quote in this row is wrong: ${text.slice(at, at + 40)}`)
    checkColumns(cells.length, MAX_COLUMNS)
    cells.push(inside?.replaceAll('""', '"') ?? plain!)
    at += match.length
    if (end !== separator) return end ? at : text.length
  }
}

/** The columns, the number of rows below the header, and whether there is one: a first row without a number. */
async function survey(
  batches: AsyncIterable<string[][]>,
  plain: Plain,
): Promise<{ columns: Column[]; count: number; isHeaded: boolean }> {
  const columns: Column[] = []
  let [count, isHeaded] = [0, false]
  const take = (cells: string[]) => {
    if (!columns.length) {
      checkColumns(cells.length, MAX_COLUMNS)
      isHeaded = cells.some(cell => cell.trim()) && cells.every(cell => !cell.trim() || kindOf(plain(cell)) === 'text')
      for (const cell of cells) columns.push({ name: isHeaded ? cell.trim() : undefined, kind: 'integer', length: 1 })
      if (isHeaded) return
    }
    count++
    if (cells.length !== columns.length)
      throw wrong(`row ${count}: ${cells.length} cells, and ${columns.length} in the first row`)
    columns.forEach((column, at) => widen(column, cells[at]!, plain))
  }
  for await (const rows of batches) rows.forEach(take)
  return { columns, count, isHeaded }
}

function checkColumns(count: number, most: number): void {
  if (count <= most) return
  const text = (number: number) => number.toLocaleString('en')
  throw new B2ndError('limit', `the first row has more than ${text(most)} columns`)
}

function widen(column: Column, cell: string, plain: Plain): void {
  column.length = Math.max(column.length, cell.length)
  if (column.kind === 'text') return
  const kind = kindOf(plain(cell))
  if (kind === 'text' || column.kind === 'integer') column.kind = kind
}

function kindOf(text: string): Kind {
  if (INTEGER.test(text)) return text.length < 19 || fits(BigInt(text.replace('+', ''))) ? 'integer' : 'number'
  return NUMBER.test(text) || WORDS.has(text.toLowerCase()) ? 'number' : 'text'
}

const fits = (value: bigint): boolean => value >= MIN_INT64 && value <= MAX_INT64

const numberOf = (text: string): number => WORDS.get(text.toLowerCase()) ?? Number(text)

const bigOf = (text: string): bigint => BigInt(text.replace('+', ''))

/** A row of numbers for each line; one column becomes a line. */
async function matrix(
  rows: AsyncIterable<string[][]>,
  columns: readonly Column[],
  count: number,
  plain: Plain,
): Promise<Values> {
  const whole = columns.every(({ kind }) => kind === 'integer')
  checkSize(8 * count * columns.length, 'the table')
  const items = whole ? new BigInt64Array(count * columns.length) : new Float64Array(count * columns.length)
  let at = 0
  for await (const batch of rows)
    for (const cell of batch.flat()) items[at++] = whole ? bigOf(plain(cell)) : numberOf(plain(cell))
  const shape = columns.length === 1 ? [count] : [count, columns.length]
  const names = columns.map(({ name }) => name)
  const isNamed = names.some(Boolean)
  const attrs =
    isNamed && columns.length > 1 ? { dims: ['row', 'column'], coords: { column: names } } : { columns: names }
  return { dtype: whole ? '<i8' : '<f8', shape, items, ...(isNamed && { attrs }) }
}

/** A structure for each line, with a field for each column. */
async function structures(
  rows: AsyncIterable<string[][]>,
  columns: readonly Column[],
  count: number,
  plain: Plain,
  stored: number,
): Promise<Values> {
  checkColumns(columns.length, MOST_FIELDS)
  const taken = new Set<string>()
  const fields = columns.map((column, at) => {
    let name = column.name || `f${at}`
    // The number of the column, so that a thousand equal names are as cheap as others.
    for (let number = at; taken.has(name); number++) name = `${column.name || 'f'}_${number}`
    taken.add(name)
    const size = column.kind === 'text' ? 4 * column.length : 8
    return {
      name,
      size,
      kind: column.kind,
      type: { integer: '<i8', number: '<f8', text: `<U${column.length}` }[column.kind],
    }
  })
  const row = fields.reduce((sum, { size }) => sum + size, 0)
  checkSize(row * count, 'the table')
  checkGrowth(row * count, stored, 'the table')
  const items = new Uint8Array(row * count)
  const view = new DataView(items.buffer)
  let at = 0
  const take = (cells: string[]) =>
    fields.forEach(({ kind, size }, column) => {
      const cell = cells[column]!
      if (kind === 'integer') view.setBigInt64(at, bigOf(plain(cell)), true)
      else if (kind === 'number') view.setFloat64(at, numberOf(plain(cell)), true)
      else Array.from(cell).forEach((point, k) => view.setUint32(at + 4 * k, point.codePointAt(0)!, true))
      at += size
    })
  for await (const batch of rows) batch.forEach(take)
  const quote = (name: string) => `'${name.replace(/[\\']/g, '\\$&')}'`
  const dtype = `[${fields.map(({ name, type }) => `(${quote(name)}, '${type}')`).join(', ')}]`
  return { dtype, shape: [count], items }
}
