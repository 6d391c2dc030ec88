// Values of a file in another format: an array that is not compressed yet.
import { B2ndError, isB2ndError } from '../../js/base/errors.js'
import type { Items } from '../../js/write.js'
import { bytes as sizeText } from '../dom.js'

/** An array in memory, or in a file from which its rows are read. */
export interface Values {
  readonly dtype: string
  readonly shape: readonly number[]
  /** The items in C order, a file with their bytes, or what gets so many bytes of them. */
  readonly items: Items | Blob | ((length: number) => Promise<Blob>)
  /** Whether the items of a file are in Fortran order. */
  readonly isFortran?: boolean
  /** The attributes. */
  readonly attrs?: Readonly<Record<string, unknown>>
}

/** The origin of frames that were made from files in other formats. */
export const CONVERTED = 'Converted in memory from another format.'

/** The maximum number of bytes that a file in another format may take in memory. */
export const MAX_FILE_BYTES = 2 ** 30

/** Fails if something is too large for memory. */
export function checkSize(size: number, what: string): void {
  if (size > MAX_FILE_BYTES)
    throw new B2ndError(
      'limit',
      `${what}: ${sizeText(size)}, and a page can hold ${sizeText(MAX_FILE_BYTES)} of such a file`,
    )
}

/** No compression of these formats makes a byte of more than this; fewer bytes than the second need no reason. */
const [GROWTH, FREE] = [1100, 2 ** 26]

/** Fails if a file of `stored` bytes cannot have a thing of this size, except by using bytes many times. */
export function checkGrowth(size: number, stored: number, what: string): void {
  if (size > Math.max(FREE, GROWTH * stored))
    throw new B2ndError('limit', `${what}: ${sizeText(size)}, which a file of ${sizeText(stored)} cannot have`)
}

export const wrong = (message: string, cause?: unknown): B2ndError => new B2ndError('format', message, { cause })
export const unsupported = (message: string, cause?: unknown): B2ndError =>
  new B2ndError('unsupported', message, { cause })

/** An error that names its file. */
export function named(name: string, error: unknown): unknown {
  if (!isB2ndError(error) || error.message.startsWith(name)) return error
  const { code, message, cause: _, ...details } = error
  return new B2ndError(code, `${name}: ${message}`, { ...details, cause: error })
}

/** How a file is read. */
export interface Reading {
  signal: AbortSignal
  /** Gets the share that was decoded. */
  onProgress: (share: number) => void
}
