import { bytesIn, viewOf } from '../base/bytes.js'
import { argument, formatValue, wrapError } from '../base/errors.js'
import { memoryFile, type PositionedFile } from './memory-file.js'
import { node } from './new-file.js'
import { nodeFile, type NodeHandle } from './node-file.js'
import type { Target } from './target.js'

/** The used part of `FileSystemSyncAccessHandle` in browsers. */
export interface SyncHandle {
  read(buffer: Uint8Array<ArrayBuffer>, options: { at: number }): number
  write(buffer: Uint8Array<ArrayBuffer>, options: { at: number }): number
  truncate(size: number): void
  flush(): void
  getSize(): number
}

/** The used part of `FileSystemWritableFileStream` in browsers. */
export interface FileStream {
  write(data: { type: 'write'; position: number; data: Uint8Array<ArrayBuffer> }): Promise<void>
  truncate(size: number): Promise<void>
  close(): Promise<void>
  abort(reason?: unknown): Promise<void>
  seek(position: number): Promise<void>
}

/** The used part of `FileSystemFileHandle` in browsers. */
export interface WritableFileHandle {
  createWritable(options?: { keepExistingData?: boolean }): Promise<FileStream>
  getFile(): Promise<Blob>
}

/** The used part of a writable stream of Node.js. */
export interface NodeStream {
  writableEnded: boolean
  end(): unknown
}

/**
 * A file to change: a `FileSystemFileHandle` or `FileSystemSyncAccessHandle`; in Node.js a path, a file: URL or a `FileHandle` that
 * is open for reading and writing; or an object with `read`, `write` and `truncate`, such as that of `memoryFile`.
 */
export type Editable = string | URL | NodeHandle | WritableFileHandle | SyncHandle | PositionedFile

/**
 * A place for a new file: all that can be [edited](#editable), where Node.js creates or replaces the file of a path; a
 * `FileSystemWritableFileStream`, which cannot be read; or any other `WritableStream` of bytes or writable stream of Node.js, which
 * gets the file when it is complete.
 */
export type Sink = Editable | FileStream | WritableStream<Uint8Array> | NodeStream

/** Opens a place for a new file. */
export async function targetOf(sink: Sink): Promise<Target> {
  if ((sink as WritableFileHandle | undefined)?.createWritable) {
    return fileStream(await (sink as WritableFileHandle).createWritable())
  }
  if ((sink as FileStream | undefined)?.seek) return fileStream(sink as FileStream)
  if ((sink as WritableStream<Uint8Array> | undefined)?.getWriter) return spooled(sink as WritableStream<Uint8Array>)
  if ((sink as NodeStream | undefined)?.end)
    return spooled(
      node()
        .getBuiltinModule('node:stream')
        .Writable.toWeb(sink as never),
    )
  const target = await opened(sink as Editable, true)
  return { ...target, abort: reason => (target.abort ? target.abort(reason) : target.truncate(0)) }
}

/** Opens a file to change it. */
export const editedFile = (file: Editable): Promise<Target> => opened(file, false)

async function opened(file: Editable, anew: boolean): Promise<Target> {
  const ofNode = await nodeFile(file, anew)
  if (ofNode) return ofNode
  if ((file as WritableFileHandle | undefined)?.createWritable) return handleFile(file as WritableFileHandle)
  const target = (file as SyncHandle | undefined)?.getSize ? syncFile(file as SyncHandle) : (file as PositionedFile)
  for (const name of ['read', 'write', 'truncate'] as const) {
    if (typeof target?.[name] !== 'function') throw argument(`${formatValue(file)} is no file that can be written`)
  }
  if (anew) await target.truncate(0)
  return {
    read: async (offset, length) => {
      const bytes = bytesIn(await target.read(offset, length))
      if (!bytes || bytes.length > length) throw argument(`read: ${length} bytes or fewer are needed`)
      return bytes
    },
    write: (offset, bytes) => target.write(offset, bytes),
    truncate: length => target.truncate(length),
    sync: () => target.sync?.(),
  }
}

function syncFile(handle: SyncHandle): PositionedFile {
  return {
    read(offset, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, handle.getSize() - offset)))
      return bytes.subarray(0, handle.read(bytes, { at: offset }))
    },
    write(offset, bytes) {
      for (let done = 0; done < bytes.length;) {
        const written = handle.write(bytes.subarray(done), { at: offset + done })
        if (!(written > 0)) throw new Error('the file system takes no more bytes')
        done += written
      }
    },
    truncate: length => handle.truncate(length),
    sync: () => handle.flush(),
  }
}

/** A file that gets what is written to a stream when this is closed. */
export function handleFile(handle: WritableFileHandle): Target {
  let stream: FileStream | undefined
  const opened = async () => (stream ??= await handle.createWritable({ keepExistingData: true }))
  const sync = async () => {
    const written = stream
    stream = undefined
    await written?.close()
  }
  return {
    async read(offset, length) {
      await sync()
      return viewOf(await (await handle.getFile()).slice(offset, offset + length).arrayBuffer())
    },
    write: async (position, data) => (await opened()).write({ type: 'write', position, data }),
    truncate: async length => (await opened()).truncate(length),
    sync,
    close: sync,
    abort: async reason => stream?.abort(reason),
  }
}

/** A stream with positions. What it writes becomes visible when it is closed. */
export const fileStream = (stream: FileStream): Target => ({
  write: (position, data) => stream.write({ type: 'write', position, data }),
  truncate: length => stream.truncate(length),
  close: () => stream.close(),
  abort: reason => stream.abort(reason),
})

/** A file in memory, until the stream gets it. */
function spooled(stream: WritableStream<Uint8Array>): Target {
  const file = memoryFile()
  const writer = stream.getWriter()
  return {
    ...file,
    read: (offset, length) => file.read(offset, length),
    async close() {
      const { bytes } = file
      for (let at = 0; at < bytes.length; at += PIECE) {
        await writer.ready
        await writer.write(bytes.slice(at, at + PIECE))
      }
      await writer.close()
    },
    abort: reason => writer.abort(reason),
  }
}

/** Bytes that a stream gets at a time. */
const PIECE = 2 ** 20

/** Calls a file. Converts what it throws to an error with the code `source`. */
export async function callFile<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    throw wrapError('source', 'the file cannot be written', cause)
  }
}
