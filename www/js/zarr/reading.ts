// A slice of an array of zarrita that is read: what it touches, and the result.

import { argument, B2ndError } from '../base/errors.js'
import { NO_FRAME, numbersOf } from '../engine/engine.js'
import { getEngine } from '../engine/init.js'
import { boxCopier } from '../reading/copy-box.js'
import { indices, strides } from '../reading/selection.js'
import { arrayLike, type StoreOptions, type ZarrArray, type ZarrChunk, type ZarrSelection } from './array.js'
import { cutOf, type Workers } from './calls.js'
import { storingOf } from './metadata.js'

/** A chunk that a selection touches. */
export interface Touched {
  readonly nchunk: number
  /** Its place in the grid of chunks. */
  readonly position: number[]
}

/** Plans the reading of a slice. */
export async function readingOf(
  array: ZarrArray,
  selection: ZarrSelection,
  options: StoreOptions,
  pool: Workers | undefined,
) {
  const storing = await storingOf(array, options)
  const { order, blosc } = storing
  const given = selection ?? []
  const ndim = array.shape.length
  if (given.length > ndim) throw argument(`selection: ${given.length} indices for ${ndim} axes`)
  const axes = order.map(axis => given[axis] ?? null)
  const { data: sample } = await empty(array, [])
  bytesOf(sample)
  const cut = {
    shape: order.map(axis => array.shape[axis]!),
    chunks: order.map(axis => array.chunks[axis]!),
    itemsize: (sample as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT,
  }
  const selected = indices(axes)
  const engine = await getEngine()
  const numbers = engine.call(NO_FRAME, 'zarr_plan', [cutOf(cut), selected], numbersOf)
  const shape = [...numbers.subarray(1, 1 + numbers[0]!)]
  const touched: Touched[] = []
  for (let at = 1 + shape.length; at < numbers.length; at += 1 + ndim) {
    const stored = numbers.subarray(at + 1, at + 1 + ndim)
    const position: number[] = []
    order.forEach((axis, k) => (position[axis] = stored[k]!))
    touched.push({ nchunk: numbers[at]!, position })
  }
  const chunk = await empty(array, shape)
  const bytes = bytesOf(chunk.data)
  const kept = order.filter((_, k) => typeof axes[k] !== 'number')
  return {
    array,
    storing,
    options,
    pool,
    engine,
    cut: { ...cut, blocks: blosc?.blocks },
    indices: selected,
    unit: blosc?.isBig ? unitOf(array.dtype, cut.itemsize) : 0,
    touched,
    copy: boxCopier({ bytes, shape, itemsize: cut.itemsize }),
    /** Once all is read. */
    result: () => (kept.length ? arranged(chunk, kept) : itemIn(chunk.data)),
  }
}

/** A slice that is being read. */
export type Reading = Awaited<ReturnType<typeof readingOf>>

/** A part of the array, all of it missing, as zarrita makes it. */
async function empty(array: ZarrArray, shape: number[]): Promise<ZarrChunk> {
  const grid = { name: 'regular', configuration: { chunk_shape: shape } }
  const metadata = {
    shape,
    data_type: array.dtype,
    fill_value: array.fillValue ?? (array.dtype.startsWith('v2:') ? '' : 0),
    chunk_grid: grid,
    chunk_key_encoding: { name: 'default' },
    codecs: [],
    attributes: {},
  }
  const position = shape.map(() => 0)
  return arrayLike(array, { get: () => undefined }, '/', metadata).getChunk(position)
}

/** The bytes of the items of a chunk. */
export function bytesOf(data: unknown): Uint8Array {
  const view = data as ArrayBufferView
  if (!view.buffer) throw new B2ndError('unsupported', 'slices of objects: use `get` of zarrita')
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}

/** The bytes of a number, which are in the other order. */
const unitOf = (dtype: string, itemsize: number) =>
  dtype.startsWith('v2:U') ? 4 : dtype.startsWith('v2:') ? 0 : itemsize

const itemIn = (data: unknown): unknown =>
  'get' in (data as object) ? (data as { get(k: number): unknown }).get(0) : (data as ArrayLike<unknown>)[0]

/** The chunk, whose items have the axes `kept`, with its axes in the order of the array. */
function arranged({ data, shape }: ZarrChunk, kept: readonly number[]): ZarrChunk {
  const distances = strides(shape)
  const places = kept.map((_, k) => k).sort((a, b) => kept[a]! - kept[b]!)
  return { data, shape: places.map(k => shape[k]!), stride: places.map(k => distances[k]!) }
}
