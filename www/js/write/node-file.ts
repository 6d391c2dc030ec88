import { argument } from '../base/errors.js'
import { sameBytes } from '../reading/revision.js'
import { readHandle, type ReadableHandle } from '../sources/node-handle.js'
import { collectAll, found, modules, newFile, node } from './new-file.js'
import { lockOf, type Lock } from './node-lock.js'
import type { Target } from './target.js'

/** The used part of the `FileHandle` of Node.js. */
export interface NodeHandle extends ReadableHandle {
  write(
    buffer: Uint8Array<ArrayBuffer>,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }>
  truncate(length: number): Promise<void>
  sync(): Promise<void>
}

/** Opens the path, file: URL or handle of a file in Node.js; `undefined` for anything else. */
export async function nodeFile(file: unknown, anew: boolean): Promise<Target | undefined> {
  if (typeof file === 'string' || file instanceof URL) {
    return anew ? temporary(pathOf(file)) : edited(pathOf(file))
  }
  if (typeof (file as NodeHandle | undefined)?.stat !== 'function') return undefined
  if (!anew) return changedTarget(file as NodeHandle)
  await (file as NodeHandle).truncate(0)
  return handleTarget(file as NodeHandle)
}

const pathOf = (file: string | URL): string =>
  typeof file === 'string' ? file : node().getBuiltinModule('node:url').fileURLToPath(file)

async function temporary(path: string, lock?: Lock): Promise<Target> {
  const file = await newFile(path)
  const end = async () => {
    await file.end()
    await lock?.release()
  }
  return {
    ...(await changedTarget(file.handle, () => (file.isPublished ? path : undefined))),
    publish: () => file.publish(),
    async close() {
      await file.publish()
      await end()
    },
    abort: end,
    successor: () => temporary(path, lock?.share()),
  }
}

/** Removes what killed processes have left beside a path. */
export const collected = async (file: string | URL): Promise<void> =>
  collectAll(await modules().fs.realpath(pathOf(file)))

/** A file beside a path, which is removed when it is closed. */
export async function scratchFile(file: string | URL): Promise<Target> {
  const made = await newFile(pathOf(file))
  return { ...handleTarget(made.handle), close: () => made.end(), abort: () => made.end() }
}

/** Whether another file is at the path. */
async function isReplaced(handle: NodeHandle, path: string): Promise<boolean> {
  const there = await modules()
    .fs.stat(path)
    .catch(() => undefined)
  const { dev, ino } = await handle.stat()
  return there?.dev !== dev || there?.ino !== ino
}

async function edited(path: string): Promise<Target> {
  const { fs } = modules()
  const there = await found(path)
  if (there && !there.isFile()) throw argument(`${path} is no file: only files can be changed`)
  const file = await fs.realpath(path)
  const lock = await lockOf(file)
  try {
    const handle = await fs.open(file, 'r+')
    const target = await changedTarget(handle, () => file)
    const end = async () => {
      await handle.close()
      await lock.release()
    }
    return {
      ...target,
      close: end,
      async abort(reason) {
        try {
          await target.abort!(reason)
        } finally {
          await end()
        }
      },
      successor: () => temporary(file, lock.share()),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * A file under change. What no commit refers to is given back by `abort`, unless another writer has changed the file. At its path, if
 * it has one, there must be no other file.
 */
async function changedTarget(handle: NodeHandle, pathOf?: () => string | undefined): Promise<Target> {
  const target = handleTarget(handle)
  let { size: committed } = await handle.stat()
  let [isSynced, isUnsure] = [false, false]
  /** The bytes that were last compared, by their offset. */
  const compared = new Map<number, Uint8Array>()
  const isSame = async (offset: number, bytes: Uint8Array) => {
    const path = pathOf?.()
    return sameBytes(await target.read!(offset, bytes.length), bytes) && !(path && (await isReplaced(handle, path)))
  }
  const isOurs = async () => {
    for (const state of compared) if (!(await isSame(...state))) return false
    return compared.size > 0
  }
  return {
    ...target,
    compare(offset, bytes) {
      // The header comes first.
      if (!offset) compared.clear()
      compared.set(offset, bytes)
      return isSame(offset, bytes)
    },
    write(offset, bytes) {
      // After what the header will refer to, it is the header itself that is written: from now on either may be in the file.
      isUnsure ||= isSynced
      return target.write(offset, bytes)
    },
    sync() {
      isSynced = true
      return target.sync!()
    },
    async truncate(length) {
      await target.truncate(length)
      committed = length
      isSynced = isUnsure = false
    },
    async abort() {
      if (!isUnsure && (await handle.stat()).size > committed && (await isOurs())) await target.truncate(committed)
    },
  }
}

const handleTarget = (handle: NodeHandle): Target => ({
  read: (offset, length) => readHandle(handle, offset, length),
  async write(offset, bytes) {
    for (let done = 0; done < bytes.length;) {
      done += (await handle.write(bytes, done, bytes.length - done, offset + done)).bytesWritten
    }
  },
  truncate: length => handle.truncate(length),
  sync: () => handle.sync(),
})
