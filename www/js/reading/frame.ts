import type { Closeable } from '../base/closeable.js'
import { argument, isB2ndError } from '../base/errors.js'
import { checked, OPEN } from '../base/validation.js'
import { yieldThen } from '../base/yielding.js'
import { attributesIn, type Attributes } from '../engine/attributes.js'
import {
  createEngine,
  decodeWhole,
  readFacts,
  planOf,
  readIndex,
  readMetalayers,
  readTrailer,
  type Engine,
  type Opened,
} from '../engine/engine.js'
import { drive } from '../engine/exchange.js'
import type { Facts } from '../engine/facts.js'
import { getEngine } from '../engine/init.js'
import { engineError } from '../engine/messages.js'
import {
  limitsOf,
  type Box,
  type IndexPart,
  type Indices,
  type Items,
  type Job,
  type Limits,
  type Need,
  type Plan,
} from '../engine/protocol.js'
import type { HttpOptions } from '../sources/http.js'
import { toSource, type Openable } from '../sources/openable.js'
import { createCache, markHandled, type Cache, type Traffic } from './cache.js'
import { createChunkIndex, type ChunkIndex } from './chunk-index.js'
import { mergeBy, type MergeOptions } from './ranges.js'

/** Decodes elsewhere, for example in a worker. */
export interface Decoder {
  /** Decodes a job to a box for each task, in new memory, or returns the bytes of a chunk that are missing. */
  decode(job: Job, options: DecoderOptions): Promise<Box[] | Need>
  /** Takes back the memory of the boxes that a call returned, to use it again. */
  reuse?(boxes: readonly Box[]): void
}

/** Options of `Decoder.decode`. */
export interface DecoderOptions {
  /** The compiled wasm. */
  module: WebAssembly.Module
  /** Aborts: the call rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

/** An operand of a lazy array. */
export interface Operand {
  /** The name in the expression. */
  readonly name: string
  /** The path of its file, which begins at the folder of the lazy array if it is relative. */
  readonly path: string
  /** The key of a member, if the file is a store; else `null`. */
  readonly key: string | null
}

/** Opens an operand, or returns what `open` takes. */
export type OperandOpener = (operand: Operand) => Openable | Closeable | Promise<Openable | Closeable>

/** Options of opening, and of reading afterwards. */
export interface OpenOptions extends HttpOptions, MergeOptions {
  /** Aborts opening, which rejects with the reason of the signal. It does not affect later reads. */
  signal?: AbortSignal | undefined
  /** Byte offset of the frame in the file. Default: 0. */
  offset?: number | undefined
  /** Size of the cache for compressed data, in bytes. Default: 32 MiB. */
  cache?: number | undefined
  /** Number of concurrent reads. Default: 16; browsers make 6 at a time over HTTP/1.1. */
  concurrency?: number | undefined
  /** How much may be allocated for untrusted data. More fails as `limit`. */
  limits?: { [name in keyof Limits]?: Limits[name] | undefined } | undefined
  /** Called after each read of the source. */
  onTraffic?: ((traffic: Readonly<Traffic>) => void) | undefined
  /**
   * Reads lazy arrays, proxies and remote arrays as stored, instead of failing as `unsupported`. Values that would be computed
   * are zeros. Chunks that a proxy has not fetched still fail. Of tables also reads stale columns, whose values are old.
   */
  asStored?: boolean | undefined
  /** Decodes elsewhere, for example a pool from `b2nd/pool`. */
  decoder?: Decoder | undefined
  /**
   * Opens the operands of lazy arrays of python-blosc2, which are computed then: `operandsBeside(url)` of `b2nd/expression`, or
   * `operandsBesideFile(path)` of `b2nd/node`. What a file names is opened by nothing else. Closing the lazy array closes them.
   */
  operands?: OperandOpener | undefined
}

/** Commits that may follow each other while a frame is opened. */
const ATTEMPTS = 64

/** An opened frame. */
export interface Frame extends Opened {
  readonly facts: Facts
  readonly cache: Cache
  readonly decoder: Decoder | undefined
  /** The chunk index. The first call reads it. */
  chunkIndex(signal?: AbortSignal): Promise<ChunkIndex>
  /** The range of the frame for a range of a chunk. */
  readonly range: (location: number, start: number, end: number) => Need
  read(needs: readonly Need[], signal?: AbortSignal): Promise<Uint8Array[]>
  /** Plans a selection. */
  plan(items: Items, indices: Indices): Plan
  /** Reads and decodes a whole chunk. */
  chunk(nchunk: number, signal?: AbortSignal, most?: number): Promise<Uint8Array>
  /** The metalayers in the header. */
  readonly metalayers: Attributes
  /** The bytes of metalayers: of those in the header, or of the variable-length ones. */
  layers(variable: boolean, signal?: AbortSignal): Promise<Uint8Array>
  /** The variable-length metalayers, in the trailer. */
  vlmeta(signal?: AbortSignal): Promise<Attributes>
  close(): Promise<void>
}

export async function openFrame(openable: Openable, options: OpenOptions = {}): Promise<Frame> {
  const { signal, cache: bytes = 2 ** 25, concurrency = 16, decoder, asStored } = checked(options, OPEN)
  signal?.throwIfAborted()
  const limits = limitsOf(options.limits)
  // The wasm compiles while the first bytes are read.
  const loading = markHandled(getEngine())
  let engine: Engine | undefined
  const cache = createCache(await toSource(openable, options), {
    ...options,
    bytes,
    concurrency,
    // The first read is a single range.
    merge: (ranges, options) => (engine ? mergeBy(engine, ranges, options) : [...ranges]),
  })
  try {
    // The first 8 KiB nearly always suffice for opening.
    void cache.read([{ part: -1, start: 0, end: 8192 }], signal)
    const opening = (engine = await loading)
    signal?.throwIfAborted()
    const open = () =>
      drive(
        answers => yieldThen(() => readFacts(opening, answers, limits)),
        needs => Promise.all(cache.read(needs, signal)),
      )
    /** `undefined` if the frame changes meanwhile. */
    const attempt = async () => {
      try {
        const opened = await open()
        return (await cache.watch(opened.facts.state, opened.recipe.answers)) ? opened : undefined
      } catch (error) {
        if (!isB2ndError(error, 'changed') || !cache.restart()) throw error
        return undefined
      }
    }
    let opened: Awaited<ReturnType<typeof attempt>>
    for (let attempts = 0; !(opened = await attempt()); attempts++) {
      if (attempts === ATTEMPTS) throw engineError([4, 0])
      cache.restart()
    }
    // This codec is in a wasm of its own.
    if (opened.facts.codec.name?.startsWith('zfp')) {
      const { zfpEngine } = await import('../engine/zfp.js')
      opened = { ...opened, engine: await zfpEngine(createEngine) }
    }
    const metalayers = await attributesIn(opened, readMetalayers(opened))
    return frameOf({ ...opened, metalayers }, cache, decoder, asStored)
  } catch (error) {
    await cache.close(error)
    throw error
  }
}

function frameOf(
  opened: Opened & Pick<Frame, 'facts' | 'metalayers'>,
  cache: Cache,
  decoder: Decoder | undefined,
  asStored: boolean | undefined,
): Frame {
  const { facts } = opened
  const { sparse, chunksize } = facts
  let known: ChunkIndex | undefined
  let closing: Promise<void> | undefined

  const checkOpen = () => {
    if (closing) throw closedError()
  }

  const read = async (needs: readonly Need[], signal?: AbortSignal) => {
    checkOpen()
    return Promise.all(cache.read(needs, signal))
  }

  const chunkIndex = async (signal?: AbortSignal) => {
    checkOpen()
    if (known) return known
    // The chunks end where the index begins: at the first byte read here.
    let end = Infinity
    const parts: IndexPart[] = []
    const answers: Uint8Array[] = []
    let part: IndexPart
    let from = 0
    do {
      signal?.throwIfAborted()
      part = await drive(
        answers => yieldThen(() => readIndex(opened, answers, from, asStored)),
        needs => {
          end = Math.min(end, needs[0]!.start)
          return read(needs, signal)
        },
        answers,
      )
      parts.push(part)
      from = part[1]!
    } while (from < part[0]!)
    return (known = await createChunkIndex(parts, end, facts))
  }

  const layers = async (variable: boolean, signal?: AbortSignal) => {
    if (!variable) return readMetalayers(opened)
    if (!facts.hasAttrs) return new Uint8Array()
    return drive(
      answers => yieldThen(() => readTrailer(opened, answers)),
      needs => read(needs, signal),
    )
  }

  const range = (location: number, start: number, end: number) =>
    sparse ? { part: location, start, end } : { part: -1, start: location + start, end: location + end }

  return {
    ...opened,
    cache,
    decoder,
    chunkIndex,
    range,
    read,
    plan(items, indices) {
      checkOpen()
      return planOf(opened, items, indices)
    },
    async chunk(nchunk, signal, most = Infinity) {
      const index = await chunkIndex(signal)
      if (!(nchunk >= 0 && nchunk < index.nchunks)) throw engineError([2, 4, nchunk, index.nchunks])
      const { location, extent } = index.run(index.runOf(nchunk))
      const likely = extent || (chunksize || 2 ** 20) + 32
      return drive(
        answers => decodeWhole(opened, answers, nchunk, location, likely, most),
        needs => read(needs, signal),
      )
    },
    layers,
    async vlmeta(signal) {
      if (!facts.hasAttrs) return Object.freeze({})
      return attributesIn(opened, await layers(true, signal))
    },
    close: () => (closing ??= cache.close(closedError())),
  }
}

const closedError = () => argument('it has been closed')
