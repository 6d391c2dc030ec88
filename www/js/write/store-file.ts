// The file of a store that is changed: a new file takes its place as a whole.

import { viewOf } from '../base/bytes.js'
import { B2ndError } from '../base/errors.js'
import { editedFile, fileStream, targetOf, type Editable, type Sink, type WritableFileHandle } from './files.js'
import { memoryFile, type MemoryFile } from './memory-file.js'
import { collected, scratchFile } from './node-file.js'
import type { Target } from './target.js'

const isHandle = (file: unknown): file is WritableFileHandle =>
  typeof (file as WritableFileHandle | undefined)?.createWritable === 'function'
const isMemory = (file: unknown): file is MemoryFile => (file as MemoryFile | undefined)?.bytes instanceof Uint8Array

const isPath = (file: unknown): file is string | URL => typeof file === 'string' || file instanceof URL

/** Refuses the paths of other stores than archives, which programs know by their names. */
export function checkArchive(file: unknown): void {
  if (isPath(file) && /\.b2[de]$/.test(`${file}`))
    throw new B2ndError('unsupported', `${file} is no archive (.b2z): \`b2nd repack\` converts stores`)
}

/** Opens the file of a store to change it. */
export async function openedStore(file: Editable): Promise<Target> {
  const target = await editedFile(file)
  if (isPath(file)) await collected(file)
  if (target.successor) return target
  if (isMemory(file)) return { ...target, successor: () => memorySuccessor(file) }
  if (isHandle(file)) return { ...target, successor: () => handleSuccessor(file) }
  await target.close?.()
  throw new B2ndError(
    'unsupported',
    'a store is replaced as a whole, which needs a path, a file handle or a memory file',
  )
}

/** Creates the file of a new store. */
export async function newStore(sink: Sink): Promise<Target> {
  if (isHandle(sink)) return handleSuccessor(sink)
  return isMemory(sink) ? memorySuccessor(sink) : targetOf(sink)
}

/** A file for something that is not in the store yet: beside the store, or in memory. It is gone when it is closed. */
export const scratch = (sink: Sink): Promise<Target> =>
  isPath(sink) ? scratchFile(sink) : Promise.resolve(memoryTarget())

function memoryTarget(file = memoryFile()): Target {
  return {
    read: async (offset, length) => file.read(offset, length),
    write: (offset, bytes) => file.write(offset, bytes),
    truncate: length => file.truncate(length),
  }
}

async function memorySuccessor(file: MemoryFile): Promise<Target> {
  const next = memoryFile()
  return {
    ...memoryTarget(next),
    publish() {
      file.truncate(0)
      file.write(0, next.bytes)
    },
    successor: () => memorySuccessor(file),
  }
}

/** A file that is written takes the place of the old one when it is published. */
async function handleSuccessor(handle: WritableFileHandle): Promise<Target> {
  const stream = await handle.createWritable()
  const { write, truncate } = fileStream(stream)
  return {
    write,
    truncate,
    abort: reason => stream.abort(reason),
    read: async (offset, length) => viewOf(await (await handle.getFile()).slice(offset, offset + length).arrayBuffer()),
    publish: () => stream.close(),
    successor: () => handleSuccessor(handle),
  }
}

/** A scratch file with the frame of a new member. `complete` gets it when it is closed, if no other has taken its place. */
export function stagedFile(
  file: Target,
  make: () => Promise<Target>,
  complete: (file: Target) => Promise<void>,
): Target {
  let isReplaced = false
  return {
    ...file,
    close: () => (isReplaced ? file.close?.() : complete(file)),
    successor: async () => ({
      ...stagedFile(await make(), make, complete),
      publish() {
        isReplaced = true
      },
    }),
  }
}
