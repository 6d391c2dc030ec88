import { argument } from '../base/errors.js'
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

/** The process, which returns modules of Node.js. Imports would not load in browsers. */
function node(): NodeJS.Process {
  const { process } = globalThis
  if (!process?.getBuiltinModule) throw argument('only Node.js, Deno and Bun have paths')
  return process
}

/** Opens the path, file: URL or handle of a file in Node.js; `undefined` for anything else. */
export async function nodeFile(file: unknown, anew: boolean): Promise<Target | undefined> {
  if (typeof file === 'string' || file instanceof URL) {
    const path = typeof file === 'string' ? file : node().getBuiltinModule('node:url').fileURLToPath(file)
    return anew ? temporary(path) : edited(path)
  }
  if (typeof (file as NodeHandle | undefined)?.stat !== 'function') return undefined
  if (anew) await (file as NodeHandle).truncate(0)
  return handleTarget(file as NodeHandle)
}

/** A new file with a temporary name, which gets the path when it is complete. */
async function temporary(path: string): Promise<Target> {
  const fs = node().getBuiltinModule('node:fs/promises')
  const name = `${path}.${Math.random().toString(36).slice(2)}.tmp`
  const handle = await fs.open(name, 'wx+')
  let published = false
  const publish = async () => {
    if (published) return
    await handle.sync()
    await fs.rename(name, path)
    published = true
  }
  return {
    ...handleTarget(handle),
    publish,
    async close() {
      await publish()
      await handle.close()
    },
    async abort() {
      await handle.close()
      if (!published) await fs.rm(name, { force: true })
    },
    successor: () => temporary(path),
  }
}

async function edited(path: string): Promise<Target> {
  const handle = await node().getBuiltinModule('node:fs/promises').open(path, 'r+')
  return {
    ...handleTarget(handle),
    close: () => handle.close(),
    abort: () => handle.close(),
    successor: () => temporary(path),
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
