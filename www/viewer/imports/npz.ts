// Archives of arrays of NumPy (.npz).
import { argument } from '../../js/base/errors.js'
import { open, type Attributes, type NDArray, type OpenOptions, type SChunk } from '../../js/index.js'
import { dataStart, directoryIn, LOCAL, membersIn, TAIL, type Member } from '../../js/store/zip.js'
import type { Source } from '../data/dataset.js'
import type { Members } from '../data/members.js'
import { encoded } from './encoded.js'
import { blobOf } from './head.js'
import { bytesOf, readNpy } from './npy.js'
import { checkSize, MOST, wrong } from './values.js'

const ENDING = '.npy'

/** The arrays of an archive. Each is encoded when it is opened. */
export class NpzMembers implements Members {
  readonly kind = 'NumPy archive'
  readonly isImported = true
  readonly #file: Blob
  readonly #members: ReadonlyMap<string, Member>

  private constructor(file: Blob, members: ReadonlyMap<string, Member>) {
    this.#file = file
    this.#members = members
  }

  static async open({ openable }: Source, { signal }: OpenOptions): Promise<NpzMembers> {
    const file = await blobOf(openable, signal)
    const [start, end] = directoryIn(await bytesOf(file, Math.max(0, file.size - TAIL)), file.size)
    checkSize(end - start, 'the directory of the archive')
    const members = membersIn(await bytesOf(file, start, end), start)
      .filter(({ name }) => name.endsWith(ENDING))
      .map(member => [`/${member.name.slice(0, -ENDING.length)}`, member] as const)
    return new NpzMembers(file, new Map(members))
  }

  keys(): string[] {
    return [...this.#members.keys()].sort()
  }

  async get(key: string, options: OpenOptions): Promise<NDArray | SChunk> {
    const member = this.#members.get(key)
    if (!member) throw argument(`there is no ${key}`)
    const values = await readNpy(await contentOf(this.#file, member))
    return open(await encoded(values, { signal: options.signal, onProgress: () => {} }), options)
  }

  async attrs(): Promise<Attributes> {
    return {}
  }

  async close(): Promise<void> {}
}

async function contentOf(file: Blob, member: Member): Promise<Blob> {
  const { header, length, end, name } = member
  const start = dataStart(await bytesOf(file, header, Math.min(end, header + LOCAL)), member)
  const stored = file.slice(start, start + length)
  return member.isStored ? stored : inflated(stored, name)
}

/** Decompresses a member, as far as memory suffices for it. */
async function inflated(stored: Blob, name: string): Promise<Blob> {
  let size = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if ((size += chunk.length) > MOST) controller.error(new RangeError(name))
      else controller.enqueue(chunk)
    },
  })
  try {
    const plain = stored.stream().pipeThrough(new DecompressionStream('deflate-raw')).pipeThrough(counted)
    return await new Response(plain).blob()
  } catch (cause) {
    checkSize(size, name)
    throw wrong(`${name}: the archive is damaged`, cause)
  }
}
