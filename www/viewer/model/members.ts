// The members of a store.
import type { Attributes, NDArray, OpenOptions, SChunk } from '../../js/index.js'
import type { Table } from '../../js/store/table.js'
import { Dataset, type Source } from './dataset.js'
import { rowsOfObjects, rowsOfTable, type Rows } from './rows.js'

/** Signing in at a server. */
export interface Account {
  readonly isSignedIn: boolean
  /** Fails as `http` if the server refuses the name or the password. */
  signIn(name: string, password: string): Promise<void>
  signOut(): Promise<void>
}

/** The parts of a store that the viewer needs. */
export interface Members {
  readonly kind: string
  /** The origin of members that are in memory, as a sentence. */
  readonly imported?: string | undefined
  /** Who signs in sees more members. */
  readonly account?: Account | undefined
  /** Sorted. They begin with a slash. */
  keys(): string[]
  get(key: string, options: OpenOptions): Promise<NDArray | SChunk>
  /** The address of a member, if it has one of its own. */
  urlOf?(key: string): string
  attrs(group: string): Promise<Attributes>
  /** The groups that are tables. */
  tables?(): string[]
  getTable?(group: string): Promise<Table>
  close(): Promise<void>
}

/** Opens a member: an array, the items of a frame, or rows. */
export async function openMember(
  members: Members,
  key: string,
  from: Partial<Pick<Source, 'name' | 'url' | 'remote'>>,
  options: OpenOptions,
): Promise<Dataset | Rows> {
  if (members.tables?.().includes(key)) return rowsOfTable(await members.getTable!(key))
  const member = await members.get(key, { ...options, asStored: true })
  const own = members.urlOf?.(key)
  const url = own ?? from.url
  const source = {
    name: lastOf(key),
    ...(url && { url }),
    ...(!own && from.name && { member: { store: from.name, key } }),
    ...(from.remote && { remote: true }),
    imported: members.imported,
  }
  return (await rowsOfObjects(member, options.signal)) ?? Dataset.of(source, member, options)
}

/** The last name of a key. */
export const lastOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)
