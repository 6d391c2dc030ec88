// Columns as vectors of the package apache-arrow, which the caller has.

import { B2ndError } from '../base/errors.js'
import { NAT } from '../data/values.js'
import type { ColumnSpec } from './schema.js'

/** The used part of the package apache-arrow, 17 or later: `import * as arrow from 'apache-arrow'`. */
export interface ArrowModule {
  /** A table. */
  readonly Table: new (...columns: never[]) => object
  /** A column. */
  readonly Vector: new (...data: never[]) => object
  /** Makes the data of a vector. */
  readonly makeData: (...of: never[]) => object
  /** Makes a vector of values. */
  readonly vectorFromArray: (...of: never[]) => object
}

/** Its parts as they are called here. */
interface Arrow {
  Table: new (columns: Record<string, unknown>) => object
  Vector: new (data: unknown[]) => object
  Field: new (name: string, type: unknown, nullable: boolean) => unknown
  FixedSizeList: new (size: number, field: unknown) => unknown
  Timestamp: new (unit: number, timezone: string | null) => unknown
  Dictionary: new (values: unknown, indices: unknown) => unknown
  makeData(of: Record<string, unknown>): object
  vectorFromArray(values: unknown[], type: unknown): object
}

/** The values of a column with its nulls. */
interface Cells {
  readonly values: ArrayLike<unknown>
  readonly nulls: Uint8Array | null
}

/** Units of timestamps, by Arrow's numbers. */
const UNITS = ['s', 'ms', 'us', 'ns']

/** The name of Arrow's type for the elements of a typed array, such as `Float64`. */
const typeName = (values: object): string => values.constructor.name.replace(/^Big|Array$/g, '')

/** A vector of `rows` cells. It shares the memory of a typed array, but for booleans. */
export function vectorOf(module: ArrowModule, spec: ColumnSpec, { values, nulls }: Cells, rows: number): object {
  const arrow = module as unknown as Arrow
  const plain = (name: string) => new (module as unknown as Record<string, new () => unknown>)[name]!()
  if (!ArrayBuffer.isView(values)) {
    const isDictionary = spec.kind === 'dictionary'
    if (!isDictionary && !/^(utf8|string|vlstring)$/.test(spec.kind))
      throw new B2ndError(
        'unsupported',
        `column ${spec.name}: values of the kind ${spec.kind} as Arrow; name other columns`,
      )
    const text = plain('Utf8')
    return arrow.vectorFromArray(Array.from(values), isDictionary ? new arrow.Dictionary(text, plain('Int32')) : text)
  }
  const missing = spec.kind === 'timestamp' ? timesMissing(values as unknown as BigInt64Array, nulls) : nulls
  const width = rows ? values.length / rows : 1
  const own = width > 1 || !!spec.item_shape ? plain(typeName(values)) : typeOf(arrow, plain, spec, values)
  const data = spec.kind === 'bool' ? bits(rows, row => !!values[row]) : values
  const valid = missing && {
    nullCount: missing.reduce((count, bit) => count + bit, 0),
    nullBitmap: bits(rows, row => !missing[row]),
  }
  if (width === 1 && !spec.item_shape)
    return new arrow.Vector([arrow.makeData({ type: own, length: rows, data, ...valid })])
  const child = arrow.makeData({ type: own, length: values.length, data: values })
  const type = new arrow.FixedSizeList(width, new arrow.Field('item', own, false))
  return new arrow.Vector([arrow.makeData({ type, length: rows, child, ...valid })])
}

/** A table of such vectors. */
export const tableOf = <A extends ArrowModule>(arrow: A, vectors: Record<string, object>): InstanceType<A['Table']> =>
  new (arrow as unknown as Arrow).Table(vectors) as InstanceType<A['Table']>

function typeOf(arrow: Arrow, plain: (name: string) => unknown, spec: ColumnSpec, values: object): unknown {
  if (spec.kind === 'bool') return plain('Bool')
  const unit = UNITS.indexOf(spec.unit ?? '')
  return spec.kind === 'timestamp' && unit >= 0
    ? new arrow.Timestamp(unit, spec.timezone ?? null)
    : plain(typeName(values))
}

/** Times that are none are null in Arrow. */
function timesMissing(values: BigInt64Array, nulls: Uint8Array | null): Uint8Array | null {
  return nulls || values.includes(NAT)
    ? Uint8Array.from(values, (value, row) => Number(value === NAT || !!nulls?.[row]))
    : null
}

/** A bitmap, from the lowest bit of each byte on. */
function bits(count: number, is: (at: number) => boolean): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(count / 8))
  for (let at = 0; at < count; at++) if (is(at)) bytes[at >> 3]! |= 1 << (at & 7)
  return bytes
}
