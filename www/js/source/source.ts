import { B2ndError } from '../errors.js'
import { viewOf } from '../lists.js'

/** How to read. */
export interface ReadOptions {
  /** Stops the read, which rejects with the signal's reason. */
  signal?: AbortSignal
}

/** Where bytes come from. Anything that has this `read` can be opened. */
export interface ByteSource {
  /** Total size, if it is known: nothing needs it. */
  readonly size?: number
  /** Something that changes when the bytes do. */
  readonly stamp?: string
  /** The bytes from `offset` on: `length` of them, or as many as there are. The caller does not change them. */
  read(offset: number, length: number, options?: ReadOptions): Promise<Uint8Array>
  /** Called once, when what was opened is closed. */
  close?(): void | Promise<void>
}

/** The files of a sparse frame: part −1 is the frame, others are chunks by the number of their file. */
export interface SparseSource {
  /** The file of a part. A part that is missing fails. */
  part(number: number): ByteSource | Promise<ByteSource>
  /** Called once, after the parts are closed. */
  close?(): void | Promise<void>
}

/** The name of a part's file. */
export const partName = (number: number): string =>
  number < 0 ? 'chunks.b2frame' : `${number.toString(16).toUpperCase().padStart(8, '0')}.chunk`

/** Without a frame a directory is none of a sparse frame. */
export const missing = (number: number, cause?: unknown): B2ndError =>
  new B2ndError(number < 0 ? 'source' : 'format', `${partName(number)} is missing`, { cause })

/** Bytes that something with `slice` has: a `Blob` or `File`, or a buffer that brings them asynchronously. */
export const sliceSource = (
  size: number, slice: (start: number, end: number) => ArrayBufferLike | Promise<ArrayBufferLike>,
): ByteSource => ({
  async read(offset, length) {
    try {
      const end = Math.min(offset + length, size)
      return end > offset ? viewOf(await slice(offset, end)) : new Uint8Array()
    } catch (cause) {
      const error = Object(cause) as Error
      // Browsers refuse to read a file that was saved again since it was chosen.
      const code = error.name === 'NotReadableError' ? 'changed' : 'source'
      throw new B2ndError(code, `the bytes cannot be read: ${error.message}`, { cause })
    }
  },
})
