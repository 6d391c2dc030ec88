// Open things: files, directories, streams and URLs, which read like files.

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
import { errnoOf, systemError } from './errno.js'
import type { Remote } from './remote.js'

/** Types of files in WASI. Pipes have none. */
export const TYPES = { unknown: 0, block: 1, character: 2, directory: 3, regular: 4, symlink: 7 } as const

/** The facts of a file in WASI. */
export type Facts = { readonly type: number } & Pick<
  BigIntStats,
  'dev' | 'ino' | 'nlink' | 'size' | 'atimeNs' | 'mtimeNs' | 'ctimeNs'
>

/** Something that is open. It has methods for what it can do. */
export interface Descriptor {
  facts(): Facts
  /** Reads where the last call ended. Returns the number of bytes, 0 at the end. */
  read?(into: Uint8Array): number
  write?(bytes: Uint8Array): number
  /** `whence`: from the start, the position or the end. Returns the new position. */
  seek?(offset: number, whence: number): number
  /** The bytes that are read next. */
  willNeed?(offset: number, length: number): void
  truncate?(length: number): void
  sync?(): void
  entries?(): readonly Dirent[]
  close?(): void
}

/** A directory. It is opened by path, as Node.js has no descriptors of directories on all systems. */
export class Directory implements Descriptor {
  readonly path: string
  #entries: readonly Dirent[] | undefined

  constructor(path: string) {
    this.path = path
  }

  facts(): Facts {
    return factsAt(this.path, true)
  }

  /** All calls see the same entries. */
  entries(): readonly Dirent[] {
    return (this.#entries ??= readdirSync(this.path, { withFileTypes: true }))
  }
}

/** A thing with a position, which moves with reads and writes. */
abstract class Positioned {
  protected position = 0
  protected abstract length(): number

  seek(offset: number, whence: number): number {
    const position = offset + [0, this.position, whence === 2 ? this.length() : 0][whence]!
    if (!(position >= 0)) throw systemError('EINVAL')
    return (this.position = position)
  }
}

/** How long to wait for a stream that has nothing to read, or no room, in ms. */
const PAUSE = 5
const clock = new Int32Array(new SharedArrayBuffer(4))

/** Lets the whole process sleep. */
export const sleep = (ms: number): void => void Atomics.wait(clock, 0, 0, ms)

/** A file or a block device; or a stream without positions: a pipe, a terminal or another device. */
export class File extends Positioned implements Descriptor {
  readonly #file: number
  readonly #isStream: boolean

  constructor(file: number, isStream: boolean) {
    super()
    this.#file = file
    this.#isStream = isStream
  }

  facts(): Facts {
    return factsOf(fstatSync(this.#file, { bigint: true }))
  }

  protected length(): number {
    return Number(this.facts().size)
  }

  override seek(offset: number, whence: number): number {
    if (this.#isStream) throw systemError('ENOTSUP')
    return super.seek(offset, whence)
  }

  read(into: Uint8Array): number {
    return this.#moved(readSync, into)
  }

  write(bytes: Uint8Array): number {
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

  truncate(length: number): void {
    ftruncateSync(this.#file, length)
  }

  sync(): void {
    if (!this.#isStream) fsyncSync(this.#file)
  }

  close(): void {
    if (this.#file > 2) closeSync(this.#file)
  }
}

/** A file behind a URL. */
export class RemoteFile extends Positioned implements Descriptor {
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

  facts(): Facts {
    return { ...NOTHING, type: TYPES.regular, size: BigInt(this.length()) }
  }

  read(into: Uint8Array): number {
    const bytes = this.#remote.read(this.#url, this.position, into.length)
    into.set(bytes)
    this.position += bytes.length
    return bytes.length
  }

  willNeed(offset: number, length: number): void {
    this.#remote.willNeed(this.#url, offset, length)
  }
}

const NOTHING = { dev: 0n, ino: 0n, nlink: 1n, atimeNs: 0n, mtimeNs: 0n, ctimeNs: 0n }

/** The type of an entry of a directory, or of what `stat` tells of. */
export function typeOf(what: Dirent | BigIntStats): number {
  if (what.isFile()) return TYPES.regular
  if (what.isDirectory()) return TYPES.directory
  if (what.isSymbolicLink()) return TYPES.symlink
  if (what.isBlockDevice()) return TYPES.block
  return what.isCharacterDevice() ? TYPES.character : TYPES.unknown
}

const factsOf = (stats: BigIntStats): Facts => Object.assign(stats, { type: typeOf(stats) })

/** The facts of the file at a path. */
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
  if (flags & DIRECTORY) throw systemError(there ? 'ENOTDIR' : 'ENOENT')
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
