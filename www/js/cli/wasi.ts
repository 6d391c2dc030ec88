// The system calls of the tool (WASI, preview 1), on top of Node.js.

import {
  type Dirent,
  chmodSync,
  linkSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import {
  Directory,
  File,
  factsAt,
  opened,
  RemoteFile,
  sleep,
  typeOf,
  TYPES,
  type Descriptor,
  type Facts,
} from './descriptors.js'
import { ERRNO, errnoOf, systemError } from './errno.js'
import { isUrl, Remote } from './remote.js'

/** Ends the program. */
export class Exit extends Error {
  readonly status: number

  constructor(status: number) {
    super(`exit status ${status}`)
    this.status = status
  }
}

/** The input of a program: its words, the first of which is its name, and its environment. */
export interface Program {
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** Rights that a terminal does not have, by which programs know it. */
const SEEK_AND_TELL = (1n << 2n) | (1n << 5n)
const READ = 1n << 1n
const WRITE = 1n << 6n
const ALL = (1n << 30n) - 1n

/** The descriptor of the root, below which all paths are. */
const ROOT = 3

/** Bytes of structures. */
const DIRENT = 24
const SUBSCRIPTION = 48
const EVENT = 32

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Gives an error number, or nothing for success. */
type Call = (...of: never[]) => unknown

/** A path in memory: the descriptor of a directory, where the path is, and its length. */
type Path = [fd: number, at: number, length: number]
/** How it is opened, and where the descriptor is written to. */
type Opening = [flags: number, rights: bigint, inherited: bigint, state: number, to: number]

/** A path as the program knows it: with slashes, and one in front of the drives of Windows. */
export function rooted(path: string): string {
  if (process.platform !== 'win32') return path
  const slashes = path.replaceAll('\\', '/')
  return /^[A-Za-z]:\//.test(slashes) ? `/${slashes}` : slashes
}

/** Runs a program. Returns its exit status. */
export function run(module: WebAssembly.Module, program: Program): number {
  const remote = new Remote(program.words)
  const system = new System(program, remote)
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: system.imports(module) })
  const { exports } = instance
  system.memory = exports['memory'] as WebAssembly.Memory
  const start = exports['_start'] as () => void
  try {
    start()
    return 0
  } catch (error) {
    if (error instanceof Exit) return error.status
    throw error
  } finally {
    remote.close()
  }
}

class System {
  memory!: WebAssembly.Memory
  readonly #words: readonly Uint8Array[]
  readonly #environment: readonly Uint8Array[]
  readonly #remote: Remote
  readonly #open: Map<number, Descriptor>

  constructor({ words, environment }: Program, remote: Remote) {
    const ended = (text: string) => encoder.encode(`${text}\0`)
    this.#words = words.map(ended)
    this.#environment = Object.entries(environment).map(([name, value]) => ended(`${name}=${value}`))
    this.#remote = remote
    this.#open = new Map([
      ...[0, 1, 2].map((fd): [number, Descriptor] => [fd, new File(fd, true)]),
      [ROOT, new Directory('/')],
    ])
  }

  /** The functions that a module imports. */
  imports(module: WebAssembly.Module): WebAssembly.ModuleImports {
    const calls = this.#calls()
    return Object.fromEntries(
      WebAssembly.Module.imports(module).map(({ name }) => {
        const call = calls[name]
        return [name, call ? (...of: never[]) => guarded(() => call(...of)) : () => ERRNO.ENOSYS]
      }),
    )
  }

  #calls(): Record<string, Call> {
    return { ...this.#process(), ...this.#descriptors(), ...this.#paths() }
  }

  #process(): Record<string, Call> {
    return {
      args_sizes_get: (count, bytes) => this.#sizes(this.#words, count, bytes),
      args_get: (pointers, bytes) => this.#texts(this.#words, pointers, bytes),
      environ_sizes_get: (count, bytes) => this.#sizes(this.#environment, count, bytes),
      environ_get: (pointers, bytes) => this.#texts(this.#environment, pointers, bytes),
      clock_time_get: (id: number, _precision: bigint, to: number) => {
        this.#view.setBigUint64(to, id === 0 ? BigInt(Date.now()) * 1_000_000n : process.hrtime.bigint(), true)
      },
      random_get: (to: number, length: number) => {
        const most = 2 ** 16
        for (let at = 0; at < length; at += most)
          crypto.getRandomValues(this.#bytes(to + at, Math.min(most, length - at)))
      },
      sched_yield: () => {},
      proc_exit: (status: number) => {
        throw new Exit(status)
      },
      poll_oneoff: (from: number, to: number, count: number, happened: number) => {
        if (count !== 1 || this.#view.getUint8(from + 8) !== 0) return ERRNO.ENOSYS
        sleep(Number(this.#view.getBigUint64(from + SUBSCRIPTION / 2, true)) / 1e6)
        this.#bytes(to, EVENT).fill(0)
        this.#view.setBigUint64(to, this.#view.getBigUint64(from, true), true)
        this.#view.setUint32(happened, 1, true)
        return 0
      },
    } satisfies Record<string, Call>
  }

  #descriptors(): Record<string, Call> {
    return {
      fd_prestat_get: (fd: number, to: number) => {
        if (fd !== ROOT) return ERRNO.EBADF
        this.#view.setUint8(to, 0)
        this.#view.setUint32(to + 4, 1, true)
        return 0
      },
      fd_prestat_dir_name: (_root: number, to: number) => this.#view.setUint8(to, '/'.charCodeAt(0)),
      fd_fdstat_get: (fd: number, to: number) => {
        const { type } = this.#at(fd).facts()
        this.#bytes(to, 24).fill(0)
        this.#view.setUint8(to, type)
        const rights = type === TYPES.character ? ALL & ~SEEK_AND_TELL : ALL
        this.#view.setBigUint64(to + 8, rights, true)
        this.#view.setBigUint64(to + 16, ALL, true)
      },
      fd_filestat_get: (fd: number, to: number) => this.#tell(this.#at(fd).facts(), to),
      fd_filestat_set_size: (fd: number, length: bigint) => this.#able(fd, 'truncate')(Number(length)),
      fd_advise: (fd: number, offset: bigint, length: bigint, advice: number) => {
        if (advice === 3) this.#at(fd).willNeed?.(Number(offset), Number(length))
      },
      fd_seek: (fd: number, offset: bigint, whence: number, to: number) => {
        this.#view.setBigUint64(to, BigInt(this.#able(fd, 'seek')(Number(offset), whence)), true)
      },
      fd_read: (fd: number, vectors: number, count: number, done: number) =>
        this.#each(vectors, count, done, this.#able(fd, 'read')),
      fd_write: (fd: number, vectors: number, count: number, done: number) =>
        this.#each(vectors, count, done, this.#able(fd, 'write')),
      fd_sync: (fd: number) => this.#at(fd).sync?.(),
      fd_readdir: (fd: number, to: number, length: number, cookie: bigint, used: number) => {
        this.#view.setUint32(used, this.#list(this.#able(fd, 'entries')(), to, length, Number(cookie)), true)
      },
      fd_close: (fd: number) => {
        this.#at(fd).close?.()
        this.#open.delete(fd)
      },
    } satisfies Record<string, Call>
  }

  #paths(): Record<string, Call> {
    return {
      path_open: (fd: number, lookup: number, path: number, length: number, ...more: Opening) => {
        const at = this.#path(fd, path, length)
        const [flags, rights, , , to] = more
        const how = { follow: (lookup & 1) > 0, flags, read: (rights & READ) > 0n, write: (rights & WRITE) > 0n }
        const descriptor = isUrl(at) ? this.#remoteFile(at) : opened(at, how)
        let unused = 0
        while (this.#open.has(unused)) unused++
        this.#open.set(unused, descriptor)
        this.#view.setUint32(to, unused, true)
      },
      path_filestat_get: (fd: number, lookup: number, path: number, length: number, to: number) => {
        const at = this.#path(fd, path, length)
        this.#tell(isUrl(at) ? this.#remoteFile(at).facts() : factsAt(at, (lookup & 1) > 0), to)
      },
      path_readlink: (fd: number, path: number, length: number, to: number, room: number, used: number) => {
        const at = this.#path(fd, path, length)
        if (isUrl(at)) return ERRNO.EINVAL
        const link = encoder.encode(readlinkSync(at)).subarray(0, room)
        this.#bytes(to, link.length).set(link)
        this.#view.setUint32(used, link.length, true)
        return 0
      },
      path_create_directory: (...path: Path) => {
        const at = this.#path(...path)
        // Others must not put links into a directory for temporary files.
        mkdirSync(at, dirname(at) === resolve(tmpdir()) ? 0o700 : 0o777)
      },
      path_remove_directory: (...path: Path) => rmdirSync(this.#path(...path)),
      path_unlink_file: (...path: Path) => unlinkSync(this.#path(...path)),
      path_link: (fd: number, _lookup: number, path: number, length: number, ...to: Path) =>
        linkSync(this.#path(fd, path, length), this.#path(...to)),
      path_rename: (fd: number, path: number, length: number, ...to: Path) =>
        renamed(this.#path(fd, path, length), this.#path(...to)),
    } satisfies Record<string, Call>
  }

  get #view(): DataView {
    return new DataView(this.memory.buffer)
  }

  #bytes(at: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.memory.buffer, at, length)
  }

  #at(fd: number): Descriptor {
    const descriptor = this.#open.get(fd)
    if (!descriptor) throw systemError('EBADF')
    return descriptor
  }

  /** A method of what is open. */
  #able<Name extends keyof Descriptor>(fd: number, name: Name): NonNullable<Descriptor[Name]> {
    const descriptor = this.#at(fd)
    const method = descriptor[name]
    if (!method) throw systemError('ENOTSUP')
    return (method as () => unknown).bind(descriptor) as NonNullable<Descriptor[Name]>
  }

  #remoteFile(url: string): RemoteFile {
    const file = new RemoteFile(url, this.#remote)
    file.facts()
    return file
  }

  /** A path of the system, or a URL. */
  #path(...[fd, at, length]: Path): string {
    const path = decoder.decode(this.#bytes(at, length))
    const base = this.#at(fd)
    if (!(base instanceof Directory)) throw systemError('ENOTDIR')
    if (fd !== ROOT) return join(base.path, path)
    // The tool puts the current directory before what has no slash in front: URLs, and the drives of Windows.
    const here = rooted(process.cwd()).slice(1)
    const rest = path.startsWith(`${here}/`) ? path.slice(here.length + 1) : path
    if (isUrl(rest)) return rest
    return /^[A-Za-z]:/.test(rest) ? rest : `/${path}`
  }

  #sizes(texts: readonly Uint8Array[], count: number, bytes: number): void {
    const length = texts.reduce((sum, text) => sum + text.length, 0)
    this.#view.setUint32(count, texts.length, true)
    this.#view.setUint32(bytes, length, true)
  }

  #texts(texts: readonly Uint8Array[], pointers: number, bytes: number): void {
    texts.forEach((text, k) => {
      this.#view.setUint32(pointers + 4 * k, bytes, true)
      this.#bytes(bytes, text.length).set(text)
      bytes += text.length
    })
  }

  #tell(facts: Facts, to: number): void {
    const view = this.#view
    const { type, dev, ino, nlink, size, atimeNs, mtimeNs, ctimeNs } = facts
    view.setBigUint64(to, dev, true)
    view.setBigUint64(to + 8, ino, true)
    view.setBigUint64(to + 16, BigInt(type), true)
    ;[nlink, size, atimeNs, mtimeNs, ctimeNs].forEach((number, k) => view.setBigUint64(to + 24 + 8 * k, number, true))
  }

  /** Reads or writes the parts of memory that a list names, until one is not completed. */
  #each(vectors: number, count: number, done: number, act: (bytes: Uint8Array) => number): void {
    let sum = 0
    for (let k = 0; k < count; k++) {
      const at = this.#view.getUint32(vectors + 8 * k, true)
      const length = this.#view.getUint32(vectors + 8 * k + 4, true)
      const part = length ? act(this.#bytes(at, length)) : 0
      sum += part
      if (part < length) break
    }
    this.#view.setUint32(done, sum, true)
  }

  /** Writes the entries of a directory from the one with this number, and returns the number of bytes. The last one may be cut. */
  #list(entries: readonly Dirent[], to: number, length: number, first: number): number {
    const out = this.#bytes(to, length)
    let used = 0
    for (let k = first; k < entries.length && used < length; k++) {
      const entry = entries[k]!
      const name = encoder.encode(entry.name)
      const bytes = new Uint8Array(DIRENT + name.length)
      const view = new DataView(bytes.buffer)
      view.setBigUint64(0, BigInt(k + 1), true)
      view.setUint32(16, name.length, true)
      view.setUint8(20, typeOf(entry))
      bytes.set(name, DIRENT)
      const part = bytes.subarray(0, length - used)
      out.set(part, used)
      used += part.length
    }
    return used
  }
}

/** Renames a file. What takes the place of a file keeps its permissions, as the program cannot set them. */
function renamed(from: string, to: string): void {
  const old = statSync(to, { throwIfNoEntry: false })
  if (old?.isFile()) chmodSync(from, old.mode & 0o7777)
  renameSync(from, to)
}

/** The error number of a call. */
function guarded(call: () => unknown): number {
  try {
    const errno = call()
    return typeof errno === 'number' ? errno : 0
  } catch (error) {
    if (error instanceof Exit) throw error
    return errnoOf(error)
  }
}
