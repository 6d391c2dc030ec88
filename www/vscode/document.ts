// A document of the editor: a file, and the segmentation beside it. Both are opened anew when they change.
import * as vscode from 'vscode'
import { segmentationOf } from '../viewer/open/segmentation.js'
import { openFile, type OpenFile } from './file.js'

/** How long nothing must change before files are opened anew: programs write them in parts. */
const QUIET_MS = 500

export class ArrayDocument implements vscode.CustomDocument {
  readonly uri: vscode.Uri
  /** They are called when the files were opened anew. */
  readonly onChange = new Set<() => void>()
  #files: readonly OpenFile[]
  #first = 0
  readonly #watcher: vscode.FileSystemWatcher
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false
  /** How often files were opened anew. */
  #openings = 0

  constructor(uri: vscode.Uri, files: readonly OpenFile[]) {
    this.uri = uri
    this.#files = files
    // Not the names: they would be patterns, in which `[` has a meaning.
    const siblings = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), '*')
    this.#watcher = vscode.workspace.createFileSystemWatcher(siblings)
    const paths = [uri.path, segmentationOf(uri.path)]
    const notice = ({ path }: vscode.Uri) => paths.includes(path) && this.#openLater()
    this.#watcher.onDidChange(notice)
    this.#watcher.onDidCreate(notice)
    this.#watcher.onDidDelete(notice)
  }

  static async open(uri: vscode.Uri): Promise<ArrayDocument> {
    return new ArrayDocument(uri, await openFiles(uri))
  }

  /** The file, and the segmentation if there is one. */
  get files(): readonly OpenFile[] {
    return this.#files
  }

  /** The number of the first file. No number is used twice. */
  get first(): number {
    return this.#first
  }

  /** Reads a file by its number. Fails for those that were open before a change. */
  async read(number: number, offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const file = this.#files[number - this.#first]
    if (!file) throw new Error('the file has changed')
    return file.read(offset, length)
  }

  dispose(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#watcher.dispose()
    close(this.#files)
  }

  #openLater(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#openAgain(), QUIET_MS)
  }

  async #openAgain(): Promise<void> {
    const opening = ++this.#openings
    const files = await openFiles(this.uri).catch(() => null)
    // A file that was deleted can still be read by whoever has opened it.
    if (!files) return
    // A later opening, which has newer files, may be faster.
    if (this.#isClosed || opening !== this.#openings || stamps(files) === stamps(this.#files)) {
      close(files)
      return
    }
    // A read in progress still gets the old bytes, or fails.
    close(this.#files)
    this.#first += this.#files.length
    this.#files = files
    for (const use of this.onChange) use()
  }
}

async function openFiles(uri: vscode.Uri): Promise<OpenFile[]> {
  const files = [await openFile(uri)]
  try {
    files.push(await openFile(uri.with({ path: segmentationOf(uri.path) })))
  } catch {
    // There is none.
  }
  return files
}

const stamps = (files: readonly OpenFile[]) => files.map(({ stamp }) => stamp).join()

function close(files: readonly OpenFile[]): void {
  for (const file of files) void file.close()
}
