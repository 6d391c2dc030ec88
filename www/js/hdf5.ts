import { viewOf } from './base/bytes.js'
import { bytes, check } from './base/validation.js'
import { getEngineSync } from './engine/init.js'
import { readAllSync } from './reading/read-all-sync.js'

export { B2ndError, isB2ndError } from './base/errors.js'
export { getModule, init, initSync, type InitOptions } from './engine/init.js'

/** Reverses an HDF5 filter, synchronously. Call `init` first. */
export type Hdf5Filter = (stored: ArrayBuffer | ArrayBufferView) => ArrayBuffer

/** HDF5 filters by id, with the interface of jsfive: Blosc (a chunk) and Blosc2 (a frame, or a chunk in old files). */
export const hdf5Filters: Readonly<Record<32001 | 32026, Hdf5Filter>> = { 32001: filter, 32026: filter }

function filter(stored: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  check('stored', stored, bytes)
  return readAllSync(getEngineSync(), viewOf(stored)).buffer
}
