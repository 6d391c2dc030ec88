// The engine's side of an archive that is changed: an entry of the package with a module of its own, which is loaded when the first
// store is created or opened, or the first sequence of objects is written.

import { utf8 } from '../base/bytes.js'
import { B2ndError } from '../base/errors.js'
import { createEngine, NO_FRAME, numbersOf, type Engine } from '../engine/engine.js'
import { drive } from '../engine/exchange.js'
import { getModule } from '../engine/init.js'
import type { Limits, Recipe } from '../engine/protocol.js'
import { valueIn } from '../engine/values.js'
import type { Read } from './frame.js'
import { writeObjects } from './sequence.js'
import type { Target } from './target.js'

export { writeObjects }

/** The state of a store. */
export interface StoreFacts {
  /** The kind of store, by python-blosc2's name. */
  readonly kind: 'DictStore' | 'TreeStore'
  readonly keys: readonly string[]
  readonly isChanged: boolean
}

/** Where bytes are: in the old archive (part −1), in the staged frame with this number, or here (part 0). */
export interface Piece {
  readonly part: number
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Reads bytes of the old archive, or of a staged frame. */
export type ReadPart = (part: number, offset: number, length: number) => Promise<Uint8Array>

/** Bytes that are read at a time. */
const PIECE = 2 ** 20

/** The changes that the engine knows, by its numbers. */
const CHANGES = { stage: 0, remove: 1, rename: 2, setAttr: 3, removeAttr: 4 } as const

export type ChangeName = keyof typeof CHANGES

/** An archive that is created or changed, in an instance of the wasm of its own. */
export class ArchiveState {
  readonly #engine: Engine
  readonly #recipe: Recipe

  private constructor(module: WebAssembly.Module, limits: Limits) {
    this.#engine = createEngine(module, Infinity)
    this.#recipe = { ...NO_FRAME, limits }
  }

  static async load(limits: Limits): Promise<ArchiveState> {
    return new ArchiveState(await getModule(), limits)
  }

  create(isDict: boolean): StoreFacts {
    this.#call('archive_create', [], () => {}, Number(isDict))
    return this.facts()
  }

  async open(read: ReadPart, size: number): Promise<StoreFacts> {
    await this.#drive(read, 'archive_open', [], () => {}, size)
    return this.facts()
  }

  facts(): StoreFacts {
    return this.#call('archive_facts', [], output => valueIn(output) as StoreFacts)
  }

  /** Where a member is. */
  place(key: string): Piece {
    return this.#call('archive_place', [utf8(key)], output => valueIn(output) as Piece)
  }

  /** Makes a change. Returns the number of the frame to be staged. */
  change(read: ReadPart, kind: ChangeName, key: string, name = '', value = new Uint8Array()): Promise<number> {
    const input = [utf8(key), utf8(name), value]
    return this.#drive(read, 'archive_change', input, output => numbersOf(output)[0]!, CHANGES[kind])
  }

  /** The length of a frame. Fails if the bytes are none. */
  lengthOf(read: Read): Promise<number> {
    return this.#staged(read, 0, 0)
  }

  /** Notes that a frame is complete. */
  async complete(read: Read, number: number): Promise<void> {
    let crc32 = 0
    for await (const [, bytes] of bytesOf(read, 0, await this.lengthOf(read))) crc32 = this.#checksum(crc32, bytes)
    await this.#staged(read, number, crc32)
  }

  /** The function of this entry: whoever has a store has loaded it, and bundlers keep an import in a method even if nobody calls it. */
  readonly writeObjects = writeObjects

  /** Copies a range to `at`, and returns the offset behind it. */
  async copy(read: Read, start: number, length: number, at: number, file: Target): Promise<number> {
    for await (const [done, bytes] of bytesOf(read, start, length)) await file.write(at + done, new Uint8Array(bytes))
    return at + length
  }

  #staged(read: Read, number: number, crc32: number): Promise<number> {
    const readPart: ReadPart = (_, offset, length) => read(offset, length)
    return this.#drive(readPart, 'archive_staged', [], output => numbersOf(output)[0]!, number, crc32)
  }

  /** The checksum of bytes that follow others with the checksum `before`. */
  #checksum(before: number, bytes: Uint8Array): number {
    return this.#engine.call(this.#recipe, 'checksum', bytes, output => numbersOf(output)[0]!, before)
  }

  /** The parts of the new archive, in their order. Then it is to be opened again. */
  pieces(): Piece[] {
    return this.#call('archive_pieces', [], output => valueIn(output) as Piece[])
  }

  #call<T>(name: string, input: readonly Uint8Array[], use: (output: Uint8Array) => T, ...numbers: number[]): T {
    return this.#engine.call(this.#recipe, name, input, use, ...numbers)
  }

  #drive<T>(
    read: ReadPart,
    name: string,
    input: readonly Uint8Array[],
    use: (output: Uint8Array) => T,
    ...numbers: number[]
  ): Promise<T> {
    return drive(
      answers => this.#engine.ask(this.#recipe, name, [...input, ...answers], use, ...numbers),
      async needs => {
        const answers: Uint8Array[] = []
        for (const { part, start, end } of needs) answers.push(await read(part, start, end - start))
        return answers
      },
    )
  }
}

/** Reads a range a piece at a time. Fails as `changed` if it has become shorter. */
async function* bytesOf(
  read: Read,
  start: number,
  length: number,
): AsyncGenerator<[number, Uint8Array], void, undefined> {
  for (let done = 0; done < length;) {
    const wanted = Math.min(PIECE, length - done)
    const bytes = await read(start + done, wanted)
    if (bytes.length < wanted) throw new B2ndError('changed', 'the file has become shorter')
    yield [done, bytes]
    done += wanted
  }
}
