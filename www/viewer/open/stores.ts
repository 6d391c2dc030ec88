// The store in a source: a `.b2z` archive, a `.b2e` frame, a `.b2d` directory, an archive of NumPy, frames in a directory, or a server.
import {
  isB2ndError,
  open,
  type B2ndError,
  type Attributes,
  type NDArray,
  type OpenOptions,
  type SChunk,
} from '../../js/index.js'
import { openStore } from '../../js/store.js'
import type { Source } from '../model/dataset.js'
import type { Members } from '../model/members.js'
import { headOf } from './head.js'

/** Files of a directory by their relative paths. */
export type Folder = ReadonlyMap<string, File>

const EMBED = 'embed.b2e'
const FRAME = /\.(?:b2nd|b2frame|b2f|b2b|blosc2|caterva)$/i

/** The store in a source; `null` if it is none. */
export async function membersOf(source: Source, options: OpenOptions): Promise<Members | null> {
  if (source.folder) return membersIn(source.folder, options)
  if (isFolder(source)) {
    const { serverAt } = await import('./caterva2.js')
    const server = await serverAt(source.url!, options)
    if (server) return server
  }
  if (isNpz((await headOf(source.openable).catch(() => null)) ?? '')) {
    const { NpzMembers } = await import('./npz.js')
    return NpzMembers.open(source, options)
  }
  try {
    return await openStore(source.openable, options)
  } catch (error) {
    if (isB2ndError(error, 'unsupported')) return null
    throw error
  }
}

/** Whether a file that begins so is an archive of NumPy. */
const isNpz = (head: string): boolean => /^PK[^]{20,}\.npy/.test(head)

/** Whether a source that is no frame may be an archive or a server. */
export async function mayHaveMembers(source: Source, { code }: B2ndError): Promise<boolean> {
  if (code === 'http') return true
  return (await headOf(source.openable).catch(() => null))?.startsWith('PK') ?? false
}

/** Whether it is at an address of a directory, or of a server. */
const isFolder = ({ url }: Source): boolean => url?.endsWith('/') ?? false

/** The store that a directory is, or all frames that are in it. */
async function membersIn(folder: Folder, options: OpenOptions): Promise<Members | null> {
  const file = (path: string) => folder.get(path)!
  if (folder.has(EMBED)) return openStore({ list: () => [...folder.keys()], file }, options)
  const frames = [...folder].filter(([path]) => FRAME.test(path))
  return frames.length ? new FrameMembers(frames) : null
}

/** Frames in a directory that is no store. */
class FrameMembers implements Members {
  readonly kind = 'directory'
  readonly #files: ReadonlyMap<string, File>

  constructor(frames: readonly [path: string, file: File][]) {
    this.#files = new Map(frames.map(([path, file]) => [`/${path}`, file]))
  }

  keys(): string[] {
    return [...this.#files.keys()].sort()
  }

  get(key: string, options: OpenOptions): Promise<NDArray | SChunk> {
    return open(this.#files.get(key)!, options)
  }

  async attrs(): Promise<Attributes> {
    return {}
  }

  async close(): Promise<void> {}
}
