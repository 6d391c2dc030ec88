import { viewOf } from './base/bytes.js'
import { bytes, check } from './base/validation.js'
import { getEngineSync } from './engine/init.js'
import { readAllSync } from './reading/read-all-sync.js'

export { B2ndError, isB2ndError } from './base/errors.js'
export { getModule, init, initSync, type InitOptions } from './engine/init.js'

/** Takes what a filter of HDF5 wrote back, at once: `init` has to be called before. */
export type Hdf5Filter = (stored: ArrayBuffer | ArrayBufferView) => ArrayBuffer

/** The filters of HDF5 by their ids, in the shape that jsfive has them: Blosc (a chunk) and Blosc2 (a frame, once a chunk). */
export const hdf5Filters: Readonly<Record<32001 | 32026, Hdf5Filter>> = { 32001: filter, 32026: filter }

function filter(stored: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  check('stored', stored, bytes)
  return readAllSync(getEngineSync(), viewOf(stored)).buffer
}
