// Contents that are saved as an array: a slice, the whole array, or a projection.
import { product } from '../../js/base/numbers.js'
import { B2ndError, type Type } from '../../js/index.js'
import { copyItems, dot } from '../../js/reading/copy-box.js'
import { strides } from '../../js/reading/selection.js'
import type { Items } from '../../js/write.js'
import { lengthOf, type Cut } from './cuts.js'
import type { Dataset, Piece } from './dataset.js'
import { dtypeOf } from './dtypes.js'

/** A box of items. */
export interface Region {
  readonly start: readonly number[]
  readonly shape: readonly number[]
}

export interface Extract {
  readonly dtype: string
  readonly type: Type
  readonly shape: readonly number[]
  readonly itemsize: number
  /** The items of a box, in C order. */
  read(region: Region, signal: AbortSignal): Promise<Items>
}

/** A slice of a dataset. It is read when it is needed. */
export function slicing(dataset: Dataset, cuts: readonly Cut[]): Extract {
  const { type, itemsize } = dataset
  const ranges = cuts.filter(cut => typeof cut !== 'number')
  return {
    dtype: (!dataset.guessed && dataset.array?.dtype) || dtypeOf(type),
    type,
    itemsize,
    shape: ranges.map(lengthOf),
    async read({ start, shape }, signal) {
      let axis = 0
      const inner = cuts.map(cut => {
        if (typeof cut === 'number') return cut
        const [first, count] = [cut.start + start[axis]! * cut.step, shape[axis++]!]
        return { start: first, stop: count ? first + (count - 1) * cut.step + 1 : first, step: cut.step }
      })
      checkPresent(dataset, inner, shape)
      return (await dataset.read(inner, { signal })).data
    },
  }
}

/** The cuts of all items. */
export const everything = ({ shape }: Dataset): Cut[] => shape.map(stop => ({ start: 0, stop, step: 1 }))

/** Fails if values are not in the file: zeros in their place would be taken for values. */
function checkPresent({ missing }: Dataset, cuts: readonly Cut[], shape: readonly number[]): void {
  if (!missing?.unreadable || !missing.mask(cuts, shape)?.includes(1)) return
  throw new B2ndError('unsupported', 'some of these values are not in the file: choose a part that has all of them')
}

/** A slice in memory, with items of a fixed size. */
export function holding({ data, shape }: Piece, type: Type): Extract {
  const all = data as Uint8Array<ArrayBuffer>
  const bytes = new Uint8Array(all.buffer, all.byteOffset, all.byteLength)
  return {
    dtype: dtypeOf(type),
    type,
    shape,
    itemsize: type.size,
    async read({ start, shape: counts }) {
      const out = new Uint8Array(product(counts) * type.size)
      const steps = strides(shape, type.size)
      const to = { bytes: out, start: 0, strides: strides(counts, type.size) }
      copyItems({ bytes, start: dot(start, steps), strides: steps }, to, counts, type.size)
      return out
    },
  }
}

/** Boxes of whole chunks that together are the array, of about `most` bytes each. */
export function* regions(
  shape: readonly number[],
  chunks: readonly number[],
  itemsize: number,
  most: number,
): Generator<Region> {
  if (shape.includes(0)) return
  const lengths = shape.map((length, axis) => Math.min(length, chunks[axis]!))
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const times = Math.max(1, Math.floor(most / (product(lengths) * itemsize)))
    lengths[axis] = Math.min(shape[axis]!, lengths[axis]! * times)
    if (lengths[axis]! < shape[axis]!) break
  }
  const start = shape.map(() => 0)
  for (;;) {
    yield { start: [...start], shape: start.map((at, axis) => Math.min(lengths[axis]!, shape[axis]! - at)) }
    let axis = shape.length - 1
    while (axis >= 0 && (start[axis]! += lengths[axis]!) >= shape[axis]!) start[axis--] = 0
    if (axis < 0) return
  }
}

/** Parts of some chunks, evenly spread, of whole blocks and about `most` bytes each. */
export function samples(
  shape: readonly number[],
  chunks: readonly number[],
  blocks: readonly number[],
  itemsize: number,
): Region[] {
  if (shape.includes(0)) return []
  const grid = shape.map((length, axis) => Math.ceil(length / chunks[axis]!))
  const count = product(grid)
  const few = Math.min(count, SAMPLES)
  return Array.from({ length: few }, (_, k) => {
    let number = Math.floor(((k + 0.5) * count) / few)
    const start = grid.map(() => 0)
    for (let axis = grid.length - 1; axis >= 0; axis--) {
      start[axis] = (number % grid[axis]!) * chunks[axis]!
      number = Math.floor(number / grid[axis]!)
    }
    return {
      start,
      shape: shortened(
        start.map((at, axis) => Math.min(chunks[axis]!, shape[axis]! - at)),
        blocks,
        itemsize,
      ),
    }
  })
}

const SAMPLES = 4
/** The maximum size of a sample in bytes, unless a block is longer. */
const MAX_SAMPLE_BYTES = 2 ** 20

/** The lengths of whole blocks at the start of a box. */
function shortened(lengths: number[], blocks: readonly number[], itemsize: number): number[] {
  for (const axis of lengths.keys()) {
    const inner = (product(lengths) / lengths[axis]!) * itemsize
    const block = blocks[axis]!
    const most = Math.max(1, Math.floor(MAX_SAMPLE_BYTES / inner / block)) * block
    lengths[axis] = Math.min(lengths[axis]!, most)
  }
  return lengths
}
