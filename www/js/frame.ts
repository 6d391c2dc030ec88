import { Cache, type Traffic } from './cache.js'
import { converse, type Engine } from './engine.js'
import {
  DAMAGED, isNeed, LIMITS, type Box, type Indices, type Items, type Job, type Limits, type Need, type Plan, type Recipe,
} from './job.js'
import { argument, B2ndError, damaged, truncated } from './errors.js'
import type { Facts } from './facts.js'
import { countBefore } from './lists.js'
import { decodeMsgpack } from './msgpack.js'
import { MemorySource, windowOf } from './source/source.js'
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

/** Metalayers by name: what they decode to, or their bytes where they are no MessagePack. */
export type Attributes = Readonly<Record<string, unknown>>

/** An opened frame: its bytes, and where its chunks are. */
export class Frame {
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
    const { signal, offset = 0, cache: bytes = 2 ** 25, concurrency = 8, decoder } = options
    signal?.throwIfAborted()
    const limits = { ...LIMITS, ...options.limits }
    // The wasm is compiled while the first bytes come.
    const loading = getEngine()
    loading.catch(() => {})
    let source = await toSource(openable, options)
    if (offset > 0 && source instanceof MemorySource) source = new MemorySource(source.bytes.subarray(offset))
    else if (offset > 0 && 'read' in source) source = windowOf(source, offset)
    const cache = new Cache(source, { ...options, bytes, concurrency })
    try {
      const read = (need: Need) => cache.read([need], signal)[0]!
      // Opening begins with the first 8 KiB, nearly always all that it takes.
      void read({ part: -1, start: 0, end: 8192 })
      const engine = await loading
      signal?.throwIfAborted()
      const opened = await converse(answers => engine.open(answers, limits), read)
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
    const index = await converse(answers => this.engine.index(this.recipe, answers), need => {
      end = Math.min(end, need.start)
      return this.read(need, signal)
    })
    const starts = index.filter(location => location >= 0).sort()
    this.#starts = Float64Array.from([...starts, end])
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
    const plan = this.engine.plan(this.recipe, items, indices)
    if (bounded && plan.nbytes > this.recipe.limits.memory) {
      throw new B2ndError('limit', `${plan.nbytes} bytes asked for at once, ${this.recipe.limits.memory} allowed`)
    }
    return plan
  }

  /** A whole chunk, plain. */
  async chunk(nchunk: number, signal?: AbortSignal): Promise<Uint8Array> {
    const index = await this.index(signal)
    const location = index[nchunk]
    if (location === undefined) throw argument(`chunk ${nchunk} of ${index.length}`)
    if (location === DAMAGED) throw damaged(nchunk)
    let end = location < 0 ? 0 : this.extent(location, this.facts.chunksize || 2 ** 20)
    for (let before = -1; ; ) {
      const bytes = end ? await this.read(this.range(location, 0, end), signal) : new Uint8Array()
      const plain = this.engine.chunk(this.recipe, nchunk, location, bytes)
      if (!isNeed(plain)) return plain
      if (plain.end <= before || bytes.length < end) throw truncated(plain.end, bytes.length, nchunk)
      before = end = plain.end
    }
  }

  /** The metalayers in the header. */
  meta(): Attributes {
    return attributes(this.engine.metalayers(this.recipe))
  }

  /** The variable-length metalayers, in the trailer. */
  async vlmeta(signal?: AbortSignal): Promise<Attributes> {
    if (!this.facts.hasVlmeta) return Object.freeze({})
    const read = (need: Need) => this.read(need, signal)
    return attributes(await converse(answers => this.engine.trailer(this.recipe, answers), read))
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

function attributes(metalayers: Map<string, Uint8Array>): Attributes {
  const values = Object.create(null) as Record<string, unknown>
  for (const [name, bytes] of metalayers) {
    try {
      values[name] = decodeMsgpack(bytes)
    } catch {
      values[name] = bytes
    }
  }
  return Object.freeze(values)
}
