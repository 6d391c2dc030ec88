import { open as openHandle, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { B2ndError } from './errors.js'
import { open, type NDArray, type OpenOptions, type SChunk } from './index.js'
import { missing, partName, type ByteSource, type ReadOptions, type SparseSource } from './source/source.js'

/** Opens a file by its path or handle, or the directory of a sparse frame. `close` closes it, but not a handle given. */
export async function openFile(
  file: string | URL | FileHandle, options?: Omit<OpenOptions, 'fetch' | 'retries' | 'maxWhole'>,
): Promise<NDArray | SChunk> {
  return open(await fileSource(file), options)
}

/** The source that a file, or a directory, is. */
export async function fileSource(file: string | URL | FileHandle): Promise<ByteSource | SparseSource> {
  if (typeof file !== 'string' && !(file instanceof URL)) return handleSource(file)
  const path = typeof file === 'string' ? file : fileURLToPath(file)
  try {
    if ((await stat(path)).isDirectory()) return directorySource(path)
    const handle = await openHandle(path)
    return handleSource(handle, () => handle.close())
  } catch (cause) {
    throw failed(cause)
  }
}

const handleSource = (handle: FileHandle, close?: () => Promise<void>): ByteSource => ({
  read: (offset, length, options) => readHandle(handle, offset, length, options),
  close,
})

async function readHandle(
  handle: FileHandle, offset: number, length: number, { signal }: ReadOptions = {},
): Promise<Uint8Array> {
  try {
    signal?.throwIfAborted()
    // No more is asked for than there is: what a damaged file claims is not allocated.
    const { size } = await handle.stat()
    const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)))
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, offset + filled)
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
  path: string, number: number, offset: number, length: number, options?: ReadOptions,
): Promise<Uint8Array> {
  const handle = await openHandle(path).catch(cause => {
    throw isMissing(cause) ? missing(number, cause) : failed(cause)
  })
  try {
    return await readHandle(handle, offset, length, options)
  } finally {
    await handle.close()
  }
}

const isMissing = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOENT'

const failed = (cause: unknown): B2ndError => new B2ndError('source', (cause as Error).message, { cause })
