import { argument, B2ndError } from '../base/errors.js'
import { openFrame, type OpenOptions } from '../reading/frame.js'
import type { Openable } from '../sources/openable.js'
import type { Info } from './info.js'
import { NDArray } from './ndarray.js'
import { SChunk } from './schunk.js'

/**
 * Opens a frame or a chunk. This nearly always takes one read of 8 KiB. Fails as `format` if it is neither, or with the error of
 * the source.
 */
export async function open(openable: Openable, options: OpenOptions = {}): Promise<NDArray | SChunk> {
  const frame = await openFrame(openable, options)
  const { array, reference } = frame.facts
  if (reference === 'lazyexpr' && options.operands) {
    const { lazyArray } = await import('./lazy.js')
    return lazyArray(frame, options, open)
  }
  return array ? new NDArray(frame, array) : new SChunk(frame)
}

/**
 * Opens an array. Fails as `argument` if it is not an array, as `format` if the metalayer of the array is damaged.
 * `is` of the array tells TypeScript the type of the data.
 */
export async function openArray(openable: Openable, options: OpenOptions = {}): Promise<NDArray> {
  const opened = await open(openable, options)
  if (opened instanceof NDArray) return opened
  await opened.close()
  throw opened.info.damaged
    ? new B2ndError('format', 'the metalayer of the array is damaged: use `open`')
    : argument(`a ${opened.info.kind} and not an array: use \`open\`, or \`openStore\` of a store`)
}

/** A description of a file. */
export interface Probe extends Info {
  /** The shape in items; `null` if it is not an array, like the next three. */
  shape: readonly number[] | null
  /** The shape of a chunk, in items. */
  chunks: readonly number[] | null
  /** The shape of a block, in items. */
  blocks: readonly number[] | null
  /** The dtype in NumPy's notation. */
  dtype: string | null
  /** The metalayers in the header. */
  metalayers: Readonly<Record<string, unknown>>
}

/** Describes a file by its header, and closes it. Fails as `open` does. */
export async function probe(openable: Openable, options: OpenOptions = {}): Promise<Probe> {
  const opened = await open(openable, options)
  await opened.close()
  const { shape = null, chunks = null, blocks = null, dtype = null, metalayers } = opened as Partial<NDArray> & SChunk
  return { ...opened.info, shape, chunks, blocks, dtype, metalayers }
}
