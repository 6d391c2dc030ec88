// A projection as a slice: the maximum, the minimum or the mean along an axis.
import type { Data, Type } from '../../js/index.js'
import type { Cells } from './cells.js'
import type { Cut } from './cuts.js'
import type { Dataset, Piece } from './dataset.js'
import type { Projection } from './state.js'
import { kindOf, type Numbers, type Part } from './values.js'

export interface Projected {
  piece: Piece
  type: Type
}

/** The cuts that gather the items along an axis. */
export const gathering = (cuts: readonly Cut[], { axis }: Projection, part: Part): Cut[] =>
  cuts.map((cut, k) =>
    k === axis && typeof cut !== 'number' ? { ...cut, step: cut.stop - cut.start, cells: part } : cut,
  )

/** The numbers of a projection as drawn, minus the dataset's `offset`. */
export async function projectedNumbers(
  dataset: Dataset,
  cuts: readonly Cut[],
  projection: Projection,
  part: Part,
  signal?: AbortSignal,
): Promise<{ numbers: Numbers; shape: number[] }> {
  const { cells, shape } = (await dataset.read(gathering(cuts, projection, part), { signal })) as {
    cells: Cells
  } & Piece
  const place = cuts.slice(0, projection.axis).filter(cut => typeof cut !== 'number').length
  return { numbers: cells.values(projection.how, Float64Array), shape: shape.filter((_, k) => k !== place) }
}

/** The projection as items of the array's dtype, or as float64 if that cannot represent means. */
export async function projected(
  dataset: Dataset,
  drawn: Type,
  ...[cuts, projection, part]: [readonly Cut[], Projection, Part]
): Promise<Projected> {
  const { numbers, shape } = await projectedNumbers(dataset, cuts, projection, part)
  const piece = (data: Data): Piece => ({ cuts: [], data, shape, width: 1 })
  const { offset } = dataset
  const time = kindOf(drawn) === 'time'
  if (time || (['int', 'uint'].includes(drawn.kind) && drawn.size === 8 && projection.how !== 'mean')) {
    const large = Array.from(numbers, value => (value === value ? BigInt(Math.round(value)) + offset : -(2n ** 63n)))
    return { type: drawn, piece: piece(drawn.kind === 'uint' ? BigUint64Array.from(large) : BigInt64Array.from(large)) }
  }
  const own = projection.how === 'mean' ? undefined : ARRAYS[drawn.kind + drawn.size]
  if (own) return { type: drawn, piece: piece(own.from(numbers)) }
  const base = Number(offset)
  return {
    type: { kind: 'float', size: 8, order: '<' },
    piece: piece(Float64Array.from(numbers, value => value + base)),
  }
}

const ARRAYS: Record<string, { from(numbers: Numbers): Data }> = {
  bool1: Uint8Array,
  uint1: Uint8Array,
  int1: Int8Array,
  uint2: Uint16Array,
  int2: Int16Array,
  uint4: Uint32Array,
  int4: Int32Array,
  float4: Float32Array,
}
