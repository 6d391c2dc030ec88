import { Cache, type Traffic } from './cache.js'
import { type Box, type DecodeCall, type Engine, type Facts, type Need, type Recipe, isNeed } from './engine.js'
import { B2ndError } from './errors.js'
import type { ByteSource, SparseSource } from './source/source.js'
import { getEngine } from './wasm.js'

/** Decodes somewhere else, in a worker for instance. */
export interface Decoder {
  decode(call: DecodeCall, signal?: AbortSignal): Promise<Box>
}

export interface FrameOptions {
  /** Bytes of compressed data that are kept, 32 MiB by default. */
  cacheBytes?: number
  /** Requests at a time, 8 by default. */
  concurrency?: number
  /** Who decodes; by default the thread that asks. */
  decoder?: Decoder | null
  onTraffic?: (traffic: Readonly<Traffic>) => void
}

/** Part number of the frame itself; others are files of chunks. */
export const FRAME = -1

/** The codes of chunks that are one value, and of damaged entries of the index. */
export const SPECIAL = new Map([[-1, 'zeros'], [-2, 'uninit'], [-3, 'nan']] as const) as ReadonlyMap<number, 'zeros' | 'uninit' | 'nan'>

/** An opened frame: what it says, and its bytes on demand. */
export class Frame {
  readonly facts: Facts
  readonly recipe: Recipe
  readonly cache: Cache
  readonly options: FrameOptions
  readonly #source: SparseSource
  #chunks = new Map<number, Promise<ByteSource>>()
  #index: Promise<Float64Array> | undefined
  #starts: Float64Array | undefined
  #trailer: Promise<Map<string, Uint8Array>> | undefined

  private constructor(source: SparseSource, facts: Facts, recipe: Recipe, cache: Cache, options: FrameOptions) {
    this.#source = source
    this.facts = facts
    this.recipe = recipe
    this.cache = cache
    this.options = options
  }

  static async open(source: SparseSource, options: FrameOptions, signal?: AbortSignal): Promise<Frame> {
    const engine = await getEngine()
    let frame: Frame | undefined
    const read = async (part: number, start: number, end: number, signal: AbortSignal) => {
      const from = part === FRAME ? source.frame : await frame!.#chunk(part)
      return from.read(start, end - start, { signal })
    }
    const cache = new Cache(read, options.cacheBytes ?? 32 << 20, options.onTraffic)
    const bytes = (need: Need) => direct(source.frame, need.start, need.end) ?? cache.get(need.part, need.start, need.end, signal)
    const answers: Uint8Array[] = []
    const facts = await converse(answers => engine.open(answers), bytes, answers)
    const recipe = facts.recipe ? [answers[0]!.slice(0, facts.recipe)] : answers
    return (frame = new Frame(source, facts, recipe, cache, options))
  }

  /** Bytes of a part, from memory if they are there. */
  async read(part: number, start: number, end: number, signal?: AbortSignal): Promise<Uint8Array> {
    return this.peek(part, start, end) ?? this.cache.get(part, start, end, signal)
  }

  /** Bytes of a part that cost nothing. */
  peek(part: number, start: number, end: number): Uint8Array | undefined {
    return (part === FRAME ? direct(this.#source.frame, start, end) : undefined) ?? this.cache.peek(part, start, end)
  }

  /** Whether all of the frame is in memory. */
  get inMemory(): boolean {
    return this.#source.frame.bytes !== undefined && !this.facts.sparse
  }

  /** Where the chunks are; read when first needed. */
  index(signal?: AbortSignal): Promise<Float64Array> {
    return this.#once(this.#index, (engine, answers) => engine.index(this.recipe, answers), signal, index => (this.#index = index))
  }

  /** The variable-length metalayers; read when first needed. */
  trailer(signal?: AbortSignal): Promise<Map<string, Uint8Array>> {
    return this.#once(this.#trailer, (engine, answers) => engine.trailer(this.recipe, answers), signal, trailer => (this.#trailer = trailer))
  }

  /** The part and offset of a stored chunk. */
  place(location: number): { part: number; offset: number } {
    return this.facts.sparse ? { part: location, offset: 0 } : { part: FRAME, offset: location }
  }

  /** The most bytes that a chunk can have: up to the next one, and no more than it would have if it were not compressed. */
  extent(index: Float64Array, location: number, most: number): number {
    if (this.facts.sparse) return most
    this.#starts ??= index.filter(start => start >= 0).sort()
    const { headerLength, cbytes, frameLength, version } = this.facts
    const end = version === 0 ? frameLength : headerLength + cbytes
    let [low, high] = [0, this.#starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#starts[middle]! <= location) low = middle + 1
      else high = middle
    }
    return Math.min(most, (this.#starts[low] ?? Math.max(end, location)) - location)
  }

  async close(): Promise<void> {
    this.cache.clear()
    await this.#source.frame.close?.()
    for (const chunk of this.#chunks.values()) await (await chunk).close?.()
    await this.#source.close?.()
  }

  #chunk(file: number): Promise<ByteSource> {
    let chunk = this.#chunks.get(file)
    if (!chunk) {
      chunk = Promise.resolve(this.#source.chunk(file))
      chunk.catch(() => this.#chunks.delete(file))
      this.#chunks.set(file, chunk)
    }
    return chunk
  }

  /** What several callers may want at once, read once; an answer that did not come is asked for again. */
  async #once<T extends object>(
    known: Promise<T> | undefined,
    call: (engine: Engine, answers: Recipe) => T | Need,
    signal: AbortSignal | undefined,
    keep: (value: Promise<T>) => void,
  ): Promise<T> {
    if (known) return known
    const engine = await getEngine()
    const value = await converse(answers => call(engine, answers), need => this.read(need.part, need.start, need.end, signal))
    keep(Promise.resolve(value))
    return value
  }
}

/** Asks again and again, each time with one answer more. */
export async function converse<T extends object>(
  call: (answers: Recipe) => T | Need,
  read: (need: Need) => Uint8Array | Promise<Uint8Array>,
  answers: Uint8Array[] = [],
): Promise<T> {
  for (;;) {
    const answer = call(answers)
    if (!isNeed(answer)) return answer
    if (answers.length > 8) throw new B2ndError('source', 'a source that gives other bytes each time')
    answers.push(await read(answer))
  }
}

function direct({ bytes }: ByteSource, start: number, end: number): Uint8Array | undefined {
  return bytes?.subarray(start, end)
}
