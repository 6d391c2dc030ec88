import { B2ndError, chunkFile } from '../errors.js'

/** Where bytes come from: the least that there must be. */
export interface ByteSource {
  /** Bytes in all, where that is known. A frame tells its own length. */
  readonly size?: number
  /** All bytes, if they are in memory: then nothing is read or cached. */
  readonly bytes?: Uint8Array
  /** The bytes from `offset` on, fewer than `length` only where the source ends. */
  read(offset: number, length: number, options?: { signal?: AbortSignal }): Promise<Uint8Array>
  close?(): void | Promise<void>
}

/** A source of a sparse frame: its index file, and its chunks, each a file of its own. */
export interface SparseSource {
  readonly frame: ByteSource
  chunk(file: number): ByteSource | Promise<ByteSource>
  close?(): void | Promise<void>
}

/** The name of the index file in the directory of a sparse frame. */
export const SPARSE_INDEX = 'chunks.b2frame'

/** Bytes in memory. */
export function ofBytes(data: ArrayBuffer | SharedArrayBuffer | ArrayBufferView): ByteSource {
  const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
  return {
    size: bytes.length,
    bytes,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  }
}

/** What can be asked for a part of itself: a `Blob`, or hyparquet's `AsyncBuffer`. */
export interface Sliceable {
  readonly byteLength: number
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>
}

export function ofBlob(blob: Blob): ByteSource {
  return {
    size: blob.size,
    async read(offset, length, { signal } = {}) {
      signal?.throwIfAborted()
      try {
        const buffer = await blob.slice(offset, offset + length).arrayBuffer()
        signal?.throwIfAborted()
        return new Uint8Array(buffer)
      } catch (cause) {
        signal?.throwIfAborted()
        // Browsers say NotReadableError when the file on the disk is another one by now.
        throw new B2ndError('changed', 'the file cannot be read any more: it has changed or is gone', { cause })
      }
    },
  }
}

export function ofSliceable(sliceable: Sliceable): ByteSource {
  return {
    size: sliceable.byteLength,
    async read(offset, length, { signal } = {}) {
      signal?.throwIfAborted()
      const end = Math.min(offset + length, sliceable.byteLength)
      return offset < end ? new Uint8Array(await sliceable.slice(offset, end)) : new Uint8Array()
    },
  }
}

/** The directory of a sparse frame, behind a handle of the file system. */
export function ofDirectory(directory: FileSystemDirectoryHandle, frame: ByteSource): SparseSource {
  return {
    frame,
    async chunk(file) {
      try {
        return ofBlob(await (await directory.getFileHandle(chunkFile(file))).getFile())
      } catch (cause) {
        throw new B2ndError('format', `no chunk file ${chunkFile(file)}`, { cause })
      }
    },
  }
}
