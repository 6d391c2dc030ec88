// New files in Node.js: what they may replace, and their temporary names (see docs/files.md).

import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { argument } from '../base/errors.js'

/** The process, which returns modules of Node.js. Imports would not load in browsers. */
export function node(): NodeJS.Process {
  const { process } = globalThis
  if (!process?.getBuiltinModule) throw argument('only Node.js, Deno and Bun have paths')
  return process
}

/** The modules of Node.js that files need. */
export const modules = () => {
  const process = node()
  return {
    fs: process.getBuiltinModule('node:fs/promises'),
    path: process.getBuiltinModule('node:path'),
    os: process.getBuiltinModule('node:os'),
  }
}

/** A file that gets its path when it is complete. */
export interface NewFile {
  readonly handle: FileHandle
  readonly isPublished: boolean
  /** Moves the file to its path, or copies it to the pipe or the device that is there. It stays open. */
  publish(): Promise<void>
  /** Closes the file. If it was not published, it is removed. */
  end(): Promise<void>
}

/** Creates a file for a path. Links at the path are followed, also one that leads nowhere yet. */
export async function newFile(given: string): Promise<NewFile> {
  const { fs, path, os } = modules()
  const target = await resolved(given)
  const there = await found(target)
  if (there?.isDirectory() || /[\\/]$/.test(given)) throw argument(`${given} is a directory, which no file replaces`)
  const isStream = there && !there.isFile()
  const { folder, file, handle } = isStream
    ? await openNew(await fs.mkdtemp(path.join(os.tmpdir(), 'b2nd-')))
    : await temporaryFile(target)
  let isPublished = false
  return {
    handle,
    get isPublished() {
      return isPublished
    },
    async publish() {
      if (isPublished) return
      if (isStream) {
        const { constants } = node().getBuiltinModule('node:fs')
        const content = handle.createReadStream({ start: 0, autoClose: false })
        await fs.writeFile(target, content, { flag: constants.O_WRONLY })
      } else {
        if (there) await handle.chmod(there.mode & 0o7777)
        await handle.sync()
        await fs.rename(file, target)
      }
      isPublished = true
    },
    async end() {
      await handle.close()
      if (!isPublished || isStream) await fs.rm(file, { force: true })
      await fs.rmdir(folder).catch(() => {})
    },
  }
}

/** The facts of the file at a path; `undefined` for nothing. */
export async function found(path: string): Promise<Stats | undefined> {
  try {
    return await modules().fs.stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Follows links to where a file is or will be. */
async function resolved(given: string): Promise<string> {
  const { fs, path } = modules()
  let target = path.resolve(given)
  // As many as Linux follows.
  for (let count = 0; count < 40; count++) {
    const next = await fs.readlink(target).catch(() => undefined)
    if (next === undefined) return target
    target = path.resolve(path.dirname(target), next)
  }
  return target
}

/** Creates a file in a directory that is its own. The name tells the process. */
async function openNew(folder: string) {
  const { fs, path, os } = modules()
  const file = path.join(folder, `${node().pid}@${os.hostname()}`)
  return { folder, file, handle: await fs.open(file, 'wx+') }
}

/** Creates a file in the directory `.NAME.b2nd-0.tmp`, or in the one with the next number. */
async function temporaryFile(target: string) {
  const { fs, path } = modules()
  for (let number = 0; ; number++) {
    const folder = path.join(path.dirname(target), `.${path.basename(target)}.b2nd-${number}.tmp`)
    await collect(folder)
    let made = false
    try {
      await fs.mkdir(folder, 0o700)
      made = true
      return await openNew(folder)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Another process has the directory, or took it for left while it was empty.
      if (made ? code !== 'ENOENT' : code !== 'EEXIST') throw error
    }
  }
}

/** Removes all that processes of this machine have left beside a file: a store has several temporary files. */
export async function collectAll(target: string): Promise<void> {
  const { fs, path } = modules()
  const start = `.${path.basename(target)}.b2nd-`
  const folder = path.dirname(target)
  for (const name of await fs.readdir(folder)) {
    if (name.startsWith(start) && /^\d+\.tmp$/.test(name.slice(start.length))) await collect(path.join(folder, name))
  }
}

/** Removes what a process of this machine has left that is gone. */
async function collect(folder: string): Promise<void> {
  const { fs, path, os } = modules()
  const names = await fs.readdir(folder).catch(() => [''])
  if (names.length > 1) return
  const [name] = names
  if (name === undefined) {
    // It may be about to get its file.
    const there = await fs.stat(folder).catch(() => undefined)
    if (!there || Date.now() - there.mtimeMs < MINUTE) return
  } else {
    const [, pid, host] = /^(\d+)@(.*)$/s.exec(name) ?? []
    if (!pid || host !== os.hostname() || isAlive(Number(pid))) return
    await fs.rm(path.join(folder, name), { force: true })
  }
  await fs.rmdir(folder).catch(() => {})
}

const MINUTE = 60_000

/** Whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    return node().kill(pid, 0)
  } catch (error) {
    // Others may own it.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
