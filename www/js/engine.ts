import { B2ndError, engineError } from './errors.js'
import type { Facts } from './facts.js'
import { Memory } from './memory.js'

/** What the decoder grants to bytes that it does not trust, in bytes. */
export interface Limits {
  /** A result, or a chunk. 1 GiB unless told otherwise. */
  memory: number
  /** A header, a trailer, a metalayer. 64 MiB unless told otherwise. */
  metadata: number
}

export const LIMITS: Readonly<Limits> = { memory: 2 ** 30, metadata: 2 ** 26 }

/** What opens a frame again in any engine. Can be sent to a worker as it is. */
export interface Recipe {
  readonly answers: readonly Uint8Array[]
  readonly limits: Readonly<Limits>
}

/** Bytes that a call needs: of the frame (part −1), of a file of a sparse frame, or of the chunk that it is about. */
export interface Need {
  readonly part: number
  readonly start: number
  readonly end: number
}

/** A selection as the engine takes it: four numbers an axis. */
export type Indices = Float64Array

/** What is selected from: the items of the array, or those of the super-chunk in one dimension. */
export const ARRAY = 0
export const SCHUNK = 1

/** Locations of chunks that are stored nowhere; others are stored. */
export const ZEROS = -1
export const UNINIT = -2
export const NANS = -3
export const DAMAGED = -4

/** A chunk that a selection touches. `wanted` of `blocks` is an estimate until its head is known. */
export interface Touched {
  readonly nchunk: number
  readonly nbytes: number
  readonly wanted: number
  readonly blocks: number
  readonly head: number
}

/** What a selection gives, and from which chunks. */
export interface Plan {
  readonly itemsize: number
  readonly nbytes: number
  readonly shape: number[]
  readonly chunks: Touched[]
}

/** Bytes of a chunk, and which block they are; the dictionary and whole chunks have numbers of their own. */
export interface Span {
  readonly block: number
  readonly start: number
  readonly end: number
}

/** All that decoding a part of a chunk takes. Segments may be views of bytes that others use: copy, don't transfer. */
export interface Job {
  readonly recipe: Recipe
  readonly items: number
  readonly indices: Indices
  readonly nchunk: number
  readonly location: number
  /** Where each segment starts in the chunk. */
  readonly starts: readonly number[]
  readonly segments: readonly Uint8Array[]
}

/** A box of a result: for each axis where it starts and how long it is, and its items in C order. */
export interface Box {
  readonly start: number[]
  readonly count: number[]
  readonly bytes: Uint8Array
}

/** The header of a chunk. */
export interface ChunkInfo {
  /** Version of the chunk format: 1 and 2 are Blosc1, later ones Blosc2. */
  readonly version: number
  readonly headerLength: number
  readonly typesize: number
  readonly nbytes: number
  readonly blocksize: number
  readonly cbytes: number
  readonly nblocks: number
  readonly codec: number
  readonly codecMeta: number
  readonly body: 'copied' | 'zeros' | 'nan' | 'repeated' | 'uninit' | 'blocks' | 'vlblocks'
  readonly split: boolean
  readonly dictionary: boolean
  readonly filters: { readonly id: number; readonly meta: number }[]
}

const BODIES = ['copied', 'zeros', 'nan', 'repeated', 'uninit', 'blocks', 'vlblocks'] as const

/** Whether the answer is that bytes are needed. */
export const isNeed = (answer: unknown): answer is Need =>
  typeof answer === 'object' && answer !== null && 'part' in answer

/**
 * The decoder, with types. Callers need not care what it holds: it keeps the frame that was loaded last, only to save
 * time. All calls are synchronous; bytes go in and come out by copying.
 */
export class Engine {
  readonly module: WebAssembly.Module
  readonly #memory: Memory
  #loaded: Recipe | undefined

  constructor(module: WebAssembly.Module) {
    this.module = module
    this.#memory = new Memory(module, () => (this.#loaded = undefined))
  }

  /** Opens a frame with the bytes that it asked for so far. */
  open(answers: readonly Uint8Array[], limits: Readonly<Limits> = LIMITS): { facts: Facts; recipe: Recipe } | Need {
    this.#loaded = undefined
    this.#limit(limits)
    const need = this.#memory.call('open', answers)
    if (need) return need
    const facts = JSON.parse(this.#memory.text()) as Facts
    const first = answers[0]!
    // Small, and apart from the 8 KiB that it came in. A header longer than the first answer took all of them.
    const short = facts.recipe > 0 && facts.recipe <= first.length
    const recipe = { answers: short ? [new Uint8Array(first.subarray(0, facts.recipe))] : [...answers], limits }
    this.#loaded = recipe
    return { facts, recipe }
  }

  /** The metalayers, by name. */
  metalayers(recipe: Recipe): Map<string, Uint8Array> {
    this.#load(recipe)
    this.#memory.call('metalayers', [])
    return this.#memory.metalayers()
  }

  /** The variable-length metalayers, by name. */
  trailer(recipe: Recipe, answers: readonly Uint8Array[]): Map<string, Uint8Array> | Need {
    this.#load(recipe)
    return this.#memory.call('trailer', answers) ?? this.#memory.metalayers()
  }

  /** Where each chunk is: its byte (in a sparse frame: the number of its file), or one of the constants above. */
  index(recipe: Recipe, answers: readonly Uint8Array[]): Float64Array | Need {
    this.#load(recipe)
    return this.#memory.call('index', answers) ?? this.#memory.numbers()
  }

  /** What a selection gives and which chunks it touches. */
  plan(recipe: Recipe, items: number, indices: Indices): Plan {
    this.#load(recipe)
    this.#memory.call('plan', [indices], items)
    const numbers = this.#memory.numbers()
    const at = (k: number) => numbers[k]!
    const first = 4 + at(2)
    const chunks: Touched[] = []
    for (let k = first; k < numbers.length; k += 5) {
      chunks.push({ nchunk: at(k), nbytes: at(k + 1), wanted: at(k + 2), blocks: at(k + 3), head: at(k + 4) })
    }
    return { itemsize: at(0), nbytes: at(1), shape: Array.from(numbers.subarray(3, first - 1)), chunks }
  }

  /** Which bytes of a chunk a selection needs, given those at its start. */
  wanted(recipe: Recipe, items: number, indices: Indices, nchunk: number, head: Uint8Array): Span[] | Need {
    this.#load(recipe)
    const need = this.#memory.call('wanted', [indices, head], items, nchunk)
    if (need) return need
    const numbers = new Uint32Array(this.#memory.copy().buffer)
    const spans: Span[] = []
    for (let k = 0; k < numbers.length; k += 3) {
      spans.push({ block: numbers[k]!, start: numbers[k + 1]!, end: numbers[k + 2]! })
    }
    return spans
  }

  /**
   * Decodes what a selection takes of a chunk. `use` gets it in memory that the next call overwrites and says what
   * to make of it: to put it in its place costs one copy.
   */
  decode<T>(job: Job, use: (box: Box) => T): { made: T } | Need {
    this.#load(job.recipe)
    const sections = [job.indices, Uint32Array.from(job.starts), ...job.segments]
    const need = this.#memory.call('decode', sections, job.items, job.nchunk, job.location)
    return need ?? this.#memory.use(bytes => {
      const view = new DataView(bytes.buffer, bytes.byteOffset)
      const ndim = bytes.length ? view.getFloat64(0, true) : 0
      const number = (at: number) => view.getFloat64(8 + 8 * at, true)
      const start = Array.from({ length: ndim }, (_, axis) => number(2 * axis))
      const count = Array.from({ length: ndim }, (_, axis) => number(2 * axis + 1))
      return { made: use({ start, count, bytes: bytes.subarray(8 + 16 * ndim) }) }
    })
  }

  /** A whole chunk of a frame, plain. */
  chunk(recipe: Recipe, nchunk: number, location: number, bytes: Uint8Array): Uint8Array | Need {
    this.#load(recipe)
    return this.#memory.call('chunk', [bytes], nchunk, location) ?? this.#memory.use(plain => plain.slice())
  }

  /** The header of a chunk, of its first 32 bytes or all of it. */
  chunkInfo(bytes: Uint8Array): ChunkInfo {
    this.#memory.call('chunk_info', bytes)
    const numbers = [...this.#memory.numbers()]
    const at = (k: number) => numbers[k]!
    return {
      version: at(0), headerLength: at(1), typesize: at(2), nbytes: at(3), blocksize: at(4), cbytes: at(5),
      nblocks: at(6), codec: at(7), codecMeta: at(8), body: BODIES[at(9)]!, split: !!at(10), dictionary: !!at(11),
      filters: Array.from({ length: at(12) }, (_, k) => ({ id: at(13 + 2 * k), meta: at(14 + 2 * k) })),
    }
  }

  /** The plain bytes of a chunk, in `out` if that is given: it may be longer. */
  decodeChunk(bytes: Uint8Array, out?: Uint8Array, limits: Readonly<Limits> = LIMITS): Uint8Array {
    this.#limit(limits)
    return this.#plain(out, 'chunk_decode', bytes)
  }

  /** The plain bytes of one block of a chunk. */
  decodeBlock(bytes: Uint8Array, block: number, out?: Uint8Array): Uint8Array {
    return this.#plain(out, 'chunk_block', bytes, block)
  }

  /** Some items of a chunk, plain. */
  decodeItems(bytes: Uint8Array, start: number, end: number, out?: Uint8Array): Uint8Array {
    return this.#plain(out, 'chunk_items', bytes, start, end)
  }

  #plain(out: Uint8Array | undefined, name: string, bytes: Uint8Array, ...numbers: number[]): Uint8Array {
    this.#memory.call(name, bytes, ...numbers)
    return this.#memory.use(plain => {
      if (!out) return plain.slice()
      if (out.length < plain.length) throw engineError([2, 4, plain.length, out.length])
      out.set(plain)
      return out.subarray(0, plain.length)
    })
  }

  #limits: Readonly<Limits> | undefined

  #limit(limits: Readonly<Limits>): void {
    if (this.#limits?.memory === limits.memory && this.#limits.metadata === limits.metadata) return
    this.#memory.limits(limits.memory, limits.metadata)
    this.#limits = limits
  }

  #load(recipe: Recipe): void {
    this.#limit(recipe.limits)
    if (this.#loaded === recipe) return
    this.#loaded = undefined
    if (this.#memory.call('load', recipe.answers)) throw new B2ndError('argument', 'not a recipe')
    this.#loaded = recipe
  }
}

/** Repeats a call with the bytes that it asks for until it has an answer. */
export async function converse<T extends object>(
  ask: (answers: readonly Uint8Array[]) => T | Need,
  read: (need: Need) => Promise<Uint8Array>,
): Promise<T> {
  const answers: Uint8Array[] = []
  for (;;) {
    const answer = ask(answers)
    if (!isNeed(answer)) return answer
    answers.push(await read(answer))
  }
}
