// The entry `b2nd/store`: many frames under keys, in a zip archive or in one frame, as python-blosc2 writes them.

import { bytesIn } from './base/bytes.js'
import { argument, B2ndError, setName } from './base/errors.js'
import { checked, OPEN } from './base/validation.js'
import {
  isB2ndError,
  NDArray,
  open,
  SChunk,
  type Attributes,
  type Data,
  type Openable,
  type OpenOptions,
} from './index.js'
import { toSource } from './sources/openable.js'
import { sliceSource, type ByteSource } from './sources/source.js'
import { objectsIn, type Objects } from './store/objects.js'
import { tableIn, type Table } from './store/table.js'
import { itemsOf, sizeOf, windowOf, withTail } from './store/window.js'
import { dataStart, directoryIn, LOCAL, membersIn, TAIL, type Member } from './store/zip.js'

export { Objects, type PackedArray } from './store/objects.js'
export type { ColumnSpec, ComputedColumn, TableSchema } from './store/schema.js'
export { Column, Table } from './store/table.js'
export { B2ndError, isB2ndError, type ErrorCode, type ErrorDetails } from './base/errors.js'

/** The file with small members in an archive. */
const EMBED = 'embed.b2e'
/** Embedded members of at most this many bytes are decoded as wholes. */
const SMALL = 2 ** 20
/** The last part of the key of a frame that holds a group's attributes. */
const ATTRIBUTES = '/__vlmeta__'
const KINDS = { b2embed: 'EmbedStore', b2dict: 'DictStore', b2tree: 'TreeStore' } as const

/**
 * Where a member is stored: as it is in an `archive`, `compressed` or encrypted by the archive, as a `file` of a directory,
 * `embedded` in the frame of small members, or `remote`. Compressed and remote members cannot be opened.
 */
export type Storage = 'archive' | 'compressed' | 'file' | 'embedded' | 'remote'

/** The place of an embedded member: a range of the items of the frame of small members. */
type Embedded = readonly [start: number, end: number] | null
/** A member with a place of its own. */
interface Outside {
  readonly storage: 'archive' | 'compressed' | 'file'
  open(options: OpenOptions): Promise<NDArray | SChunk>
}
type Place = Outside | Embedded

/** The files of a `.b2d` directory. `b2nd/node` makes one of a path: `folderSource`. */
export interface FolderSource {
  /** The paths of all files below the directory, relative to it, with slashes. */
  list(): readonly string[] | Promise<readonly string[]>
  /** Opens a file: what it returns is [opened](#openable) as others are. */
  file(path: string): Openable | Promise<Openable>
}

/**
 * Opens a store: a `.b2z` archive, a `.b2e` frame, or the files of a `.b2d` directory. It reads the end of an archive, in which
 * small members usually are, or the frame's header and end. Fails as `unsupported` if it is not a store, as `format` if its catalogue is damaged.
 *
 * `options` are those of the members, too.
 */
export async function openStore(openable: Openable | FolderSource, options: OpenOptions = {}): Promise<Store> {
  checked(options, OPEN)
  if (isFolder(openable)) return openedFolder(openable, options)
  const made = await toSource(openable, options)
  const bytes = bytesIn(made)
  const source = bytes
    ? sliceSource(bytes.length, (start, end) => bytes.slice(start, end).buffer)
    : (made as ByteSource)
  if (!source.read) throw noStore()
  try {
    return await opened(source, options)
  } catch (error) {
    await source.close?.()
    throw error
  }
}

/**
 * Opens a frame that is a sequence of objects by itself: an object, batch or list array (`.b2b`). Fails as `argument` if it is no such
 * sequence, and as `unsupported` if the objects are stored as Arrow.
 */
export async function openObjects(openable: Openable, options: OpenOptions = {}): Promise<Objects> {
  return objectsOf(await open(openable, options), 'the frame', options)
}

async function objectsOf(frame: NDArray | SChunk, name: string, { signal }: OpenOptions): Promise<Objects> {
  const objects = await objectsIn(frame, { signal })
  if (objects) return objects
  await frame.close()
  throw argument(`${name} is not a sequence of objects`)
}

const isFolder = (openable: Openable | FolderSource): openable is FolderSource =>
  typeof (openable as Partial<FolderSource> | null)?.list === 'function'

/** Opens a store whose members are files. */
async function openedFolder(folder: FolderSource, options: OpenOptions): Promise<Store> {
  const openAt = async (path: string, options: OpenOptions) => open(await folder.file(path), options)
  const paths = await folder.list()
  if (!paths.includes(EMBED)) throw noStore()
  const places = new Map<string, Place>()
  for (const path of members(paths)) add(places, path, { storage: 'file', open: options => openAt(path, options) })
  return storeOf(await openAt(EMBED, options), places, options)
}

/** The file of a sparse frame with everything but its chunks. */
const INDEX = '/chunks.b2frame'

/** The files that may be members, and the directories of sparse frames. Other directories are groups, whatever their names. */
const members = (paths: readonly string[]): string[] =>
  paths.map(path => (path.endsWith(INDEX) ? path.slice(0, -INDEX.length) : path))

/** Adds a member, if the name is that of a frame. */
function add(places: Map<string, Place>, name: string, place: Outside): void {
  const [, key] = /^(.*)\.(?:b2nd|b2f|b2b)$/.exec(name) ?? []
  if (key) places.set(`/${key}`, place)
}

const noStore = () => new B2ndError('unsupported', 'not a store: it has no frame of small members')

async function opened(source: ByteSource, options: OpenOptions): Promise<Store> {
  const { signal } = options
  const start = await source.read(0, 4, { signal })
  if (start[0] !== 0x50 || start[1] !== 0x4b) {
    const frame = windowOf(source, 0, Number.MAX_SAFE_INTEGER)
    return storeOf(await open(frame, options), new Map(), options, source)
  }
  const size = source.size ?? (await sizeOf(source, signal))
  const tail = await source.read(Math.max(0, size - TAIL), Math.min(size, TAIL), { signal })
  const archive = withTail(source, size, tail)
  const [from, to] = directoryIn(tail, size)
  const places = new Map<string, Place>()
  let embed: Member | undefined
  for (const member of membersIn(await archive.read(from, to - from, { signal }), from)) {
    const storage = member.isStored ? 'archive' : 'compressed'
    if (member.name === EMBED) embed = member
    else add(places, member.name, { storage, open: options => openMember(archive, member, options) })
  }
  if (!embed) throw noStore()
  return storeOf(await openMember(archive, embed, options), places, options, source)
}

/** Adds the members of the frame of small members. */
async function storeOf(
  embed: NDArray | SChunk,
  places: Map<string, Place>,
  options: OpenOptions,
  source?: ByteSource,
): Promise<Store> {
  const kind = Object.entries(KINDS).find(([name]) => name in embed.meta)?.[1]
  if (!kind || !(embed instanceof SChunk)) throw noStore()
  const { estore_metadata: catalogue } = (await embed.attrs(options)) as { estore_metadata?: { embed_map?: unknown } }
  for (const [key, value] of Object.entries(catalogue?.embed_map ?? {}))
    if (!places.has(key)) places.set(key, embedded(key, value, embed.nbytes))
  return new Store(kind, embed, places, options, source)
}

function embedded(key: string, value: unknown, nbytes: number): Embedded {
  const { offset, length } = Object(value) as { offset?: unknown; length?: unknown }
  if (offset === undefined && Object(value) === value) return null
  const [start, end] = [Number(offset), Number(offset) + Number(length)]
  if (start >= 0 && start <= end && end <= nbytes) return [start, end]
  throw new B2ndError('format', `the catalogue of the store: ${key} is not in its frame`)
}

/** Opens a member of an archive. Its own header is only read if the frame is not where the directory puts it. */
async function openMember(archive: ByteSource, member: Member, options: OpenOptions): Promise<NDArray | SChunk> {
  const at = (start: number) => open(windowOf(archive, start, member.length), { ...options, offset: 0 })
  const likely = member.end - member.length
  try {
    return await at(likely)
  } catch (error) {
    if (!isB2ndError(error, 'format')) throw error
    const start = dataStart(await archive.read(member.header, LOCAL, { signal: options.signal }), member)
    if (start === likely) throw error
    return at(start)
  }
}

/** A store. */
export class Store {
  static {
    setName(this, 'Store')
  }
  /** The kind of store, by python-blosc2's name. */
  readonly kind: (typeof KINDS)[keyof typeof KINDS]
  readonly #embed: SChunk
  readonly #places: ReadonlyMap<string, Place>
  readonly #options: OpenOptions
  readonly #source: ByteSource | undefined

  /** @internal */
  constructor(
    kind: Store['kind'],
    embed: SChunk,
    places: ReadonlyMap<string, Place>,
    options: OpenOptions,
    source: ByteSource | undefined,
  ) {
    this.kind = kind
    this.#embed = embed
    this.#places = places
    this.#options = options
    this.#source = source
  }

  /** The keys of all members, sorted. They begin with a slash. */
  keys(): string[] {
    return [...this.#places.keys()].filter(key => !key.endsWith(ATTRIBUTES)).sort()
  }

  /** Where a member is stored; `undefined` if there is none with this key. */
  storage(key: string): Storage | undefined {
    const place = this.#places.get(key)
    if (!place) return place === null ? 'remote' : undefined
    return 'storage' in place ? place.storage : 'embedded'
  }

  /**
   * Opens a member. Reading it requests only the ranges that are needed. Fails as `argument` if there is no such key, as
   * `unsupported` if it is compressed in the archive or stored elsewhere.
   */
  async get(key: string, options: OpenOptions = this.#options): Promise<NDArray | SChunk> {
    checked(options, OPEN)
    const place = this.#places.get(key)
    if (place === undefined) throw argument(`the store has no member ${key}`)
    if (place === null) throw new B2ndError('unsupported', `${key} is stored elsewhere`)
    if (!('storage' in place)) {
      const [start, end] = place
      // Of a large one only what is read is decoded: it may be a claim.
      const openable =
        end - start > SMALL ? itemsOf(this.#embed, start, end) : await this.#embed.get(start, end, options)
      return open(openable, { ...options, offset: 0 })
    }
    if (place.storage !== 'compressed') return place.open(options)
    throw new B2ndError('unsupported', `${key} is compressed or encrypted by the archive`)
  }

  /** Opens a member that is an array. Fails as `get` does, and as `argument` if it is not an array. */
  async getArray<D extends Data = Data>(key: string, options: OpenOptions = this.#options): Promise<NDArray<D>> {
    const member = await this.get(key, options)
    if (member instanceof NDArray) return member as NDArray<D>
    await member.close()
    throw argument(`${key} is not an array: use \`get\``)
  }

  /**
   * Opens a member that is a sequence of objects: an object, batch or list array. Fails as `get` does, as `argument` if it is no such
   * sequence, and as `unsupported` if the objects are stored as Arrow.
   */
  async getObjects(key: string, options: OpenOptions = this.#options): Promise<Objects> {
    return objectsOf(await this.get(key, options), key, options)
  }

  /** The keys of the groups that are tables. The whole store is `''`. */
  tables(): string[] {
    return this.keys().flatMap(key => (key.endsWith('/_meta') ? key.slice(0, -'/_meta'.length) : []))
  }

  /**
   * Opens the table that a group is, or the whole store for `''`. In a frame of frames, a table is a member that is such a frame itself.
   * Fails as `argument` if it is no table.
   */
  async getTable(group = ''): Promise<Table> {
    const key = group.replace(/\/+$/, '')
    const table = (await tableIn(this, key, this.#options)) ?? (await this.#tableAt(key))
    if (table) return table
    throw argument(`${group || 'the store'} is not a table`)
  }

  /** The table that a member is. */
  async #tableAt(key: string): Promise<Table | undefined> {
    if (!this.storage(key)) return undefined
    const member = await this.get(key)
    if ('b2embed' in member.meta) return tableIn(await storeOf(member, new Map(), this.#options), '', this.#options)
    await member.close()
    return undefined
  }

  /** The attributes of a group, or of the store for `''`. */
  async attrs(group = '', options: { signal?: AbortSignal | undefined } = {}): Promise<Attributes> {
    const key = group.replace(/\/+$/, '') + ATTRIBUTES
    if (!this.#places.has(key)) return {}
    const frame = await this.get(key, { ...this.#options, ...options })
    try {
      return await frame.attrs(options)
    } finally {
      await frame.close()
    }
  }

  /** Closes the source. Members that were opened cannot be read any more, except for embedded ones. */
  async close(): Promise<void> {
    await this.#embed.close()
    await this.#source?.close?.()
  }
}
