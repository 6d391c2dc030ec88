// The schema of a table, which is JSON text.

import { B2ndError } from '../base/errors.js'

/** What the schema says of a column. */
export interface ColumnSpec {
  /** The name; dots separate the names of nested columns. */
  readonly name: string
  /** python-blosc2's name for the kind of values: `int64`, `utf8`, `list` and so on. */
  readonly kind: string
  /** The unit of times. */
  readonly unit?: string
  /** Whether cells may be null. */
  readonly nullable?: boolean
  /** The value that stands for null. An integer beyond 2^53 is a bigint. */
  readonly null_value?: unknown
  /** The shape of a cell in a column of arrays. */
  readonly item_shape?: readonly number[]
  /** NumPy's name of the dtype of the items in a column of arrays. */
  readonly dtype_str?: string
  /** The code that stands for null in a dictionary column. */
  readonly null_code?: number
}

/** What the schema says of a column that is computed from others. Its values are not stored. */
export interface ComputedColumn {
  /** The name. */
  readonly name: string
  /** NumPy's name for the dtype of the values. */
  readonly dtype: string
  /** The expression, with the names of columns; for a kernel in python-blosc2's language its source. */
  readonly expression: string
  /** The names of the columns that it needs, in the order of a kernel's arguments. */
  readonly inputs: readonly string[]
}

/** The schema of a table. */
export interface TableSchema {
  /** The columns that are stored, in their order. Generated ones are among them. */
  readonly columns: readonly ColumnSpec[]
  /** The columns that are computed from others. */
  readonly computed: readonly ComputedColumn[]
  /** The names of generated columns whose inputs have changed since their values were computed. */
  readonly stale: readonly string[]
}

/** A computed or generated column in the JSON of a schema. */
interface StoredComputed {
  name?: unknown
  dtype?: unknown
  col_deps?: unknown
  expression?: string
  dsl_source?: string
  stale?: unknown
}

interface StoredSchema extends TableSchema {
  computed_columns?: StoredComputed[]
  materialized_columns?: StoredComputed[]
}

export const damaged = (what: string): B2ndError => new B2ndError('format', `${what} of the table is damaged`)

/** Texts, of which the last may lack its end, and what is or looks like a number. */
const WORDS = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?(?:NaN|Infinity)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs
/** Numbers that `JSON.parse` does not know, or rounds. */
const SPECIAL = /^-?(?:NaN|Infinity|\d{16,20})$/
/** What they are marked with. Texts that begin with it get another one. */
const MARK = '\u0001'

/** Parses a schema. Python writes NaN and infinities in JSON, and integers of 64 bits. */
export function parseSchema(text: string): TableSchema {
  try {
    const plain = text.replace(WORDS, word =>
      SPECIAL.test(word) ? `"\\u0001${word}"` : word.replace(/^"(?=\\u0001)/, '"\\u0001'),
    )
    const schema = JSON.parse(plain, (_, value: unknown) =>
      typeof value === 'string' && value.startsWith(MARK) ? unmarked(value.slice(1)) : value,
    ) as StoredSchema
    const computed = (schema.computed_columns ?? []).map(computedColumn)
    const stale = (schema.materialized_columns ?? [])
      .filter(({ stale }) => stale === true)
      .map(({ name }) => String(name))
    if ([...schema.columns, ...computed.map(({ name }) => ({ name, kind: '' }))].every(isNamed))
      return { ...schema, computed, stale }
  } catch {}
  throw damaged('the schema')
}

function unmarked(word: string): unknown {
  if (word.startsWith(MARK)) return word
  const number = Number(word)
  return Number.isSafeInteger(number) || !/\d/.test(word) ? number : BigInt(word)
}

const isNamed = ({ name, kind }: { name: unknown; kind: unknown }) =>
  typeof name === 'string' && typeof kind === 'string'

/** Replaces the operands of an expression, `o0`, `o1` and so on, by the names of columns. */
function computedColumn({ name, dtype, col_deps, expression, dsl_source }: StoredComputed): ComputedColumn {
  const inputs = [col_deps ?? []].flat().map(String)
  const text = expression ?? dsl_source ?? ''
  const named = text.replace(
    /(?<![\p{L}\p{N}_])o(\d+)(?![\p{L}\p{N}_])/gu,
    (word, k: string) => inputs[Number(k)] ?? word,
  )
  return { name: name as string, dtype: String(dtype), expression: expression === undefined ? text : named, inputs }
}
