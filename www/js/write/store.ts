/// <reference lib="esnext.disposable" preserve="true" />
import { bytesIn } from '../base/bytes.js'
import { argument, B2ndError, formatValue, setName } from '../base/errors.js'
import { checked } from '../base/validation.js'
import { engineError } from '../engine/messages.js'
import { limitsOf } from '../engine/protocol.js'
import { sameBytes } from '../reading/revision.js'
import { sliceSource, sourceOf, type ByteSource } from '../sources/source.js'
import { sizeOf } from '../store/window.js'
import type { ArchiveState, ChangeName, Piece, StoreFacts } from './archive.js'
import { writerTo, type ArrayOptions, type ArrayWriter, type NewArray } from './array-writer.js'
import { editorOf, type ArrayEditor, type EditOptions } from './edit.js'
import { newArrayOf, type Shaped } from './encode-array.js'
import { callFile, type Editable, type Sink } from './files.js'
import type { Read } from './frame.js'
import type { Items } from './items.js'
import { STORE } from './options.js'
import { Queue } from './queue.js'
import type { ObjectOptions, ObjectValues } from './sequence.js'
import { checkArchive, newStore, openedStore, scratch, stagedFile } from './store-file.js'
import type { Target } from './target.js'
import { valueBytes } from './values.js'

/** The bytes of a frame, such as the content of a `.b2nd` file. */
export type Frame = ArrayBuffer | ArrayBufferView | Blob | ByteSource

/** Options of `createStore`. */
export interface StoreOptions extends EditOptions {
  /** `tree` has groups, which may have attributes; `dict` is flat. Default: `tree`. */
  kind?: 'tree' | 'dict' | undefined
}

/** The part of what is in the old archive, and that of bytes that are here. Others are the numbers of staged frames. */
const [OLD, HERE] = [-1, 0]
/** Bytes at the end of an archive that name its directory. */
const END = 22

/**
 * Creates or changes a store in an archive (`.b2z`). New members are staged: beside the archive in Node.js, in memory elsewhere. `commit`
 * writes the archive anew and puts it in the place of the old one at once, so that a process that is killed leaves the old one. Members
 * that have not changed are copied as they are. In Node.js the file is locked. If another program has replaced it all the same, `commit`
 * fails as `changed`.
 */
export class StoreEditor {
  static {
    setName(this, 'StoreEditor')
    // Runtimes without `Symbol.asyncDispose` get a method of this name.
    Reflect.deleteProperty(this.prototype, 'undefined')
  }
  readonly #state: ArchiveState
  readonly #sink: Sink
  readonly #queue = new Queue()
  /** The archive; `undefined` of a new one. */
  #target: Target | undefined
  /** The place and the bytes of its end when it was opened. */
  #end: [number, Uint8Array] = [0, new Uint8Array()]
  #facts: StoreFacts
  /** The files of staged frames. */
  readonly #frames = new Map<number, Target>()
  /** The keys of members that are being written. */
  readonly #open = new Map<number, string>()
  #ended = false
  #error: Error | undefined

  /** @internal */
  constructor(state: ArchiveState, sink: Sink, facts: StoreFacts, target?: Target) {
    this.#state = state
    this.#sink = sink
    this.#facts = facts
    this.#target = target
  }

  /** @internal */
  static async open(state: ArchiveState, file: Editable, target: Target): Promise<StoreEditor> {
    const store = new StoreEditor(state, file, { kind: 'TreeStore', keys: [], isChanged: false }, target)
    await store.#reopen()
    return store
  }

  /** The kind of store, by python-blosc2's name. */
  get kind(): 'DictStore' | 'TreeStore' {
    return this.#facts.kind
  }

  /** The keys of all members, sorted, with those that are not committed yet. They begin with a slash. */
  keys(): string[] {
    return [...this.#facts.keys]
  }

  /**
   * Adds an array, as `encodeArray` makes it of items. It takes the place of the member with this key. Fails as `argument` for an
   * invalid key, and for one that is in use by a group or below a member.
   */
  async addArray(key: string, data: Items | Shaped, options: ArrayOptions = {}): Promise<void> {
    const { items, ...array } = newArrayOf(data, options)
    const writer = await this.arrayWriter(key, array)
    try {
      await writer.write(null, items)
      await writer.close()
    } catch (error) {
      await writer.abort(error)
      throw error
    }
  }

  /** Creates an array that is written piece by piece. It is a member once its writer is closed. Fails as `addArray` does. */
  arrayWriter(key: string, options: NewArray): Promise<ArrayWriter> {
    return writerTo(() => this.#queued(() => this.#stage(key)), options)
  }

  /**
   * Adds a sequence of objects, which is written as they come. It is a member once the call has returned. Fails as `addArray` does, and as
   * `encodeObjects`.
   */
  addObjects(key: string, values: ObjectValues, options: ObjectOptions = {}): Promise<void> {
    return this.#state.writeObjects(() => this.#queued(() => this.#stage(key)), values, options)
  }

  /** Adds a frame as it is, under a key. Fails as `addArray` does, and as `format` if the bytes are no frame. */
  addFrame(key: string, frame: Frame): Promise<void> {
    return this.#queued(async () => {
      const read = readerOf(frame)
      const length = await this.#state.lengthOf(read)
      const target = await this.#scratch()
      try {
        await this.#state.copy(read, 0, length, 0, target)
        await this.#complete(await this.#change('stage', key), target)
      } catch (error) {
        await target.abort?.(error)
        throw error
      }
    })
  }

  /**
   * Opens an array of the store to change it, in a copy. The change is in the store once the editor is closed, and the store committed.
   * Fails as `argument` if there is no such member.
   */
  edit(key: string, options: EditOptions = {}): Promise<ArrayEditor> {
    return editorOf(() => this.#queued(() => this.#stage(key, this.#state.place(key))), options)
  }

  /** Removes a member, or a group with all members and attributes. Fails as `argument` if nothing has this key. */
  remove(key: string): Promise<void> {
    return this.#queued(async () => void (await this.#change('remove', key)))
  }

  /**
   * Gives a member another key, or a group with all that is in it. Fails as `argument` if nothing has the first key, and if something has
   * the second.
   */
  rename(from: string, to: string): Promise<void> {
    return this.#queued(async () => void (await this.#change('rename', from, to)))
  }

  /** Sets an attribute of a group, or of the store for `''`, to a value that MessagePack has. `undefined` removes it. */
  setAttr(group: string, name: string, value: unknown): Promise<void> {
    const content = value === undefined ? undefined : valueBytes(value)
    return this.#queued(async () => void (await this.#change(content ? 'setAttr' : 'removeAttr', group, name, content)))
  }

  /** Makes the changes so far the content of the file. Fails as `argument` while members are being written. */
  commit(): Promise<void> {
    return this.#queued(() => this.#commit())
  }

  /** Commits, and closes the file if it was opened by path. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#ended) return
    await this.#queued(async () => {
      await this.#commit()
      this.#ended = true
      await callFile(() => this.#target?.close?.())
    })
  }

  /** Ends without a commit: changes since the last one are lost. */
  async abort(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    await this.#queue.idle()
    await this.#clear()
    await callFile(() => this.#target?.abort?.(undefined))
  }

  /** `abort` for `await using`, unless it was closed. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.abort()
  }

  #queued<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(() => {
      if (this.#ended) throw argument('writing has ended')
      if (this.#error) throw this.#error
      return work()
    })
  }

  async #change(...change: [kind: ChangeName, key: string, name?: string, value?: Uint8Array<ArrayBuffer>]) {
    const number = await this.#state.change((part, ...range) => this.#read(part, ...range), ...change)
    this.#facts = this.#state.facts()
    return number
  }

  /** Reads the archive, or a staged frame. */
  #read(part: number, offset: number, length: number): Promise<Uint8Array> {
    const target = part === OLD ? this.#target : this.#frames.get(part)
    return callFile(async () => target!.read!(offset, length))
  }

  #scratch(): Promise<Target> {
    return callFile(() => scratch(this.#sink))
  }

  /** A file for a new member, with the bytes that are at a place. */
  async #stage(key: string, from?: Piece): Promise<Target> {
    const file = await this.#scratch()
    try {
      if (from) await this.#copy(from, file, 0)
      const number = await this.#change('stage', key)
      this.#open.set(number, key)
      const forget = () => this.#open.delete(number)
      const complete = (file: Target) =>
        this.#queued(async () => {
          await this.#complete(number, file)
          forget()
        })
      const end = async (reason: unknown) => {
        forget()
        await file.abort?.(reason)
      }
      return { ...stagedFile(file, () => this.#scratch(), complete), abort: end }
    } catch (error) {
      await file.abort?.(error)
      throw error
    }
  }

  /** Notes that the frame of a member is complete. */
  async #complete(number: number, file: Target): Promise<void> {
    const read: Read = async (offset, length) => callFile(async () => file.read!(offset, length))
    await this.#state.complete(read, number)
    this.#frames.set(number, file)
    this.#facts = this.#state.facts()
  }

  /** Copies what a part has to `at`, and returns the offset behind it. */
  async #copy({ part, start, end, bytes }: Piece, file: Target, at: number): Promise<number> {
    if (part === HERE) {
      await file.write(at, bytes)
      return at + bytes.length
    }
    const read: Read = (offset, length) => this.#read(part, offset, length)
    // A staged frame is needed as a whole.
    const length = part === OLD ? end - start : await this.#state.lengthOf(read)
    return this.#state.copy(read, start, length, at, file)
  }

  async #commit(): Promise<void> {
    const [key] = this.#open.values()
    if (key !== undefined) throw argument(`${key} is still being written: close its writer first`)
    if (!this.#facts.isChanged) return
    if (!(await this.#isCurrent())) throw engineError([4, 1])
    try {
      await this.#replace()
    } catch (error) {
      this.#error = error as Error
      throw error
    }
    await this.#clear()
  }

  /** Whether the archive is still the one that was opened. */
  async #isCurrent(): Promise<boolean> {
    const [target, [at, end]] = [this.#target, this.#end]
    if (!target) return true
    // Another archive may be longer.
    if (!sameBytes(await this.#read(OLD, at, end.length + 1), end)) return false
    return target.compare ? callFile(() => target.compare!(at, end)) : true
  }

  /** Writes the new archive, and puts it in the place of the old one. */
  async #replace(): Promise<void> {
    const old = this.#target
    if (old && !old.successor)
      throw new B2ndError('unsupported', 'a second commit, which needs a path, a file handle or a memory file')
    const file = await callFile(() => (old ? old.successor!() : newStore(this.#sink)))
    try {
      let at = 0
      for (const piece of this.#state.pieces()) at = await callFile(() => this.#copy(piece, file, at))
      await callFile(() => file.sync?.())
      await callFile(() => (file.publish ? file.publish() : file.close?.()))
    } catch (error) {
      await file.abort?.(error)
      throw error
    }
    this.#target = file.publish ? file : { ...file, close: () => {} }
    await callFile(() => old?.close?.())
    await this.#reopen()
  }

  async #reopen(): Promise<void> {
    const { read } = this.#target!
    if (!read) {
      // A stream has got its archive.
      this.#ended = true
      return
    }
    const size = await sizeOf({ read: (offset, length) => this.#read(OLD, offset, length) }, undefined)
    this.#facts = await this.#state.open((part, ...range) => this.#read(part, ...range), size)
    const at = Math.max(0, size - END)
    this.#end = [at, await this.#read(OLD, at, END)]
  }

  /** Removes the staged frames. */
  async #clear(): Promise<void> {
    const files = [...this.#frames.values()]
    this.#frames.clear()
    for (const file of files) await callFile(() => file.close?.())
  }
}

/**
 * Creates a store in a place for a new file, which the first commit writes. In Node.js it replaces the file at a path. Fails as
 * `unsupported` for the path of a directory (`.b2d`) or a frame (`.b2e`).
 */
export async function createStore(sink: Sink, options: StoreOptions = {}): Promise<StoreEditor> {
  checkArchive(sink)
  const { kind, limits } = checked(options, STORE)
  const state = await stateOf(limits)
  return new StoreEditor(state, sink, state.create(kind === 'dict'))
}

/**
 * Opens the store in an archive to change it: a path in Node.js, a `FileSystemFileHandle`, or a `memoryFile`. Fails as `unsupported` if
 * it is no archive of python-blosc2, if it has compressed members, and if the file cannot be replaced as a whole.
 */
export async function editStore(file: Editable, options: EditOptions = {}): Promise<StoreEditor> {
  checkArchive(file)
  const { limits } = checked(options, { limits: STORE['limits']! })
  const state = await stateOf(limits)
  const target = await callFile(() => openedStore(file))
  try {
    return await StoreEditor.open(state, file, target)
  } catch (error) {
    await callFile(() => target.abort?.(error))
    throw error
  }
}

async function stateOf(limits: EditOptions['limits']): Promise<ArchiveState> {
  const { ArchiveState } = await import('./archive.js')
  return ArchiveState.load(limitsOf(limits))
}

/** Reads the bytes of a frame. */
function readerOf(frame: Frame): Read {
  const bytes = bytesIn(frame)
  if (bytes) return async (offset, length) => bytes.subarray(offset, offset + length)
  if (frame instanceof Blob) {
    const source = sliceSource(frame.size, (start, end) => frame.slice(start, end).arrayBuffer())
    return (offset, length) => source.read(offset, length)
  }
  if (typeof (frame as ByteSource | undefined)?.read !== 'function')
    throw argument(`frame: ${formatValue(frame)} has no bytes: give bytes, a Blob or a source with \`read\``)
  const source = sourceOf(frame as ByteSource)
  return (offset, length) => source.read(offset, length)
}
