// What a file in another format has: an array that is not compressed yet.
import { B2ndError } from '../../js/base/errors.js'
import type { Items } from '../../js/write.js'
import { bytes as sizeText } from '../dom.js'

/** An array in memory, or in a file from which its rows are read. */
export interface Values {
  readonly dtype: string
  readonly shape: readonly number[]
  /** The items in C order, or a file with their bytes. */
  readonly items: Items | Blob
  /** Whether the items of a file are in Fortran order. */
  readonly isFortran?: boolean
  /** The attributes. */
  readonly attrs?: Readonly<Record<string, unknown>>
}

/** The maximum number of bytes that a file in another format may take in memory. */
export const MOST = 2 ** 30

/** Fails if something is too large for memory. */
export function checkSize(size: number, what: string): void {
  if (size > MOST)
    throw new B2ndError('limit', `${what}: ${sizeText(size)}, and a page can hold ${sizeText(MOST)} of such a file`)
}

export const wrong = (message: string, cause?: unknown): B2ndError => new B2ndError('format', message, { cause })
export const unsupported = (message: string, cause?: unknown): B2ndError =>
  new B2ndError('unsupported', message, { cause })
