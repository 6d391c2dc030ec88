import { copyOf, textOf, viewOf } from '../base/bytes.js'
import { argument, B2ndError } from '../base/errors.js'
import { pairs } from '../base/numbers.js'
import type { ChunkInfo } from './chunk-info.js'
import type { Facts } from './facts.js'
import { engineError } from './messages.js'
import {
  LIMITS,
  type Answer,
  type Box,
  type CallJob,
  type Chunks,
  type EncodeJob,
  type IndexPart,
  type Indices,
  type Job,
  type Limits,
  type Need,
  type Piece,
  type Plan,
  type Recipe,
  type Span,
} from './protocol.js'
import { valueIn } from './values.js'

/** The exports of the module: its memory, and functions of numbers. */
type Exports = Record<string, (...numbers: number[]) => number> & { memory: WebAssembly.Memory }

/** The input of a call: a list of sections, or plain bytes. */
type Input = ArrayBufferView | readonly ArrayBufferView[]

const isList = Array.isArray as (input: Input) => input is readonly ArrayBufferView[]

/** An instance with more memory than this is replaced, because memory never shrinks. */
const CAP = 2 ** 28

/** No frame, and the default limits. */
export const NO_FRAME: Recipe = { answers: [], limits: LIMITS }

/** The arguments of a call. `use` converts the output, which the next call overwrites. */
type Call<T> = [recipe: Recipe, name: string, input: Input, use: (output: Uint8Array) => T, ...numbers: number[]]

/** The wasm. Errors are thrown as `B2ndError`. */
export interface Engine {
  readonly module: WebAssembly.Module
  /** Calls a function that may need more bytes. Loads the frame of the recipe first, if the recipe has one. */
  ask<T>(...call: Call<T>): Answer<T>
  /** Calls a function that never needs more bytes. */
  call<T>(...call: Call<T>): T
}

/**
 * Copies input into the memory of the wasm and output out of it. The first call creates the instance; a later one replaces it
 * after it grew beyond `cap` or trapped. The last frame stays loaded, which only saves time.
 */
export function createEngine(module: WebAssembly.Module, cap = CAP): Engine {
  let exports: Exports | undefined
  let loaded: Recipe | undefined

  /** Valid until the next call. */
  const output = (): Uint8Array =>
    new Uint8Array(exports!.memory.buffer, exports!['output']!() >>> 0, exports!['output_len']!() >>> 0)

  const run = (
    { memory, metadata, expansion }: Limits,
    name: string,
    input: Input,
    parameters: number[] = [],
  ): Need[] | undefined => {
    const sections = isList(input)
      ? [new Uint32Array([input.length, ...input.map(section => section.byteLength)]), ...input]
      : [input]
    try {
      exports ??= new WebAssembly.Instance(module).exports as Exports
      exports['limits']!(memory, metadata, expansion)
      let at = exports['input']!(sections.reduce((sum, section) => sum + section.byteLength, 0)) >>> 0
      const bytes = new Uint8Array(exports.memory.buffer)
      for (const section of sections) {
        bytes.set(viewOf(section), at)
        at += section.byteLength
      }
      const status = exports[name]!(...parameters)
      if (!status) return undefined
      const message = output()
      if (status === 1) return rangesIn(message)
      // A name may follow the numbers.
      throw engineError([...numbersOf(message.subarray(0, 64))], textOf(message.subarray(64)))
    } catch (cause) {
      if (cause instanceof B2ndError) throw cause
      // The instance trapped: its state is undefined.
      exports = loaded = undefined
      throw new B2ndError('limit', 'the decoder broke down, probably out of memory', { cause })
    }
  }

  const ask = <T>(...[recipe, name, input, use, ...parameters]: Call<T>): Answer<T> => {
    if (loaded !== recipe) {
      loaded = undefined
      if (recipe.answers.length && run(recipe.limits, 'load', recipe.answers)) throw argument('not a recipe')
      loaded = recipe
    }
    const need = run(recipe.limits, name, input, parameters)
    if (need) return { need }
    try {
      return { done: use(output()) }
    } finally {
      // A call made by `use` may have dropped the instance.
      if (exports && exports.memory.buffer.byteLength > cap) exports = loaded = undefined
    }
  }

  return { module, ask, call: <T>(...call: Call<T>) => (ask(...call) as { done: T }).done }
}

// The functions of the engine; see ABI.md. All are synchronous and copy their input and output.

/** A frame that the engine has opened. */
export interface Opened {
  readonly engine: Engine
  readonly recipe: Recipe
}

/** Opens a frame. `answers` are the bytes that were needed so far. */
export const readFacts = (engine: Engine, answers: readonly Uint8Array[], limits: Limits) =>
  engine.ask({ answers: [], limits }, 'open', answers, output => {
    const facts = valueIn(output) as Facts
    const first = answers[0]!
    // Keep only the header, not the whole 8 KiB of the answer. A header longer than the first answer needs all answers.
    const short = facts.recipe > 0 && facts.recipe <= first.length
    return {
      engine,
      facts,
      recipe: { answers: short ? [copyOf(first.subarray(0, facts.recipe))] : [...answers], limits },
    }
  })

/** Reads the metalayers in the header. */
export const readMetalayers = ({ engine, recipe }: Opened): Uint8Array => engine.call(recipe, 'metalayers', [], copyOf)

/** Reads the variable-length metalayers in the trailer. */
export const readTrailer = ({ engine, recipe }: Opened, answers: readonly Uint8Array[]): Answer<Uint8Array> =>
  engine.ask(recipe, 'trailer', answers, copyOf)

/**
 * Reads the locations of chunks from chunk `from` on, as many as one call returns. Fails for lazy arrays and proxies unless
 * `asStored` is true.
 */
export const readIndex = (
  { engine, recipe }: Opened,
  answers: readonly Uint8Array[],
  from: number,
  asStored = false,
): Answer<IndexPart> => engine.ask(recipe, 'index', answers, numbersOf, from, Number(asStored))

type Five = [number, number, number, number, ...number[]]

/** Plans a selection. */
export const planOf = ({ engine, recipe }: Opened, items: number, indices: Indices): Plan =>
  engine.call(
    recipe,
    'plan',
    [indices],
    output => {
      const [itemsize, nbytes, chunks, first, ...shape] = numbersOf(output) as Iterable<number> as Five
      return { itemsize, nbytes, chunks, first, shape }
    },
    items,
  )

/**
 * The chunks that a selection touches, from chunk `from` on and before `end`, as many as one call returns. `runs` are theirs in the
 * index. Without `use` chunks that are not stored are left out. `next` is the first chunk of the next call; NaN after the last.
 */
export const batchesOf = <R extends { items: number; indices: Indices; join?: boolean | undefined; use?: unknown }>(
  { engine, recipe }: Opened,
  reading: R,
  runs: Float64Array,
  from: number,
  end: number,
  k = 0,
): { next: number; batches: Chunks<R>[]; k: number } =>
  engine.call(
    recipe,
    'batches',
    [reading.indices, runs],
    output => {
      const numbers = numbersOf(output)
      const batches: Chunks<R>[] = []
      for (let at = 1; at < numbers.length;) {
        const number = () => numbers[at++]!
        const count = number()
        batches.push({
          reading,
          k,
          part: number(),
          start: number(),
          end: number(),
          whole: !!number(),
          wanted: number(),
          bytes: number(),
          nbytes: number(),
          blocks: number(),
          extent: number(),
          head: number(),
          tasks: numbers.subarray(at, (at += 3 * count)),
        })
        k += count
      }
      return { next: numbers[0]!, batches, k }
    },
    reading.items,
    from,
    end,
    Number(!!reading.join) + 2 * Number(!reading.use),
  )

/** The spans of a chunk, or of a piece of it, that a selection needs. `heads` are longer and longer starts of the chunk. */
export const spansIn = (
  { engine, recipe }: Opened,
  items: number,
  indices: Indices,
  { nchunk, piece, location }: Piece & { location: number },
  heads: readonly Uint8Array[],
): Answer<Span[]> => engine.ask(recipe, 'wanted', [indices, ...heads], spans, items, nchunk, piece, location)

/** Estimates these spans without the head, as if all blocks had the same size and were in order. */
export const likelySpans = (
  { engine, recipe }: Opened,
  items: number,
  indices: Indices,
  { nchunk, piece }: Piece,
  extent: number,
): Span[] => engine.call(recipe, 'guess', [indices], spans, items, nchunk, piece, extent)

/** Merges byte ranges into requests. A range is three numbers: part, start, end. */
export const mergedRanges = (engine: Engine, ranges: Float64Array, gap: number, waste: number): Need[] =>
  engine.call(NO_FRAME, 'merge', ranges, rangesIn, gap, waste)

function rangesIn(output: Uint8Array): Need[] {
  const numbers = numbersOf(output)
  const ranges: Need[] = []
  for (let at = 0; at < numbers.length;) {
    ranges.push({ part: numbers[at++]!, start: numbers[at++]!, end: numbers[at++]! })
  }
  return ranges
}

const spans = (output: Uint8Array): Span[] => pairs(new Uint32Array(copyOf(output).buffer))

/** Decodes the part of some chunks that a selection needs. `use` receives the boxes in memory that the next call overwrites. */
export const decodePart = <T>(engine: Engine, job: Job, use: (output: Uint8Array) => T): Answer<T> =>
  engine.ask(job.recipe, 'decode', [job.indices, job.tasks, job.starts, ...job.segments], use, job.items)

/** Calls `use` for each box in the output of `decodePart`. */
export function eachBox(output: Uint8Array, use: (box: Box, k: number) => void): void {
  const view = new DataView(output.buffer, output.byteOffset, output.length)
  for (let at = 0, k = 0; at < output.length; k++) {
    const start: number[] = []
    const count: number[] = []
    const ndim = view.getFloat64(at, true)
    const first = at + 16 + 16 * ndim
    const end = first + view.getFloat64(at + 8, true)
    for (let axis = 0; axis < ndim; axis++) {
      start[axis] = view.getFloat64(at + 16 + 16 * axis, true)
      count[axis] = view.getFloat64(at + 24 + 16 * axis, true)
    }
    use({ start, count, bytes: output.subarray(first, end) }, k)
    at = Math.ceil(end / 8) * 8
  }
}

/** All boxes in the output of `decodePart`. */
export function boxesIn(output: Uint8Array): Box[] {
  const boxes: Box[] = []
  eachBox(output, box => boxes.push(box))
  return boxes
}

/** Decodes a whole chunk of a frame; fails if it has more than `most` uncompressed bytes. */
export const decodeWhole = (
  { engine, recipe }: Opened,
  answers: readonly Uint8Array[],
  ...chunk: [nchunk: number, location: number, extent: number, most: number]
): Answer<Uint8Array> => engine.ask(recipe, 'chunk', answers, copyOf, ...chunk)

/** Reads the header of a chunk. `bytes` are its first 32 bytes or all of it. */
export const readChunkInfo = (engine: Engine, bytes: Uint8Array): ChunkInfo =>
  engine.call(NO_FRAME, 'chunk_info', bytes, valueIn) as ChunkInfo

/** Decodes a chunk outside of a frame, into `out` if given, which may be longer than the chunk. */
export const decodeAlone = (engine: Engine, bytes: Uint8Array, out: Uint8Array | undefined, limits: Limits) =>
  engine.call({ answers: [], limits }, 'chunk_decode', bytes, plain => {
    if (!out) return copyOf(plain)
    if (out.length < plain.length) throw engineError([2, 3, out.length, plain.length])
    out.set(plain)
    return out.subarray(0, plain.length)
  })

export const numbersOf = (output: Uint8Array): Float64Array => new Float64Array(copyOf(output).buffer)

/** Encodes a chunk outside of a frame. */
export const encodeAlone = (engine: Engine, cparams: Float64Array, plain: Uint8Array): Uint8Array<ArrayBuffer> =>
  engine.call(NO_FRAME, 'chunk_encode', [cparams, plain], copyOf)

/** The call that encodes the chunk of an array. */
export const encodingOf = ({ array, nchunk, items }: EncodeJob): CallJob => ({
  call: 'array_encode',
  numbers: [nchunk],
  input: [...array, items],
})

/** Makes a call. */
export const callAlone = (engine: Engine, { call, numbers, input }: CallJob): Uint8Array<ArrayBuffer> =>
  engine.call(NO_FRAME, call, input, copyOf, ...numbers)
