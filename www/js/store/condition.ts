// Conditions on rows: the library parses them, plans with indexes, and compares cells.

import { NDArray } from '../arrays/ndarray.js'
import type { SChunk } from '../arrays/schunk.js'
import { copyOf, joined, utf8 } from '../base/bytes.js'
import { pairs } from '../base/numbers.js'
import { check, checked, type Rule, type Rules } from '../base/validation.js'
import { createEngine, type Engine } from '../engine/engine.js'
import type { Recipe } from '../engine/protocol.js'
import { valueIn } from '../engine/values.js'
import { slice } from '../reading/selection.js'
import { rangesOf, type Range } from './found.js'

/** The answer of `candidates`: rows, or which facts or items of an array it needs. */
interface Planned {
  readonly rows: readonly number[] | null
  readonly key: string | null
  readonly ranges: readonly number[] | null
}

/** Opens a member; `undefined` if there is none. */
export type Opener = (key: string) => Promise<NDArray | SChunk | undefined>

/** The dtype of a member that is no array, of which nothing is read. */
const OTHER = '|V1'

const OPERATORS = ['==', '!=', '<', '<=', '>', '>=', 'is null', 'is not null'] as const

/** A comparison of the cells of a column, in which names and texts have no quotes. */
export interface Comparison {
  /** The name of the column. */
  column: string
  /** How they are compared. */
  operator: (typeof OPERATORS)[number]
  /** The value that cells are compared with; `is null` and `is not null` have none. */
  value?: string | number | bigint | boolean | undefined
}

const isText = (value: unknown) => typeof value === 'string'
const CONDITION: Rule = [
  'a text or a list of comparisons',
  value => isText(value) || (Array.isArray(value) && value.length > 0),
]
const COMPARISON: Rules = {
  column: ['a text', isText],
  operator: [`one of ${OPERATORS.join(', ')}`, value => (OPERATORS as readonly unknown[]).includes(value)],
  value: ['a text, a number or a boolean', value => /^(str|num|big|boo)/.test(typeof value) && !Number.isNaN(value)],
}

/** The sections of a condition. */
function sectionsOf(condition: string | readonly Comparison[]): Uint8Array[] {
  check('condition', condition, CONDITION)
  if (typeof condition === 'string') return [utf8(condition)]
  return condition.flatMap(comparison => {
    const { column, operator, value = '' } = checked(comparison, COMPARISON, 'condition')
    if (!operator.startsWith('is')) check('value', comparison.value, COMPARISON['value']!)
    return [utf8(column), utf8(operator), utf8(`${value}`), new Uint8Array(isText(value) ? 1 : 0)]
  })
}

/** A condition on the rows of a table, in an instance of the wasm of its own. */
export class Condition {
  /** The names of the columns that it needs. */
  readonly columns: readonly string[]
  readonly #engine: Engine
  readonly #recipe: Recipe

  private constructor(engine: Engine, recipe: Recipe, columns: readonly string[]) {
    this.#engine = engine
    this.#recipe = recipe
    this.columns = columns
  }

  /** Parses a condition on the table that a frame describes. Fails as `argument` if it is none. */
  static async of(condition: string | readonly Comparison[], meta: NDArray | SChunk): Promise<Condition> {
    const { expressionEngine } = await import('../expression/engine.js')
    const engine = await expressionEngine(createEngine)
    const recipe: Recipe = { answers: [], limits: meta.limits }
    const columns = engine.call(recipe, 'condition', [await meta.layers(true), ...sectionsOf(condition)], valueIn)
    return new Condition(engine, recipe, columns as string[])
  }

  /** The stored rows that may match, by the indexes of the table under a key. Reads these only. */
  async candidates(group: string, open: Opener): Promise<Range[]> {
    const answers: Uint8Array[] = [utf8(group)]
    for (;;) {
      const { key, ranges, rows } = this.#engine.call(this.#recipe, 'candidates', answers, valueIn) as Planned
      if (key === null) return rangesOf(rows)
      const member = await open(key)
      answers.push(...(ranges ? [await itemsOf(member as NDArray, ranges)] : describe(member)))
    }
  }

  /** Which rows match, 1 for each that does, by the cells of the columns: the sections of each. */
  matches(cells: readonly (readonly ArrayBufferView[])[]): Uint8Array {
    return this.#engine.call(this.#recipe, 'matches', cells.flat(1), copyOf)
  }
}

/** The dtype and the shape of a member. */
function describe(member: NDArray | SChunk | undefined): Uint8Array[] {
  const array = member instanceof NDArray ? member : undefined
  const shape = Float64Array.from(array?.shape ?? [])
  return [utf8(member ? (array?.dtype ?? OTHER) : ''), new Uint8Array(shape.buffer)]
}

/** The items in ranges, by starts and ends, one behind the other. */
async function itemsOf(array: NDArray, ranges: readonly number[]): Promise<Uint8Array> {
  const parts = pairs(ranges).map(([start, end]) => array.stored([slice(start, end)]))
  return joined(parts.length ? await Promise.all(parts) : [new Uint8Array()], Uint8Array)
}
