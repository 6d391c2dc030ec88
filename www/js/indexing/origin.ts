import type { GetOptions, NDArray, NDSlice } from '../arrays/ndarray.js'
import type { SChunk } from '../arrays/schunk.js'
import type { Data } from '../data/convert.js'
import { strides, type Selection } from '../reading/selection.js'
import type { Reading } from '../reading/waves.js'

/** How to read. */
export type ViewOptions = Pick<GetOptions, 'signal' | 'int64'>

/** The origin of a view: an array, or the items of a super-chunk as one axis. */
export interface Origin<D extends Data> {
  readonly shape: readonly number[]
  readonly chunks: readonly number[]
  /** `null` if chunks differ. */
  readonly blocks: readonly number[] | null
  /** Size of an item in bytes. */
  readonly itemsize: number
  /** The most bytes of a result. */
  readonly memory: number
  readonly planned: (selection: Selection, options: ViewOptions) => Reading
  readonly toSlice: (shape: number[], bytes: Uint8Array<ArrayBuffer>, options: ViewOptions) => Promise<NDSlice<D>>
}

export function originOf<D extends Data>(of: NDArray<D> | SChunk): Origin<D> {
  const { memory } = of['frame'].recipe.limits
  const planned: Origin<D>['planned'] = (selection, options) => of['planned'](selection, options, false)
  // Arrays may be of another entry of the package, and so of another class.
  if ('shape' in of) {
    const { shape, chunks, blocks, itemsize } = of
    const toSlice: Origin<D>['toSlice'] = (shape, bytes, options) => of['toSlice'](shape, bytes, options)
    return { shape, chunks, blocks, itemsize, memory, planned, toSlice }
  }
  const { typesize, nbytes, info } = of
  return {
    shape: [nbytes / typesize],
    chunks: [(info.chunksize || nbytes) / typesize],
    blocks: info.blocksize ? [info.blocksize / typesize] : null,
    itemsize: typesize,
    memory,
    planned,
    toSlice: async (shape, data) => ({ data: data as Data as D, shape, stride: strides(shape), width: typesize }),
  }
}
