import { bytesIn } from '../base/bytes.js'
import { B2ndError, wrapError, formatValue } from '../base/errors.js'

/** Options of `ByteSource.read`. */
export interface ReadOptions {
  /** Aborts the read, which rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

/** A source of bytes. Any object with this `read` can be opened. */
export interface ByteSource {
  /** Total size, if known. It is not required. */
  readonly size?: number | undefined
  /** A value that changes when the bytes change. */
  readonly stamp?: string | undefined
  /**
   * Whether editors may change the bytes while the source is open. Then a few bytes are compared after each read, which fails as
   * `changed` once they are others.
   */
  readonly live?: boolean | undefined
  /** Reads `length` bytes from `offset`, or fewer at the end. The caller does not modify them. */
  read(offset: number, length: number, options?: ReadOptions): Promise<Uint8Array>
  /** Called once, when the array or super-chunk is closed. */
  close?(): void | Promise<void>
}

/** The files of a sparse frame. Part −1 is the frame; other parts are chunks by file number. */
export interface SparseSource {
  /** The file of a part. Fails if it is missing. */
  part(number: number): ByteSource | Promise<ByteSource>
  /** Called once, after all parts are closed. */
  close?(): void | Promise<void>
}

/** Calls a custom source. Converts what it throws to an error with the code `source`. */
export async function callSource<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    // Browsers throw this for a file that was modified after it was chosen.
    const changed = (cause as Error | undefined)?.name === 'NotReadableError'
    throw wrapError(changed ? 'changed' : 'source', 'the bytes cannot be read', cause)
  }
}

/** A custom source, which may return anything. */
interface CustomSource extends Pick<ByteSource, 'live' | 'close'> {
  read(...of: Parameters<ByteSource['read']>): unknown
}

/** Wraps a custom source and checks what it returns. */
export function sourceOf(source: CustomSource): ByteSource {
  if (typeof source?.read !== 'function') throw new B2ndError('source', `${formatValue(source)} has no \`read\``)
  return {
    live: source.live,
    async read(offset, length, options) {
      const answer = await callSource(() => source.read(offset, length, options))
      const bytes = bytesIn(answer)
      if (bytes && bytes.length <= length) return bytes
      throw new B2ndError(
        'source',
        `${length} bytes asked for, the source gave ${bytes ? bytes.length : formatValue(answer)}`,
      )
    },
    close: () => callSource(() => source.close?.()),
  }
}

/** A source for objects with `slice`: `Blob`, `File`, or a buffer that may be asynchronous. */
export const sliceSource = (
  size: number,
  slice: (start: number, end: number) => ArrayBufferLike | Promise<ArrayBufferLike>,
): ByteSource => ({
  size,
  ...sourceOf({
    async read(offset, length) {
      const end = Math.min(offset + length, size)
      return end > offset ? slice(offset, end) : new Uint8Array()
    },
  }),
})
