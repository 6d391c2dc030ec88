// Dropped and chosen files and directories.
import type { ByteSource, SparseSource } from '../../js/index.js'
import type { Source } from '../model/dataset.js'

export interface Found extends Source {
  /** A handle to open it again after a reload, if the browser supports that. */
  handle?: FileSystemHandle
}

/** Files of a directory by their relative paths. */
type Folder = Map<string, File>

/** Everything that was dropped. Must be called during the event, because browsers clear the data afterwards. */
export function dropped(transfer: DataTransfer): Promise<Found[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const link = transfer
    .getData('text/uri-list')
    .split('\n')
    .find(line => /^https?:/.test(line))
  const found = items.map(item => {
    const handle = (
      item as { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }
    ).getAsFileSystemHandle?.()
    const entry = item.webkitGetAsEntry()
    const file = item.getAsFile()
    return resolve(handle, entry, file)
  })
  return Promise.all(found).then(lists => [
    ...lists.flat(),
    ...(link && !items.length ? [{ name: link, openable: link, url: link }] : []),
  ])
}

async function resolve(
  handle: Promise<FileSystemHandle | null> | undefined,
  entry: FileSystemEntry | null,
  file: File | null,
): Promise<Found[]> {
  const known = await handle?.catch(() => null)
  if (known) return fromHandle(known)
  if (entry?.isDirectory) return folder(entry.name, await filesOf(entry as FileSystemDirectoryEntry))
  return file ? [fromFile(file)] : []
}

/** The contents of a handle: a file, a sparse frame, or a store. */
export async function fromHandle(handle: FileSystemHandle): Promise<Found[]> {
  const whole = { name: handle.name, openable: handle as FileSystemFileHandle | FileSystemDirectoryHandle, handle }
  if (handle.kind === 'file') return [whole]
  const directory = handle as FileSystemDirectoryHandle
  if (await directory.getFileHandle('chunks.b2frame').catch(() => null)) return [whole]
  return folder(handle.name, await filesBehind(directory)).map(found => ({ ...found, handle }))
}

/** Files from a chooser; those of a directory belong together. */
export async function chosen(files: readonly File[]): Promise<Found[]> {
  const [name] = files[0]?.webkitRelativePath.split('/') ?? []
  if (name) return folder(name, new Map(files.map(file => [file.webkitRelativePath.slice(name.length + 1), file])))
  return files.map(fromFile)
}

const fromFile = (file: File): Found => ({ name: file.name, openable: file })

/** A sparse frame or a store. */
function folder(name: string, files: Folder): Found[] {
  const source: SparseSource = {
    part(number): ByteSource {
      const part = number < 0 ? 'chunks.b2frame' : `${number.toString(16).toUpperCase().padStart(8, '0')}.chunk`
      const file = files.get(part)
      if (!file) throw new Error(`${part} is missing`)
      return {
        size: file.size,
        read: async (offset, length) => new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()),
      }
    },
  }
  return [{ name, openable: source, ...(!files.has('chunks.b2frame') && { folder: files }) }]
}

/** All files below a dropped directory. */
async function filesOf(directory: FileSystemDirectoryEntry, below = '', files: Folder = new Map()): Promise<Folder> {
  const reader = directory.createReader()
  for (;;) {
    // Each call returns some entries, the last one none.
    const entries = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed))
    if (!entries.length) return files
    for (const entry of entries) {
      if (entry.isFile)
        files.set(
          below + entry.name,
          await new Promise((done, failed) => (entry as FileSystemFileEntry).file(done, failed)),
        )
      else await filesOf(entry as FileSystemDirectoryEntry, `${below}${entry.name}/`, files)
    }
  }
}

async function filesBehind(
  directory: FileSystemDirectoryHandle,
  below = '',
  files: Folder = new Map(),
): Promise<Folder> {
  for await (const handle of (
    directory as FileSystemDirectoryHandle & { values(): AsyncIterable<FileSystemHandle> }
  ).values()) {
    if (handle.kind === 'file') files.set(below + handle.name, await handle.getFile())
    else await filesBehind(handle, `${below}${handle.name}/`, files)
  }
  return files
}
