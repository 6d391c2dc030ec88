import { bytesIn } from '../base/bytes.js'
import { B2ndError, foreign, shown } from '../base/errors.js'

/** How to read. */
export interface ReadOptions {
  /** Stops the read, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Where bytes come from. Anything that has this `read` can be opened. */
export interface ByteSource {
  /** Total size, if it is known: nothing needs it. */
  readonly size?: number | undefined
  /** Something that changes when the bytes do. */
  readonly stamp?: string | undefined
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

/** What a source of others answers. What it throws is an error of the source. */
export async function asked<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    // Browsers refuse to read a file that was saved again since it was chosen.
    const changed = (cause as Error | undefined)?.name === 'NotReadableError'
    throw foreign(changed ? 'changed' : 'source', 'the bytes cannot be read', cause)
  }
}

/** A source of others, which may give anything. */
interface Given extends Pick<ByteSource, 'close'> {
  read(...of: Parameters<ByteSource['read']>): unknown
}

/** A source of others. What it gives is checked. */
export function sourceOf(given: Given): ByteSource {
  if (typeof given?.read !== 'function') throw new B2ndError('source', `${shown(given)} has no \`read\``)
  return {
    async read(offset, length, options) {
      const answer = await asked(() => given.read(offset, length, options))
      const bytes = bytesIn(answer)
      if (bytes && bytes.length <= length) return bytes
      throw new B2ndError(
        'source',
        `${length} bytes asked for, the source gave ${bytes ? bytes.length : shown(answer)}`,
      )
    },
    close: () => asked(() => given.close?.()),
  }
}

/** Bytes that something with `slice` has: a `Blob` or `File`, or a buffer that brings them asynchronously. */
export const sliceSource = (
  size: number,
  slice: (start: number, end: number) => ArrayBufferLike | Promise<ArrayBufferLike>,
): ByteSource =>
  sourceOf({
    async read(offset, length) {
      const end = Math.min(offset + length, size)
      return end > offset ? slice(offset, end) : new Uint8Array()
    },
  })
