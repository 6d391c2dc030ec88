// Archives of arrays of NumPy (.npz).
import { argument } from '../../js/base/errors.js'
import { open, type Attributes, type NDArray, type OpenOptions, type SChunk } from '../../js/index.js'
import { dataStart, directoryIn, LOCAL, membersIn, TAIL, type Member } from '../../js/store/zip.js'
import type { Source } from '../data/dataset.js'
import type { Members } from '../data/members.js'
import { encoded } from './encoded.js'
import { blobOf } from './head.js'
import { inflated, inflatedBytes } from './inflate.js'
import { bytesOf, HEAD, npyHeaderIn, readNpy } from './npy.js'
import { checkSize, named, wrong, type Values } from './values.js'

const ENDING = '.npy'

/** The arrays of an archive. Each is encoded when it is opened. */
export class NpzMembers implements Members {
  readonly kind = 'NumPy archive'
  readonly isImported = true
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
    const [start, end] = directoryIn(await bytesOf(file, Math.max(0, file.size - TAIL)), file.size)
    checkSize(end - start, 'the directory of the archive')
    const members = membersIn(await bytesOf(file, start, end), start)
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

/** The array of a member. Of a compressed one, no more is decompressed than the array needs. */
async function readMember(file: Blob, member: Member): Promise<Values> {
  const { header, length, end, name } = member
  const start = dataStart(await bytesOf(file, header, Math.min(end, header + LOCAL)), member)
  const stored = file.slice(start, start + length)
  if (member.isStored) return readNpy(stored)
  const damaged = (cause: unknown) => wrong(`${name}: the archive is damaged`, cause)
  const head = await inflatedBytes(stored, 'deflate-raw', HEAD).catch((cause: unknown) => {
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
