// What is open: files, directories, streams and URLs, which read like files.

import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
  type BigIntStats,
  type Stats,
  type Dirent,
} from 'node:fs'
import { errnoOf, WasiError, INVAL, NOTSUP } from './errno.js'
import type { Remote } from './remote.js'

/** Types of files in WASI. Pipes have none. */
export const TYPES = { unknown: 0, block: 1, character: 2, directory: 3, regular: 4, symlink: 7 } as const

/** What WASI tells of a file. */
export interface Facts {
  readonly type: number
  readonly dev: bigint
  readonly ino: bigint
  readonly nlink: bigint
  readonly size: bigint
  /** Nanoseconds since 1970. */
  readonly atime: bigint
  readonly mtime: bigint
  readonly ctime: bigint
}

/** Something that is open. What it cannot do is refused. */
export class Descriptor {
  facts(): Facts {
    throw new WasiError(NOTSUP)
  }
  /** Reads where the last call ended. Returns the number of bytes, 0 at the end. */
  read(_into: Uint8Array): number {
    throw new WasiError(NOTSUP)
  }
  write(_bytes: Uint8Array): number {
    throw new WasiError(NOTSUP)
  }
  /** `whence`: from the start, the position or the end. Returns the new position. */
  seek(_offset: number, _whence: number): number {
    throw new WasiError(NOTSUP)
  }
  /** The bytes that are read next. */
  willNeed(_offset: number, _length: number): void {}
  truncate(_length: number): void {
    throw new WasiError(INVAL)
  }
  sync(): void {}
  entries(): readonly Dirent[] {
    throw new WasiError(NOTSUP)
  }
  close(): void {}
}

/** A directory. It is opened by path, as Node.js has no descriptors of directories on all systems. */
export class Directory extends Descriptor {
  readonly path: string
  #entries: readonly Dirent[] | undefined

  constructor(path: string) {
    super()
    this.path = path
  }

  override facts(): Facts {
    return factsAt(this.path, true)
  }

  /** All calls see the same entries. */
  override entries(): readonly Dirent[] {
    return (this.#entries ??= readdirSync(this.path, { withFileTypes: true }))
  }
}

/** What is at a position, and moves with reads and writes. */
abstract class Positioned extends Descriptor {
  protected position = 0
  protected abstract length(): number

  override seek(offset: number, whence: number): number {
    const position = offset + [0, this.position, whence === 2 ? this.length() : 0][whence]!
    if (!(position >= 0)) throw new WasiError(INVAL)
    return (this.position = position)
  }
}

/** How long to wait for a stream that has nothing to read, or no room, in ms. */
const PAUSE = 5
const clock = new Int32Array(new SharedArrayBuffer(4))

/** Lets the whole process sleep. */
export const sleep = (ms: number): void => void Atomics.wait(clock, 0, 0, ms)

/** A file or a block device; or a stream without positions: a pipe, a terminal or another device. */
export class File extends Positioned {
  readonly #file: number
  readonly #isStream: boolean

  constructor(file: number, isStream: boolean) {
    super()
    this.#file = file
    this.#isStream = isStream
  }

  override facts(): Facts {
    return factsOf(fstatSync(this.#file, { bigint: true }))
  }

  protected length(): number {
    return Number(this.facts().size)
  }

  override seek(offset: number, whence: number): number {
    if (this.#isStream) throw new WasiError(NOTSUP)
    return super.seek(offset, whence)
  }

  override read(into: Uint8Array): number {
    return this.#moved(readSync, into)
  }

  override write(bytes: Uint8Array): number {
    return this.#moved(writeSync, bytes)
  }

  /** Repeats what fails because a stream does not block. */
  #moved(
    act: (file: number, bytes: Uint8Array, offset: number, length: number, position: number | null) => number,
    bytes: Uint8Array,
  ): number {
    for (;;) {
      try {
        const count = act(this.#file, bytes, 0, bytes.length, this.#isStream ? null : this.position)
        this.position += count
        return count
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // The end of a pipe on Windows.
        if (code === 'EOF') return 0
        if (code !== 'EAGAIN') throw error
        sleep(PAUSE)
      }
    }
  }

  override truncate(length: number): void {
    ftruncateSync(this.#file, length)
  }

  override sync(): void {
    if (!this.#isStream) fsyncSync(this.#file)
  }

  override close(): void {
    if (this.#file > 2) closeSync(this.#file)
  }
}

/** A file behind a URL. */
export class RemoteFile extends Positioned {
  readonly #url: string
  readonly #remote: Remote

  constructor(url: string, remote: Remote) {
    super()
    this.#url = url
    this.#remote = remote
  }

  protected length(): number {
    return this.#remote.size(this.#url)
  }

  override facts(): Facts {
    return { ...NOTHING, type: TYPES.regular, size: BigInt(this.length()) }
  }

  override read(into: Uint8Array): number {
    const bytes = this.#remote.read(this.#url, this.position, into.length)
    into.set(bytes)
    this.position += bytes.length
    return bytes.length
  }

  override willNeed(offset: number, length: number): void {
    this.#remote.willNeed(this.#url, offset, length)
  }
}

const NOTHING: Facts = { type: 0, dev: 0n, ino: 0n, nlink: 1n, size: 0n, atime: 0n, mtime: 0n, ctime: 0n }

/** The type of an entry of a directory, or of what `stat` tells of. */
export function typeOf(what: Dirent | BigIntStats): number {
  if (what.isFile()) return TYPES.regular
  if (what.isDirectory()) return TYPES.directory
  if (what.isSymbolicLink()) return TYPES.symlink
  if (what.isBlockDevice()) return TYPES.block
  return what.isCharacterDevice() ? TYPES.character : TYPES.unknown
}

function factsOf(stats: BigIntStats): Facts {
  const { dev, ino, nlink, size, atimeNs: atime, mtimeNs: mtime, ctimeNs: ctime } = stats
  return { type: typeOf(stats), dev, ino, nlink, size, atime, mtime, ctime }
}

/** What is at a path. */
export const factsAt = (path: string, follow: boolean): Facts =>
  factsOf((follow ? statSync : lstatSync)(path, { bigint: true }))

/** Flags of `path_open`. */
const CREATE = 1
const DIRECTORY = 2
const EXCLUSIVE = 4
const TRUNCATE = 8

/** How a path is opened. */
export interface Opening {
  readonly follow: boolean
  readonly flags: number
  readonly write: boolean
  readonly read: boolean
}

/** Opens what is at a path, or creates a file. */
export function opened(path: string, { follow, flags, write, read }: Opening): Descriptor {
  const there = statOrNothing(path, follow)
  if (there?.isDirectory()) return new Directory(path)
  if (flags & DIRECTORY) throw Object.assign(new Error(path), { code: there ? 'ENOTDIR' : 'ENOENT' })
  let mode: number = write ? (read ? constants.O_RDWR : constants.O_WRONLY) : constants.O_RDONLY
  if (flags & CREATE) mode |= constants.O_CREAT
  if (flags & EXCLUSIVE) mode |= constants.O_EXCL
  if (flags & TRUNCATE) mode |= constants.O_TRUNC
  if (!follow) mode |= constants.O_NOFOLLOW ?? 0
  // Opening a pipe to read from it does not wait for a process that writes.
  if (there?.isFIFO() && !write) mode |= constants.O_NONBLOCK
  if (there?.isFile() && !write) restrictAs(there)
  const file = openSync(path, mode, 0o666)
  return new File(file, !(there?.isFile() ?? true) && !there!.isBlockDevice())
}

/** Makes new files, which are made of this one, readable to nobody who cannot read it. */
function restrictAs({ mode }: Stats): void {
  const mask = (mode & 0o040 ? 0 : 0o070) | (mode & 0o004 ? 0 : 0o007)
  // The former mask is only known from its replacement.
  process.umask(mask | process.umask(mask))
}

function statOrNothing(path: string, follow: boolean) {
  try {
    return (follow ? statSync : lstatSync)(path)
  } catch (error) {
    errnoOf(error)
    return undefined
  }
}
