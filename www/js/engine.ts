import { toChunkInfo, type ChunkInfo } from './chunkinfo.js'
import { argument } from './errors.js'
import type { Facts } from './facts.js'
import {
  isNeed, LIMITS, type Box, type Indices, type Job, type Limits, type Need, type Plan, type Recipe, type Span, type Touched,
} from './job.js'
import { copyOf, Memory } from './memory.js'
import { engineError } from './messages.js'

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
    this.#memory.limits(limits)
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
    for (let k = 0; k < numbers.length; k += 2) spans.push({ start: numbers[k]!, end: numbers[k + 1]! })
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
    return this.#memory.call('chunk', [bytes], nchunk, location) ?? this.#memory.use(copyOf)
  }

  /** The header of a chunk, of its first 32 bytes or all of it. */
  chunkInfo(bytes: Uint8Array): ChunkInfo {
    this.#memory.call('chunk_info', bytes)
    return toChunkInfo(this.#memory.numbers())
  }

  /** The plain bytes of a chunk, in `out` if that is given: it may be longer. */
  decodeChunk(bytes: Uint8Array, out?: Uint8Array, limits: Readonly<Limits> = LIMITS): Uint8Array {
    this.#memory.limits(limits)
    this.#memory.call('chunk_decode', bytes)
    return this.#memory.use(plain => {
      if (!out) return copyOf(plain)
      if (out.length < plain.length) throw engineError([2, 4, plain.length, out.length])
      out.set(plain)
      return out.subarray(0, plain.length)
    })
  }

  #load(recipe: Recipe): void {
    this.#memory.limits(recipe.limits)
    if (this.#loaded === recipe) return
    this.#loaded = undefined
    if (this.#memory.call('load', recipe.answers)) throw argument('not a recipe')
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
