import { constants, type Stats } from 'node:fs'
import { lstat, open as openHandle, readdir, stat, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { B2ndError, open, openArray, type NDArray, type OpenOptions, type OperandOpener, type SChunk } from './index.js'
import { changed, missing, partName } from './sources/directory.js'
import { readHandle } from './sources/node-handle.js'
import type { ByteSource, ReadOptions, SparseSource } from './sources/source.js'
import type { Store } from './store.js'

/** Options of opening a file, and of reading afterwards. */
export type FileOptions = Omit<OpenOptions, 'fetch' | 'retries' | 'maxWhole'>

/**
 * Opens a file by path or handle, or the directory of a sparse frame. `close` closes the file, but not a handle that you passed.
 * A file that was not closed is closed after garbage collection.
 */
export async function openFile(file: string | URL | FileHandle, options?: FileOptions): Promise<NDArray | SChunk> {
  return open(await fileSource(file), options)
}

/**
 * Opens an array as `openFile` does. Fails as `argument` if it is not an array, as `format` if the metalayer of the array is
 * damaged.
 */
export async function openArrayFile(file: string | URL | FileHandle, options?: FileOptions): Promise<NDArray> {
  return openArray(await fileSource(file), options)
}

/**
 * Opens the operands of a lazy array whose file is at a path: `openFile(path, { operands: operandsBesideFile(path) })`. Their paths begin at
 * its folder. Operands that are lazy arrays themselves are not computed.
 */
export function operandsBesideFile(file: string | URL, options?: FileOptions): OperandOpener {
  const folder = dirname(pathOf(file)!)
  return async ({ path, key }) => {
    const at = resolve(folder, path)
    return key === null ? openArrayFile(at, options) : (await openStoreFile(at, options)).getArray(key)
  }
}

/**
 * Opens the store at a path, with what `openStore` of `b2nd/store` fails with: a `.b2z` archive, a `.b2e` frame, or a `.b2d` directory.
 * Members of a directory are opened when they are asked for.
 */
export async function openStoreFile(file: string | URL | FileHandle, options?: FileOptions): Promise<Store> {
  const path = pathOf(file)
  const [at, there] =
    path === undefined ? [] : await found(path).catch((cause: unknown) => Promise.reject(failed(cause)))
  const { openStore } = await import('./store.js')
  return openStore(there?.isDirectory() ? folderSource(at!) : await fileSource(file), options)
}

/** A file that stays open while something refers to this object. */
interface File {
  readonly handle: FileHandle
}

/** Closes files that are no longer referenced. */
const gone = new FinalizationRegistry<FileHandle>(handle => void handle.close().catch(() => {}))

/** Creates a source for a file or a directory. */
export async function fileSource(file: string | URL | FileHandle): Promise<ByteSource | SparseSource> {
  const path = pathOf(file)
  if (path === undefined) return handleSource({ handle: file as FileHandle })
  try {
    const [at, there] = await found(path)
    if (there.isDirectory()) return directorySource(at)
    if (!there.isFile() && !there.isBlockDevice()) {
      throw new Error(`${path}: a pipe or a device, which has no positions to read from`)
    }
    const file: File = { handle: await openHandle(at) }
    gone.register(file, file.handle)
    return handleSource(file, () => file.handle.close())
  } catch (cause) {
    throw failed(cause)
  }
}

/** The files below a directory, for `openStore` of `b2nd/store`: `openStoreFile` opens it by path. They are opened when members are. */
export function folderSource(folder: string | URL): {
  list(): Promise<string[]>
  file(path: string): Promise<ByteSource | SparseSource>
} {
  const path = pathOf(folder)!
  return {
    async list() {
      const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
        throw failed(cause)
      })
      // Releases of Node.js before 20.12 have `path` only.
      const folderOf = ({ parentPath, path }: { parentPath?: string; path?: string }) => parentPath ?? path ?? ''
      return entries
        .filter(entry => !entry.isDirectory())
        .map(entry =>
          relative(path, join(folderOf(entry), entry.name))
            .split(sep)
            .join('/'),
        )
    },
    async file(name) {
      const file = join(path, ...name.split('/'))
      const there = await lstat(file).catch(() => undefined)
      if (there?.isSymbolicLink()) throw planted(file)
      return fileSource(file)
    },
  }
}

/**
 * The facts of the file at a path, and the path where it can be opened. If a process was killed while it replaced a directory, the old one has
 * another name: see docs/files.md.
 */
async function found(path: string): Promise<[path: string, there: Stats]> {
  try {
    return [path, await stat(path)]
  } catch (error) {
    const old = join(dirname(resolve(path)), `.${basename(path)}.b2nd-old`)
    const there = isMissing(error) && (await lstat(old).catch(() => undefined))
    if (there && (there.isDirectory() || there.isFile())) return [old, there]
    throw error
  }
}

/** The path of a file; `undefined` for a handle. */
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
  live: true,
  read: (offset, length, options) => readFile(file, offset, length, options),
  ...(close && { close }),
})

async function readFile(file: File, offset: number, length: number, { signal }: ReadOptions = {}): Promise<Uint8Array> {
  try {
    return await readHandle(file.handle, offset, length, signal)
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    throw failed(cause)
  }
}

/** The files of a directory. There may be many, so none stays open. */
const directorySource = (folder: string): SparseSource => ({
  part(number) {
    const path = join(folder, partName(number))
    const read: ByteSource['read'] = (offset, length, options) => readPath(path, number, offset, length, options)
    return number < 0 ? indexSource(path, read) : { read }
  },
})

/** The file of an index. A commit replaces it, and so does a new frame that is otherwise equal: no bytes are those of before. */
function indexSource(path: string, read: ByteSource['read']): ByteSource {
  let first: string | undefined
  return {
    live: true,
    async read(...request) {
      const bytes = await read(...request)
      const { ino, mtimeMs } = await stat(path).catch((cause: unknown) => {
        throw isMissing(cause) ? missing(-1, cause) : failed(cause)
      })
      first ??= `${ino} ${mtimeMs}`
      if (first !== `${ino} ${mtimeMs}`) throw changed()
      return bytes
    },
  }
}

async function readPath(
  path: string,
  number: number,
  offset: number,
  length: number,
  options?: ReadOptions,
): Promise<Uint8Array> {
  const handle = await openHandle(path, PART).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code === 'ELOOP') throw planted(path)
    throw isMissing(cause) ? missing(number, cause) : failed(cause)
  })
  try {
    if (!(await handle.stat()).isFile())
      throw failed(new Error(`${path}: no regular file, as all files of a frame are`))
    return await readFile({ handle }, offset, length, options)
  } finally {
    await handle.close()
  }
}

/** Opens a file of a frame. Whoever plants a link or a pipe there must not choose what is read, or that opening waits. */
const PART = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const planted = (path: string): B2ndError =>
  failed(new Error(`${path}: a link within a frame or a store, which is not followed`))

const isMissing = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === 'ENOENT'

const failed = (cause: unknown): B2ndError => new B2ndError('source', (cause as Error).message, { cause })
