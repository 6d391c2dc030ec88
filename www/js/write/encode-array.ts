import { argument } from '../base/errors.js'
import { checked } from '../base/validation.js'
import { arrayWriter, type ArrayOptions, type NewArray } from './array-writer.js'
import { dtypeOf, type Items } from './items.js'
import { lengthsOf } from './lists.js'
import { memoryFile } from './memory-file.js'
import { ARRAY } from './options.js'

/** Items with a shape, as `get` returns them. */
export interface Shaped {
  /** The items in C order. */
  readonly data: Items
  /** The shape in items. */
  readonly shape: readonly number[]
  /** The dtype in NumPy's notation. Needed unless `data` is a typed array or strings. */
  readonly dtype?: string | null | undefined
}

/**
 * Encodes an array as a frame, the content of a `.b2nd` file. The shape and the dtype are those of `data` unless options give
 * them. Fails as `argument` if the data does not fit them.
 */
export async function encodeArray(data: Items | Shaped, options: ArrayOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { items, ...array } = newArrayOf(data, options)
  const file = memoryFile()
  const writer = await arrayWriter(file, array)
  try {
    await writer.write(null, items)
    await writer.close()
  } catch (error) {
    await writer.abort(error)
    throw error
  }
  return file.bytes.slice()
}

/** The options of an array with these items, and the items. */
export function newArrayOf(data: Items | Shaped, options: ArrayOptions): NewArray & { items: Items } {
  checked(options, ARRAY)
  const shaped = isShaped(data) ? data : undefined
  const items = shaped ? shaped.data : (data as Items)
  if (Object(items) !== items || !('length' in items || 'byteLength' in items))
    throw argument('data: give items, or { data, shape }')
  const dtype = options.dtype ?? shaped?.dtype ?? dtypeOf(items)
  const shape =
    options.shape ?? shaped?.shape ?? (Array.isArray(items) ? lengthsOf(items) : [(items as ArrayLike<unknown>).length])
  if (shape[0] === undefined && shape.length) throw argument('shape: give the shape of bytes')
  return { ...options, dtype, shape, items }
}

const isShaped = (data: unknown): data is Shaped =>
  Array.isArray((data as Shaped | undefined)?.shape) && 'data' in (data as Shaped)
