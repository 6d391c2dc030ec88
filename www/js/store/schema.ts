// The schema of a table.

import type { NDArray } from '../arrays/ndarray.js'
import type { SChunk } from '../arrays/schunk.js'
import { valueIn } from '../engine/values.js'
import { getEngine, recipeOf } from './engine.js'

/** A column as the schema describes it. */
export interface ColumnSpec {
  /** The name; dots separate the names of nested columns. */
  readonly name: string
  /** python-blosc2's name for the kind of values: `int64`, `utf8`, `list` and so on. */
  readonly kind: string
  /** The unit of times. */
  readonly unit?: string
  /** The time zone of times, as Arrow has it. */
  readonly timezone?: string | null
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

/** The schema's description of a column that is computed from others. Its values are not stored. */
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

/** How a column is stored. */
export interface StoredColumn {
  readonly spec: ColumnSpec
  /** The entry of the schema, for the engine. */
  readonly entry: Uint8Array
  /** The key of its values, and that of its mask, below that of the table. */
  readonly key: string
  readonly mask: string
  /** Whether the values are items, places of texts, or numbers of texts, and the key of these texts. */
  readonly storage: 'items' | 'texts' | 'codes'
  readonly texts: string | null
}

/** How a column is computed. */
export interface StoredFormula {
  readonly spec: ColumnSpec
  /** The entry of the schema for values that are stored, for the engine. */
  readonly entry: Uint8Array
  readonly column: ComputedColumn
  /** The expression, with `o0`, `o1` and so on for the inputs; `null` for a kernel. */
  readonly formula: string | null
}

/** The schema in the frame that describes a table; `undefined` if it describes none. */
export async function schemaIn(
  meta: NDArray | SChunk,
): Promise<{ schema: TableSchema; columns: StoredColumn[]; formulas: StoredFormula[] } | undefined> {
  const engine = await getEngine()
  const answer = engine.call(recipeOf(meta.limits), 'table', [await meta.layers(true)], valueIn)
  if (!answer) return undefined
  const [all, stored, formulas, stale] = answer as [object, StoredColumn[], StoredFormula[], string[]]
  // Maps have no prototype.
  const columns = stored.map(column => ({ ...column, spec: { ...column.spec } }))
  const computed = formulas.map(({ column }) => column)
  return { schema: { ...all, columns: columns.map(({ spec }) => spec), computed, stale }, columns, formulas }
}
