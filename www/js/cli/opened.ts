// What a path or URL leads to: a frame, a store, or a member of a store behind the path of the store.

import { open as openHandle, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { joined } from '../base/bytes.js'
import { argument } from '../base/errors.js'
import { NDArray, open, type Openable, type OpenOptions, type SChunk } from '../index.js'
import { fileSource, folderSource } from '../node.js'
import { openStore, type Store, type Table } from '../store.js'
import { fromPipe, isPipe } from './pipe.js'

/** What was opened: a frame with its size in bytes, if it is one file; a table; or a store. */
export type Opened =
  | { readonly kind: 'frame'; readonly frame: NDArray | SChunk; readonly size: number | null }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'store'; readonly store: Store }

const isUrl = (what: string): boolean => /^https?:\/\//.test(what)

/** Opens what a path or URL leads to, and closes it after work. `options` are those of frames, `ofTables` those of tables. */
export async function withOpened<T>(
  what: string,
  work: (opened: Opened) => Promise<T>,
  options: OpenOptions = {},
  ofTables = options,
): Promise<T> {
  const [path, key] = await split(what)
  if (key === undefined && !(await isStore(path))) {
    const frame = await open(await sourceOf(path), options)
    return closing(frame, async () => work({ kind: 'frame', frame, size: await sizeOf(path) }))
  }
  const within = async (store: Store) => {
    const group = key?.replace(/\/+$/, '') ?? ''
    if (store.tables().includes(group)) return work({ kind: 'table', table: await store.getTable(group) })
    if (key === undefined) return work({ kind: 'store', store })
    const frame = await store.get(key, options)
    return closing(frame, () => work({ kind: 'frame', frame, size: null }))
  }
  return withStore(path, within, ofTables)
}

/** What can be opened at a path or URL. A pipe is read to its end. */
async function sourceOf(path: string): Promise<Openable> {
  if (isUrl(path)) return path
  if (!isPipe(path)) return fileSource(path)
  const parts: Uint8Array[] = []
  for await (const part of fromPipe(path)) parts.push(part)
  return joined(parts, Uint8Array)
}

/** Opens an array. Fails as `argument` for anything else. */
export const withArray = <T>(what: string, work: (array: NDArray) => Promise<T>): Promise<T> =>
  withOpened(what, opened => {
    if (opened.kind !== 'frame') throw argument(`${what} is a ${opened.kind}, not an array`)
    if (opened.frame instanceof NDArray) return work(opened.frame)
    throw argument(`${what} is not an array`)
  })

/** Whether a frame holds objects that are stored as Arrow. */
export const isArrow = ({ meta }: NDArray | SChunk): boolean =>
  (meta as { batcharray?: { serializer?: unknown } }).batcharray?.serializer === 'arrow'

/** The super-chunk of a frame. */
export const schunkOf = (frame: NDArray | SChunk): SChunk => (frame instanceof NDArray ? frame.schunk : frame)

/** Opens the store at a path or URL, and closes it after work. */
export async function withStore<T>(
  what: string,
  work: (store: Store) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const isFolder = !isUrl(what) && (await stat(what)).isDirectory()
  const store = await openStore(isFolder ? folderSource(what) : isUrl(what) ? what : await fileSource(what), options)
  return closing(store, () => work(store))
}

async function closing<T>(what: { close(): Promise<void> }, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await what.close()
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** The path of a store and the key of a member, if a path consists of them; else the path alone. */
async function split(what: string): Promise<[path: string, key?: string]> {
  const [, store, key] = /^([^?#]*?\.b2[zde])(\/[^?#]*)$/.exec(what) ?? []
  if (isUrl(what)) return store ? [store, key!] : [what]
  if ((await exists(what)) && !(await isGroup(what))) return [what]
  for (let [path, key] = [what, '']; path !== dirname(path);) {
    key = `/${basename(path)}${key}`
    path = dirname(path)
    if ((await exists(path)) && (await isFileOrStore(path))) return [path, key]
  }
  return [what]
}

const isFileOrStore = async (path: string): Promise<boolean> => (await stat(path)).isFile() || hasEmbed(path)

/** Whether a directory is a store, whatever its name. */
const hasEmbed = (path: string): Promise<boolean> => exists(join(path, 'embed.b2e'))

/** Whether a path is that of a directory which may be a group of a store. */
const isGroup = async (path: string): Promise<boolean> =>
  (await stat(path)).isDirectory() && !(await exists(join(path, 'chunks.b2frame'))) && !(await hasEmbed(path))

/** Whether a path is that of an archive or a directory that is a store. */
export async function isStore(path: string): Promise<boolean> {
  if (isUrl(path)) return /\.b2[ze]$/.test(path)
  const there = await stat(path).catch(() => undefined)
  if (there?.isDirectory()) return path.endsWith('.b2d') || hasEmbed(path)
  if (!there?.isFile()) return false
  if (path.endsWith('.b2e')) return withStore(path, async store => store.tables().includes(''))
  const file = await openHandle(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.toString('latin1') === 'PK'
  } finally {
    await file.close()
  }
}

/** The size of a file; null of anything else. */
async function sizeOf(path: string): Promise<number | null> {
  if (isUrl(path)) return null
  const stats = await stat(path)
  return stats.isFile() ? stats.size : null
}
