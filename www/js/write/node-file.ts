import { argument } from '../base/errors.js'
import { found, newFile, node } from './new-file.js'
import type { Target } from './target.js'

/** The used part of the `FileHandle` of Node.js. */
export interface NodeHandle {
  read(
    buffer: Uint8Array<ArrayBuffer>,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>
  write(
    buffer: Uint8Array<ArrayBuffer>,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }>
  truncate(length: number): Promise<void>
  sync(): Promise<void>
  stat(): Promise<{ size: number }>
}

/** Opens the path, file: URL or handle of a file in Node.js; `undefined` for anything else. */
export async function nodeFile(file: unknown, anew: boolean): Promise<Target | undefined> {
  if (typeof file === 'string' || file instanceof URL) {
    const path = typeof file === 'string' ? file : node().getBuiltinModule('node:url').fileURLToPath(file)
    return anew ? temporary(path) : edited(path)
  }
  if (typeof (file as NodeHandle | undefined)?.stat !== 'function') return undefined
  if (!anew) return changedTarget(file as NodeHandle)
  await (file as NodeHandle).truncate(0)
  return handleTarget(file as NodeHandle)
}

async function temporary(path: string): Promise<Target> {
  const file = await newFile(path)
  return {
    ...handleTarget(file.handle),
    publish: () => file.publish(),
    async close() {
      await file.publish()
      await file.end()
    },
    abort: () => file.end(),
    successor: () => temporary(path),
  }
}

async function edited(path: string): Promise<Target> {
  const there = await found(path)
  if (there && !there.isFile()) throw argument(`${path} is no file: only files can be changed`)
  const handle = await node().getBuiltinModule('node:fs/promises').open(path, 'r+')
  const target = await changedTarget(handle)
  return {
    ...target,
    close: () => handle.close(),
    async abort(reason) {
      try {
        await target.abort!(reason)
      } finally {
        await handle.close()
      }
    },
    successor: () => temporary(path),
  }
}

/** A file under change. What no commit refers to is given back by `abort`. */
async function changedTarget(handle: NodeHandle): Promise<Target> {
  const target = handleTarget(handle)
  let { size: committed } = await handle.stat()
  let [isSynced, isUnsure] = [false, false]
  return {
    ...target,
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
      if (!isUnsure && (await handle.stat()).size > committed) await target.truncate(committed)
    },
  }
}

const handleTarget = (handle: NodeHandle): Target => ({
  async read(offset, length) {
    const { size } = await handle.stat()
    const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)))
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return bytes.subarray(0, filled)
  },
  async write(offset, bytes) {
    for (let done = 0; done < bytes.length;) {
      done += (await handle.write(bytes, done, bytes.length - done, offset + done)).bytesWritten
    }
  },
  truncate: length => handle.truncate(length),
  sync: () => handle.sync(),
})
