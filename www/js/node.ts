import { type FileHandle, open as openHandle, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { B2ndError, chunkFile } from './errors.js'
import type { NDArray } from './ndarray.js'
import { type OpenOptions, open } from './open.js'
import type { SChunk } from './schunk.js'
import { type ByteSource, SPARSE_INDEX, type SparseSource } from './source/source.js'

export * from './index.js'

/** Opens a file by its path, a sparse frame by that of its directory, or a file that is open already. */
export async function openFile(file: string | URL | FileHandle, options: OpenOptions = {}): Promise<NDArray | SChunk> {
  const source = await resolve(file)
  try {
    return await open(source, options)
  } catch (error) {
    await ('frame' in source ? source.frame : source).close?.()
    throw error
  }
}

async function resolve(file: string | URL | FileHandle): Promise<ByteSource | SparseSource> {
  if (typeof file !== 'string' && !(file instanceof URL)) return ofHandle(file, false)
  const path = file instanceof URL ? (await import('node:url')).fileURLToPath(file) : file
  if (!(await stat(path)).isDirectory()) return ofPath(path)
  const frame = await ofPath(join(path, SPARSE_INDEX))
  const chunk = async (number: number) => {
    const name = chunkFile(number)
    return ofPath(join(path, name)).catch((cause: unknown) => {
      throw new B2ndError('format', `no chunk file ${name}`, { cause })
    })
  }
  return { frame, chunk }
}

async function ofPath(path: string): Promise<ByteSource> {
  return ofHandle(await openHandle(path), true)
}

async function ofHandle(handle: FileHandle, own: boolean): Promise<ByteSource> {
  const { size } = await handle.stat()
  return {
    size,
    async read(offset, length, { signal } = {}) {
      signal?.throwIfAborted()
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)))
      let done = 0
      while (done < bytes.length) {
        const { bytesRead } = await handle.read(bytes, done, bytes.length - done, offset + done)
        signal?.throwIfAborted()
        if (bytesRead === 0) break
        done += bytesRead
      }
      return bytes.subarray(0, done)
    },
    ...(own && { close: () => handle.close() }),
  }
}
