import type { Attributes } from './attributes.js'
import { Cache, quiet, type Traffic } from './cache.js'
import {
  decodeWhole, openFrame, planOf, readChunkInfo, readIndex, readMetalayers, type Engine, type Opened,
} from './engine.js'
import {
  DAMAGED, isNeed, LIMITS, type Box, type Indices, type Items, type Job, type Limits, type Need, type Plan, type Recipe,
} from './job.js'
import { argument, damaged } from './errors.js'
import type { Facts } from './facts.js'
import { countBefore } from './lists.js'
import { engineError, excessive } from './messages.js'
import { toSource, type Openable } from './source/openable.js'
import type { MergeOptions } from './ranges.js'
import type { HttpOptions } from './source/http.js'
import { getEngine } from './wasm.js'

/** Decodes somewhere else, in a worker say. */
export interface Decoder {
  /** Decodes what a job asks for, into memory of its own; or says which bytes of the chunk are missing. */
  decode(job: Job, options: DecoderOptions): Promise<Box | Need>
}

/** What decoding takes beside the job. */
export interface DecoderOptions {
  /** The wasm, compiled. */
  module: WebAssembly.Module
  /** Ends waiting: the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** How to open, and how to read afterwards. */
export interface OpenOptions extends HttpOptions, MergeOptions {
  /** Stops opening, which rejects with the signal's reason. It does not concern what is read later. */
  signal?: AbortSignal
  /** Byte at which the frame begins in its file: 0 unless told otherwise. */
  offset?: number
  /** Compressed bytes to keep for later reads, in bytes. 32 MiB unless told otherwise. */
  cache?: number
  /** How many reads to run at a time. 8 unless told otherwise. */
  concurrency?: number
  /** What may be allocated for bytes that nobody vouches for. More fails as `limit`. */
  limits?: Partial<Limits>
  /** Called after each read of the source. */
  onTraffic?: (traffic: Readonly<Traffic>) => void
  /** Decodes elsewhere than in this thread; `createPool` of `b2nd/pool` has it. */
  decoder?: Decoder
}

/** An opened frame: its bytes, and where its chunks are. */
export class Frame implements Opened {
  declare readonly engine: Engine
  declare readonly facts: Facts
  declare readonly recipe: Recipe
  declare readonly cache: Cache
  declare readonly decoder: Decoder | undefined
  #index: Float64Array | undefined
  /** The places where chunks begin, in order, and at last where what follows the chunks does. */
  #starts: Float64Array | undefined
  #closed = false

  private constructor(parts: Pick<Frame, 'engine' | 'facts' | 'recipe' | 'cache' | 'decoder'>) {
    Object.assign(this, parts)
  }

  static async open(openable: Openable, options: OpenOptions = {}): Promise<Frame> {
    const { signal, cache: bytes = 2 ** 25, concurrency = 8, decoder } = options
    signal?.throwIfAborted()
    const limits = { ...LIMITS, ...options.limits }
    // The wasm is compiled while the first bytes come.
    const loading = quiet(getEngine())
    const cache = Cache(await toSource(openable, options), { ...options, bytes, concurrency })
    try {
      const read = (need: Need) => cache.read([need], signal)[0]!
      // Opening begins with the first 8 KiB, nearly always all that it takes.
      void read({ part: -1, start: 0, end: 8192 })
      const engine = await loading
      signal?.throwIfAborted()
      const opened = await converse(answers => openFrame(engine, answers, limits), read)
      return new Frame({ ...opened, engine, cache, decoder })
    } catch (error) {
      await cache.close(error)
      throw error
    }
  }

  /** Where each chunk is. Read once. */
  async index(signal?: AbortSignal): Promise<Float64Array> {
    this.alive()
    if (this.#index) return this.#index
    let end = Infinity
    const index = await converse(answers => readIndex(this, answers), need => {
      end = Math.min(end, need.start)
      return this.read(need, signal)
    })
    this.#starts = Float64Array.from([...index.filter(location => location >= 0).sort(), end])
    return (this.#index = index)
  }

  /** The bytes between a chunk's start and whatever comes next; `nbytes` bounds them where nothing is known. */
  extent(location: number, nbytes: number): number {
    const starts = this.#starts!
    if (this.facts.sparse) return nbytes + 32
    const next = countBefore(starts.length, k => starts[k]! > location)
    const end = Math.min(starts[next] ?? Infinity, this.facts.frameLength)
    return end > location ? end - location : nbytes + 32
  }

  /** The bytes of a chunk, counted from its start. */
  range(location: number, start: number, end: number): Need {
    return this.facts.sparse
      ? { part: location, start, end }
      : { part: -1, start: location + start, end: location + end }
  }

  async read(need: Need, signal?: AbortSignal): Promise<Uint8Array> {
    this.alive()
    return this.cache.read([need], signal)[0]!
  }

  /** What a selection gives and which chunks it touches; `bounded` if all of it is to be in memory at once. */
  plan(items: Items, indices: Indices, bounded = true): Plan {
    this.alive()
    const plan = planOf(this, items, indices)
    const { memory } = this.recipe.limits
    if (bounded && plan.nbytes > memory) throw excessive(plan.nbytes, memory)
    return plan
  }

  /** A whole chunk, plain. */
  async chunk(nchunk: number, signal?: AbortSignal): Promise<Uint8Array> {
    const index = await this.index(signal)
    const { sparse, chunksize } = this.facts
    const location = index[nchunk]
    if (location === undefined) throw engineError([2, 5, nchunk, index.length])
    if (location === DAMAGED) throw damaged(nchunk)
    const read = (end: number) => this.read(this.range(location, 0, end), signal)
    let bytes = await read(location < 0 ? 0 : this.extent(location, chunksize || 2 ** 20))
    // Where chunks differ, only their heads tell how long their files are.
    if (sparse && !chunksize && location >= 0) bytes = await read(readChunkInfo(this.engine, bytes).cbytes)
    return decodeWhole(this, nchunk, location, bytes)
  }

  /** The metalayers in the header. */
  meta(): Attributes {
    return readMetalayers(this, [], 'metalayers') as Attributes
  }

  /** The variable-length metalayers, in the trailer. */
  async vlmeta(signal?: AbortSignal): Promise<Attributes> {
    if (!this.facts.hasVlmeta) return Object.freeze({})
    return converse(answers => readMetalayers(this, answers, 'trailer'), need => this.read(need, signal))
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.cache.close(closed())
  }

  alive(): void {
    if (this.#closed) throw closed()
  }
}

const closed = () => argument('it has been closed')

/** Repeats a call with the bytes that it asks for until it has an answer. */
async function converse<T>(
  ask: (answers: readonly Uint8Array[]) => T | Need, read: (need: Need) => Promise<Uint8Array>,
): Promise<T> {
  for (const answers: Uint8Array[] = []; ; ) {
    const answer = ask(answers)
    if (!isNeed(answer)) return answer
    answers.push(await read(answer))
  }
}
