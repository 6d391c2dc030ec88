// Archives of arrays of NumPy (.npz).
import { argument } from '../../js/base/errors.js'
import { LIMITS } from '../../js/engine/protocol.js'
import { open, type Attributes, type NDArray, type OpenOptions, type SChunk } from '../../js/index.js'
import type { ByteSource } from '../../js/sources/source.js'
import { archiveIn, startOf, type Member } from '../../js/store/archive.js'
import { getEngine } from '../../js/store/engine.js'
import type { Source } from '../model/dataset.js'
import type { Members } from '../model/members.js'
import { encoded } from './encoded.js'
import { blobOf } from './head.js'
import { inflated, inflatedBytes } from './inflate.js'
import { bytesOf, MAX_HEADER_BYTES, npyHeaderIn, readNpy } from './npy.js'
import { checkSize, CONVERTED, named, wrong, type Values } from './values.js'

const ENDING = '.npy'

/** The arrays of an archive. Each is encoded when it is opened. */
export class NpzMembers implements Members {
  readonly kind = 'NumPy archive'
  readonly imported = CONVERTED
  readonly #file: Blob
  readonly #members: ReadonlyMap<string, Member>

  readonly #name: string

  private constructor(name: string, file: Blob, members: ReadonlyMap<string, Member>) {
    this.#name = name
    this.#file = file
    this.#members = members
  }

  static async open({ openable, name }: Source, { signal }: OpenOptions): Promise<NpzMembers> {
    const file = await blobOf(openable, signal)
    const archive = await archiveIn(await getEngine(), sourceOf(file), LIMITS, signal)
    const members = (archive?.members ?? [])
      .filter(({ name }) => name.endsWith(ENDING))
      .map(member => [`/${member.name.slice(0, -ENDING.length)}`, member] as const)
    return new NpzMembers(name, file, new Map(members))
  }

  keys(): string[] {
    return [...this.#members.keys()].sort()
  }

  async get(key: string, options: OpenOptions): Promise<NDArray | SChunk> {
    const member = this.#members.get(key)
    if (!member) throw argument(`there is no ${key}`)
    try {
      const values = await readMember(this.#file, member)
      return await open(await encoded(values, { signal: options.signal, onProgress: () => {} }), options)
    } catch (error) {
      options.signal?.throwIfAborted()
      throw named(`${this.#name}${key}`, error)
    }
  }

  async attrs(): Promise<Attributes> {
    return {}
  }

  async close(): Promise<void> {}
}

const sourceOf = (file: Blob): ByteSource => ({
  size: file.size,
  read: (offset, length) => bytesOf(file, offset, offset + length),
})

/** The array of a member. Of a compressed one, no more is decompressed than the array needs. */
async function readMember(file: Blob, member: Member): Promise<Values> {
  const { name } = member
  const { start } = await startOf(await getEngine(), sourceOf(file), member, LIMITS)
  const stored = file.slice(start, start + member.end - member.start)
  if (member.isStored) return readNpy(stored)
  const damaged = (cause: unknown) => wrong(`${name}: the archive is damaged`, cause)
  const head = await inflatedBytes(stored, 'deflate-raw', MAX_HEADER_BYTES).catch((cause: unknown) => {
    throw damaged(cause)
  })
  const { start: from, ...values } = npyHeaderIn(head)
  const items = async (needed: number) => {
    checkSize(needed, name)
    const parts: Blob[] = []
    try {
      for await (const part of inflated(stored, 'deflate-raw', from + needed)) parts.push(new Blob([part]))
    } catch (cause) {
      throw damaged(cause)
    }
    return new Blob(parts).slice(from)
  }
  return { ...values, items }
}
