// The entry `b2nd/store`: many frames under keys, in a zip archive or in one frame, as python-blosc2 writes them.

import { bytesIn, utf8 } from './base/bytes.js'
import { Closeable } from './base/closeable.js'
import { argument, B2ndError, setName } from './base/errors.js'
import { checked, OPEN } from './base/validation.js'
import { limitsOf } from './engine/protocol.js'
import { valueIn } from './engine/values.js'
import { NDArray, open, SChunk, type Attributes, type Openable, type OpenOptions } from './index.js'
import { toSource } from './sources/openable.js'
import { sliceSource, type ByteSource } from './sources/source.js'
import { archiveIn, memberIn, type Member } from './store/archive.js'
import { getEngine, recipeOf } from './store/engine.js'
import { objectsIn, type Objects } from './store/objects.js'
import { tableIn, type Table } from './store/table.js'
import { itemsOf, windowOf } from './store/window.js'

export { Objects, objectsIn, type PackedArray } from './store/objects.js'
export type { ColumnSpec, ComputedColumn, TableSchema } from './store/schema.js'
export type { ArrowModule } from './store/arrow.js'
export type { Comparison } from './store/condition.js'
export {
  Column,
  Table,
  type Batch,
  type BatchOptions,
  type ColumnData,
  type ColumnKinds,
  type SearchOptions,
} from './store/table.js'
export { B2ndError, isB2ndError, type ErrorCode, type ErrorDetails } from './base/errors.js'

/** The file with small members in an archive. */
const EMBED = 'embed.b2e'
/** Embedded members of at most this many bytes are decoded as wholes. */
const MAX_WHOLE_BYTES = 2 ** 20
/** The last part of the key of a frame that holds a group's attributes. */
const ATTRIBUTES = '/__vlmeta__'

/** The kind of a store, by python-blosc2's name. */
type Kind = 'EmbedStore' | 'DictStore' | 'TreeStore'

/**
 * Where a member is stored: as it is in an `archive`, `compressed` or encrypted by the archive, as a `file` of a directory,
 * `embedded` in the frame of small members, or `remote`. Compressed and remote members cannot be opened.
 */
export type Storage = 'archive' | 'compressed' | 'file' | 'embedded' | 'remote'

/** Where a member is, and how it is opened, if it can be. */
interface Place {
  readonly storage: Storage
  readonly url?: string
  open?(options: OpenOptions): Promise<NDArray | SChunk>
}

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
 * `openStoreFile` of `b2nd/node` opens paths.
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
  if (!source.read) throw noStore(': a directory without a list of its files; give an object with `list` and `file`')
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
  const engine = await getEngine()
  // The directories of sparse frames may be members, too. Other directories are groups, whatever their names.
  const files = paths.map(path => path.replace(/\/chunks\.b2frame$/, ''))
  const keys = engine.call(recipeOf(limitsOf(options.limits)), 'keys', files.map(utf8), valueIn) as (string | null)[]
  for (const [at, key] of keys.entries())
    if (key) places.set(key, { storage: 'file', open: options => openAt(files[at]!, options) })
  return storeOf(await openAt(EMBED, options), places, options)
}

const noStore = (why = '') => new B2ndError('unsupported', `not a store${why}`)

async function opened(source: ByteSource, options: OpenOptions): Promise<Store> {
  const engine = await getEngine()
  const found = await archiveIn(engine, source, limitsOf(options.limits), options.signal)
  if (!found) {
    const frame = windowOf(source, 0, Number.MAX_SAFE_INTEGER)
    return storeOf(await open(frame, options), new Map(), options, source)
  }
  const places = new Map<string, Place>()
  let embed: Member | undefined
  for (const member of found.members) {
    const { key, name, isStored } = member
    const open = (options: OpenOptions) => openMember(found.source, member, options)
    if (name === EMBED) embed = member
    else if (key) places.set(key, isStored ? { storage: 'archive', open } : { storage: 'compressed' })
  }
  if (!embed) throw new B2ndError('unsupported', `an archive without ${EMBED} is no store`)
  return storeOf(await openMember(found.source, embed, options), places, options, source)
}

/** The store of these members and of those in the frame of small members; `undefined` if that is none. */
async function storeIn(
  embed: NDArray | SChunk,
  places: Map<string, Place>,
  options: OpenOptions,
  source?: ByteSource,
): Promise<Store | undefined> {
  if (!(embed instanceof SChunk)) return undefined
  const engine = await getEngine()
  const layers = [await embed.layers(false, options.signal), await embed.layers(true, options.signal)]
  const catalogue = engine.call(recipeOf(embed.limits), 'catalogue', layers, valueIn, embed.nbytes)
  if (!catalogue) return undefined
  // The place of a member is a range of the items of the frame, or the URL of one elsewhere.
  const [kind, members] = catalogue as [Kind, [key: string, start: number | string, end: number][]]
  for (const [key, start, end] of members) {
    if (places.has(key)) continue
    if (typeof start === 'string') places.set(key, { storage: 'remote', url: start })
    else places.set(key, { storage: 'embedded', open: options => openEmbedded(embed, start, end, options) })
  }
  return new Store(kind, { embed, places, options, source })
}

async function storeOf(...of: Parameters<typeof storeIn>): Promise<Store> {
  const store = await storeIn(...of)
  if (!store) throw noStore()
  return store
}

/** Opens a member in the frame of small members. Of a large one only what is read is decoded: it may be a claim. */
async function openEmbedded(embed: SChunk, start: number, end: number, options: OpenOptions) {
  const { signal } = options
  const isLarge = end - start > MAX_WHOLE_BYTES
  return open(isLarge ? itemsOf(embed, start, end) : await embed.get(start, end, { signal }), { ...options, offset: 0 })
}

/** Opens a member of an archive, which is where its own header puts it. */
async function openMember(archive: ByteSource, member: Member, options: OpenOptions): Promise<NDArray | SChunk> {
  if (!member.isStored) throw packed(member.name)
  const source = await memberIn(await getEngine(), archive, member, limitsOf(options.limits), options.signal)
  return open(source, { ...options, offset: 0 })
}

const packed = (name: string) =>
  new B2ndError('unsupported', `${name} is compressed or encrypted by the archive: unzip it`)

/** The parts of a store. */
interface Parts {
  readonly embed: SChunk
  readonly places: ReadonlyMap<string, Place>
  readonly options: OpenOptions
  readonly source: ByteSource | undefined
}

/** A store. */
export class Store extends Closeable {
  static {
    setName(this, 'Store')
  }
  /** The kind of store, by python-blosc2's name. */
  readonly kind: Kind
  readonly #parts: Parts
  #closing: Promise<void> | undefined

  /** @internal */
  constructor(kind: Kind, parts: Parts) {
    super()
    this.kind = kind
    this.#parts = parts
  }

  /** The keys of all members, sorted. They begin with a slash. */
  keys(): string[] {
    return [...this.#parts.places.keys()].filter(key => !key.endsWith(ATTRIBUTES)).sort()
  }

  /** Where a member is stored; `undefined` if there is none with this key. */
  storage(key: string): Storage | undefined {
    return this.#parts.places.get(key)?.storage
  }

  /** The URL or path of a member that is stored elsewhere, such as an array of a server; `undefined` of others. */
  url(key: string): string | undefined {
    return this.#parts.places.get(key)?.url
  }

  /**
   * Opens a member. Reading it requests only the ranges that are needed. Fails as `argument` if there is no such key, as
   * `unsupported` if it is compressed in the archive or stored elsewhere.
   */
  async get(key: string, options: OpenOptions = this.#parts.options): Promise<NDArray | SChunk> {
    checked(options, OPEN)
    const place = this.#parts.places.get(key)
    if (place === undefined) throw argument(`the store has no member ${key}`)
    if (place.open) return place.open(options)
    throw place.storage === 'remote'
      ? new B2ndError('unsupported', `${key} is stored elsewhere, at ${place.url}`)
      : packed(key)
  }

  /** Opens a member that is an array. Fails as `get` does, and as `argument` if it is not an array. */
  async getArray(key: string, options: OpenOptions = this.#parts.options): Promise<NDArray> {
    const member = await this.get(key, options)
    if (member instanceof NDArray) return member
    await member.close()
    throw argument(`${key} is not an array: use \`get\``)
  }

  /**
   * Opens a member that is a sequence of objects: an object, batch or list array. Fails as `get` does, as `argument` if it is no such
   * sequence, and as `unsupported` if the objects are stored as Arrow.
   */
  async getObjects(key: string, options: OpenOptions = this.#parts.options): Promise<Objects> {
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
    const table = (await tableIn(this, key, this.#parts.options)) ?? (await this.#tableAt(key))
    if (table) return table
    throw argument(`${group || 'the store'} is not a table`)
  }

  /** The table that a member is. */
  async #tableAt(key: string): Promise<Table | undefined> {
    if (!this.storage(key)) return undefined
    const member = await this.get(key)
    const store = await storeIn(member, new Map(), this.#parts.options)
    const table = store && (await tableIn(store, '', this.#parts.options, store))
    if (!table) await member.close()
    return table
  }

  /** The attributes of a group, or of the store for `''`. */
  async attrs(group = '', options: { signal?: AbortSignal | undefined } = {}): Promise<Attributes> {
    const key = group.replace(/\/+$/, '') + ATTRIBUTES
    if (!this.#parts.places.has(key)) return {}
    const frame = await this.get(key, { ...this.#parts.options, ...options })
    try {
      return await frame.attrs(options)
    } finally {
      await frame.close()
    }
  }

  /** Opens the members in the order of their keys. Fails as `get` does. */
  async *[Symbol.asyncIterator](): AsyncGenerator<[key: string, member: NDArray | SChunk], void, undefined> {
    for (const key of this.keys()) yield [key, await this.get(key)]
  }

  /** Closes the source. Members that were opened cannot be read any more, except for embedded ones. */
  override close(): Promise<void> {
    return (this.#closing ??= this.#parts.embed.close().then(() => this.#parts.source?.close?.()))
  }
}
