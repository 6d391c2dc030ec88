// Files of an editor: ranges of those on a disk; of others, which editors only read whole, the bytes.
import { open, stat } from 'node:fs/promises'
import * as vscode from 'vscode'

/** The most bytes of a file that is read whole. */
const MAX_WHOLE_BYTES = 512e6
/** The most bytes of one read. */
const MAX_READ_BYTES = 2 ** 28

export interface OpenFile {
  readonly uri: vscode.Uri
  readonly size: number
  /** It differs once the file has changed. */
  readonly stamp: string
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>
  close(): Promise<void>
}

/** Opens a file. Fails if there is none, or if it must be read whole and is too large. */
export async function openFile(uri: vscode.Uri): Promise<OpenFile> {
  return uri.scheme === 'file' ? fileOnDisk(uri) : wholeFile(uri)
}

async function fileOnDisk(uri: vscode.Uri): Promise<OpenFile> {
  // Opening a pipe would wait for a process that writes to it, and a device has no ranges.
  if (!(await stat(uri.fsPath)).isFile()) throw new Error(`${uri.fsPath} is no file`)
  const handle = await open(uri.fsPath)
  const { size, mtimeMs, ino } = await handle.stat()
  return {
    uri,
    size,
    stamp: `${ino} ${mtimeMs} ${size}`,
    async read(offset, length) {
      const bytes = new Uint8Array(within(offset, length, size))
      let filled = 0
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, offset + filled)
        if (!bytesRead) break
        filled += bytesRead
      }
      return bytes.subarray(0, filled)
    },
    close: () => handle.close(),
  }
}

async function wholeFile(uri: vscode.Uri): Promise<OpenFile> {
  const { size, mtime } = await vscode.workspace.fs.stat(uri)
  if (size > MAX_WHOLE_BYTES)
    throw new Error(`${uri.path} has ${size} bytes: of files of ${uri.scheme}: only ${MAX_WHOLE_BYTES} are read`)
  const bytes = new Uint8Array(await vscode.workspace.fs.readFile(uri))
  return {
    uri,
    size: bytes.length,
    stamp: `${mtime} ${size}`,
    read: async (offset, length) => bytes.slice(offset, offset + within(offset, length, bytes.length)),
    close: async () => {},
  }
}

/** The bytes of a read that are in the file. */
function within(offset: number, length: number, size: number): number {
  if (!(offset >= 0) || !(length >= 0) || length > MAX_READ_BYTES) throw new RangeError(`${length} bytes at ${offset}`)
  return Math.max(0, Math.min(length, size - offset))
}
