// An array as a store of Zarr.
import { utf8 } from '../base/bytes.js'
import { argument, B2ndError } from '../base/errors.js'
import { product } from '../base/numbers.js'
import { LITTLE } from '../data/values.js'
import type { Type } from '../engine/facts.js'
import { boxCopier } from '../reading/copy-box.js'
import { slice } from '../reading/selection.js'
import type { NDArray } from './ndarray.js'

/** A read-only store for zarrita, with an array of Zarr 3 at its root. */
export interface ZarrStore {
  /** Returns the metadata, or a chunk, which is read and decoded then; `undefined` for all other keys. */
  get(key: string, options?: { signal?: AbortSignal | undefined }): Promise<Uint8Array | undefined>
}

/** How a store divides its array. */
export interface ZarrStoreOptions {
  /** The chunks of the Zarr array: chunks, or blocks, for viewers of small parts. Default: `chunks`. */
  divide?: 'chunks' | 'blocks' | undefined
}

/**
 * Returns an array as a store for zarrita and what is built on it, such as Viv. Chunks have the data that `get` returns: float16
 * becomes float32, times become int64. Fails as `unsupported` unless items are numbers, booleans or times.
 */
export function zarrStore(array: NDArray, { divide = 'chunks' }: ZarrStoreOptions = {}): ZarrStore {
  if (divide !== 'chunks' && divide !== 'blocks')
    throw argument(`divide: 'chunks' or 'blocks' needed, not ${String(divide)}`)
  const { shape } = array
  const dataType = dataTypeOf(array.type)
  const lens = (array[divide] ?? array.chunks).map(length => Math.max(length, 1))

  const metadata = async () => {
    const { endian, fill } = { endian: LITTLE ? 'little' : 'big', fill: dataType === 'bool' ? false : 0 }
    const json = {
      zarr_format: 3,
      node_type: 'array',
      shape,
      data_type: dataType,
      chunk_grid: { name: 'regular', configuration: { chunk_shape: lens } },
      chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
      fill_value: dataType.startsWith('complex') ? [0, 0] : fill,
      codecs: [{ name: 'bytes', configuration: { endian } }],
      attributes: await array.attrs(),
    }
    const number = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)
    return utf8(JSON.stringify(json, number))
  }

  const chunk = async (position: readonly number[], signal: AbortSignal | undefined) => {
    const ranges = position.map((k, axis) => slice(k * lens[axis]!, Math.min((k + 1) * lens[axis]!, shape[axis]!)))
    const { data, shape: count } = await array.get(ranges, { signal })
    const { buffer, byteOffset, byteLength } = data as Uint8Array
    // At the edges chunks are as long as elsewhere.
    const itemsize = Number(/\d+/.exec(dataType) ?? 8) / 8
    const bytes = new Uint8Array(product(lens) * itemsize)
    const box = { start: lens.map(() => 0), count, bytes: new Uint8Array(buffer, byteOffset, byteLength) }
    boxCopier({ bytes, shape: lens, itemsize })(box)
    return bytes
  }

  return {
    async get(key, { signal } = {}) {
      if (key === '/zarr.json') return metadata()
      const position = /^\/c((?:\/\d+)*)$/.exec(key)?.[1]!.split('/').slice(1).map(Number)
      const isThere = position?.length === shape.length && position.every((k, axis) => k * lens[axis]! < shape[axis]!)
      return isThere ? chunk(position, signal) : undefined
    },
  }
}

/** The data type of Zarr for the data of `get`. */
function dataTypeOf(type: Type | null): string {
  const { kind, size } = type ?? { kind: 'void', size: 0 }
  if (kind === 'bool') return kind
  if (kind === 'datetime' || kind === 'timedelta') return 'int64'
  if (kind === 'float' && size <= 8) return `float${Math.max(8 * size, 32)}`
  if (kind.endsWith('int') || (kind === 'complex' && size <= 16)) return kind + 8 * size
  throw new B2ndError('unsupported', `Zarr arrays of ${kind}`)
}
