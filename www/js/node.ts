import { open as openHandle, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { B2ndError, open, openArray, type Data, type NDArray, type OpenOptions, type SChunk } from './index.js'
import { missing, partName } from './sources/directory.js'
import type { ByteSource, ReadOptions, SparseSource } from './sources/source.js'

/** How to open a file, and how to read it afterwards. */
export type FileOptions = Omit<OpenOptions, 'fetch' | 'retries' | 'maxWhole'>

/**
 * Opens a file by its path or handle, or the directory of a sparse frame. `close` closes it, but not a handle given. A file that
 * is not closed is when nothing refers to it any more.
 */
export async function openFile(file: string | URL | FileHandle, options?: FileOptions): Promise<NDArray | SChunk> {
  return open(await fileSource(file), options)
}

/**
 * Opens an array as `openFile` does. What is none fails as `argument`, one whose description is damaged as `format`.
 * `openArrayFile<Float32Array>(…)` tells TypeScript what its data are.
 */
export async function openArrayFile<D extends Data = Data>(
  file: string | URL | FileHandle,
  options?: FileOptions,
): Promise<NDArray<D>> {
  return openArray<D>(await fileSource(file), options)
}

/** A file, as long as anything that reads it is there. */
interface File {
  readonly handle: FileHandle
}

/** Closes files that nothing reads any more. */
const gone = new FinalizationRegistry<FileHandle>(handle => void handle.close().catch(() => {}))

/** The source that a file, or a directory, is. */
export async function fileSource(file: string | URL | FileHandle): Promise<ByteSource | SparseSource> {
  const path = pathOf(file)
  if (path === undefined) return handleSource({ handle: file as FileHandle })
  try {
    if ((await stat(path)).isDirectory()) return directorySource(path)
    const file: File = { handle: await openHandle(path) }
    gone.register(file, file.handle)
    return handleSource(file, () => file.handle.close())
  } catch (cause) {
    throw failed(cause)
  }
}

/** The path of a file, if it is not given by a handle. */
function pathOf(file: string | URL | FileHandle): string | undefined {
  if (typeof file === 'string') return file
  if (typeof (file as FileHandle | undefined)?.stat === 'function') return undefined
  try {
    return fileURLToPath(file as URL)
  } catch (cause) {
    throw new B2ndError('argument', `file: give a path, a file: URL or a handle: ${(cause as Error).message}`, {
      cause,
    })
  }
}

const handleSource = (file: File, close?: () => Promise<void>): ByteSource => ({
  read: (offset, length, options) => readFile(file, offset, length, options),
  ...(close && { close }),
})

async function readFile(file: File, offset: number, length: number, { signal }: ReadOptions = {}): Promise<Uint8Array> {
  try {
    signal?.throwIfAborted()
    // No more is asked for than there is: what a damaged file claims is not allocated.
    const { size } = await file.handle.stat()
    const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)))
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await file.handle.read(bytes, filled, bytes.length - filled, offset + filled)
      signal?.throwIfAborted()
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return bytes.subarray(0, filled)
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    throw failed(cause)
  }
}

/** The files of a directory. There may be many: none is kept open. */
const directorySource = (folder: string): SparseSource => ({
  part(number) {
    const path = join(folder, partName(number))
    return { read: (offset, length, options) => readPath(path, number, offset, length, options) }
  },
})

async function readPath(
  path: string,
  number: number,
  offset: number,
  length: number,
  options?: ReadOptions,
): Promise<Uint8Array> {
  const handle = await openHandle(path).catch((cause: unknown) => {
    throw isMissing(cause) ? missing(number, cause) : failed(cause)
  })
  try {
    return await readFile({ handle }, offset, length, options)
  } finally {
    await handle.close()
  }
}

const isMissing = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === 'ENOENT'

const failed = (cause: unknown): B2ndError => new B2ndError('source', (cause as Error).message, { cause })
