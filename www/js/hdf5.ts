import { viewOf } from './base/bytes.js'
import { bytes, check, checked, limits } from './base/validation.js'
import { getEngineSync } from './engine/init.js'
import { limitsOf } from './engine/protocol.js'
import type { OpenOptions } from './reading/frame.js'
import { readAllSync } from './reading/read-all-sync.js'

export { B2ndError, isB2ndError } from './base/errors.js'
export { getModule, init, initSync, type InitOptions } from './engine/init.js'

/** Reverses an HDF5 filter, synchronously. Call `init` first. */
export type Hdf5Filter = (stored: ArrayBuffer | ArrayBufferView) => ArrayBuffer

/** HDF5 filters by id, with the interface of jsfive: Blosc (a chunk) and Blosc2 (a frame, or a chunk in old files). */
export type Hdf5Filters = Readonly<Record<32001 | 32026, Hdf5Filter>>

/** The filters with other `limits` on what a stored chunk may take than the default ones. They fail as `limit` beyond them. */
export function hdf5FiltersWith(options: Pick<OpenOptions, 'limits'>): Hdf5Filters {
  const { limits: given } = checked(options, { limits })
  const allowed = limitsOf(given)
  const filter = (stored: ArrayBuffer | ArrayBufferView): ArrayBuffer => {
    check('stored', stored, bytes)
    return readAllSync(getEngineSync(), viewOf(stored), allowed).buffer
  }
  return { 32001: filter, 32026: filter }
}

/** The filters with the default limits. */
export const hdf5Filters: Hdf5Filters = /* @__PURE__ */ hdf5FiltersWith({})
