// The files of a sparse frame in a directory.

import { B2ndError } from '../base/errors.js'

/** The file name of a part. */
export const partName = (number: number): string =>
  number < 0 ? 'chunks.b2frame' : `${number.toString(16).toUpperCase().padStart(8, '0')}.chunk`

/** Creates the error for a missing file. Without `chunks.b2frame` a directory is not a sparse frame. */
export const missing = (number: number, cause?: unknown): B2ndError =>
  new B2ndError(number < 0 ? 'source' : 'format', `${partName(number)} is missing`, { cause })

/** Creates the error for an index that another one has replaced. */
export const changed = (): B2ndError =>
  new B2ndError('changed', 'the file has changed since it was opened: open it again')
