// Files and directories as they are dropped and chosen.
import type { ByteSource, SparseSource } from '../../js/index.js'
import type { Source } from '../data/dataset.js'

export interface Found extends Source {
  /** To be opened again after a reload, where the browser has such. */
  handle?: FileSystemHandle
}

/** Everything that was dropped. Must be called within the event: afterwards browsers forget. */
export function dropped(transfer: DataTransfer): Promise<Found[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const link = transfer.getData('text/uri-list').split('\n').find(line => /^https?:/.test(line))
  const found = items.map(item => {
    const handle = (item as { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }).getAsFileSystemHandle?.()
    const entry = item.webkitGetAsEntry()
    const file = item.getAsFile()
    return resolve(handle, entry, file)
  })
  return Promise.all(found).then(lists => [...lists.flat(), ...(link && !items.length ? [{ name: link, openable: link, url: link }] : [])])
}

async function resolve(handle: Promise<FileSystemHandle | null> | undefined, entry: FileSystemEntry | null, file: File | null): Promise<Found[]> {
  const known = await handle?.catch(() => null)
  if (known) return [fromHandle(known)]
  if (entry?.isDirectory) return [sparse(entry.name, await filesOf(entry as FileSystemDirectoryEntry))]
  return file ? [{ name: file.name, openable: file }] : []
}

export const fromHandle = (handle: FileSystemHandle): Found =>
  ({ name: handle.name, openable: handle as FileSystemFileHandle | FileSystemDirectoryHandle, handle })

/** Files from a chooser; those of a directory are one sparse frame. */
export function chosen(files: readonly File[]): Found[] {
  const folder = files[0]?.webkitRelativePath.split('/')[0]
  return folder ? [sparse(folder, files)] : files.map(file => ({ name: file.name, openable: file }))
}

function sparse(name: string, files: readonly File[]): Found {
  const byName = new Map(files.map(file => [file.name, file]))
  const source: SparseSource = {
    part(number): ByteSource {
      const file = byName.get(number < 0 ? 'chunks.b2frame' : `${number.toString(16).toUpperCase().padStart(8, '0')}.chunk`)
      if (!file) throw new Error(number < 0 ? 'this directory holds no sparse frame: there is no chunks.b2frame in it' : `the file of chunk ${number} is missing`)
      return { size: file.size, read: async (offset, length) => new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()) }
    },
  }
  return { name, openable: source }
}

function filesOf(directory: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = directory.createReader()
  return new Promise((resolve, reject) => {
    const files: Promise<File>[] = []
    // Each call gives some entries, the last one none.
    const next = () => reader.readEntries(entries => {
      for (const entry of entries) if (entry.isFile) files.push(new Promise((done, failed) => (entry as FileSystemFileEntry).file(done, failed)))
      if (entries.length) next()
      else resolve(Promise.all(files))
    }, reject)
    next()
  })
}
