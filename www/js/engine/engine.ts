import { copyOf, textOf, viewOf } from '../base/bytes.js'
import { argument, B2ndError } from '../base/errors.js'
import { pairs } from '../base/numbers.js'
import { toChunkInfo, type ChunkInfo } from './chunk-info.js'
import type { Facts } from './facts.js'
import { engineError } from './messages.js'
import {
  LIMITS,
  type Box,
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

/** What the module exports, beside its memory: functions of numbers. */
type Exports = Record<string, (...numbers: number[]) => number> & { memory: WebAssembly.Memory }

type Input = ArrayBufferView | readonly ArrayBufferView[]

const isList = Array.isArray as (input: Input) => input is readonly ArrayBufferView[]

/** A module that has grown beyond this is replaced by a new one: the memory of a module never shrinks. */
const CAP = 2 ** 28

/** The wasm. */
export interface Engine {
  readonly module: WebAssembly.Module
  /**
   * Calls with a list of sections, or with bytes as they are, about the frame of a recipe, if that has one. `use` makes
   * something of the answer, which the next call overwrites.
   */
  call<T>(recipe: Recipe, name: string, input: Input, use: (answer: Uint8Array) => T, ...numbers: number[]): T | Need
}

/**
 * Writes what goes in to the memory of the wasm and reads what comes out. The wasm is made on the first call, and again
 * after it grew too much or broke down. It keeps the frame that was loaded last, only to save time.
 */
export function createEngine(module: WebAssembly.Module): Engine {
  let exports: Exports | undefined
  let loaded: Recipe | undefined

  /** Until the next call. */
  const answer = (): Uint8Array =>
    new Uint8Array(exports!.memory.buffer, exports!['output']!() >>> 0, exports!['output_len']!() >>> 0)

  /** Tells what is needed, if anything is. */
  const run = (
    { memory, metadata }: Limits,
    name: string,
    input: Input,
    parameters: number[] = [],
  ): Need | undefined => {
    const sections = isList(input)
      ? [new Uint32Array([input.length, ...input.map(section => section.byteLength)]), ...input]
      : [input]
    try {
      exports ??= new WebAssembly.Instance(module).exports as Exports
      exports['limits']!(memory, metadata)
      let at = exports['input']!(sections.reduce((sum, section) => sum + section.byteLength, 0)) >>> 0
      const bytes = new Uint8Array(exports.memory.buffer)
      for (const section of sections) {
        bytes.set(viewOf(section), at)
        at += section.byteLength
      }
      const status = exports[name]!(...parameters)
      if (!status) return undefined
      const told = answer()
      // Without the name that may follow.
      const numbers = [...numbersOf(told.subarray(0, status === 1 ? 24 : 64))] as [number, number, number, ...number[]]
      if (status > 1) throw engineError(numbers, textOf(told.subarray(64)))
      const [part, start, end] = numbers
      return { part, start, end }
    } catch (cause) {
      if (cause instanceof B2ndError) throw cause
      // It ran out of memory, and what it holds is in no state that could be relied on.
      exports = loaded = undefined
      throw new B2ndError('limit', 'the decoder broke down, most likely for want of memory', { cause })
    }
  }

  return {
    module,
    call(recipe, name, input, use, ...parameters) {
      if (loaded !== recipe) {
        loaded = undefined
        if (recipe.answers.length && run(recipe.limits, 'load', recipe.answers)) throw argument('not a recipe')
        loaded = recipe
      }
      const need = run(recipe.limits, name, input, parameters)
      if (need) return need
      try {
        return use(answer())
      } finally {
        // It may be gone already, if `use` called others.
        if (exports && exports.memory.buffer.byteLength > CAP) exports = loaded = undefined
      }
    },
  }
}

// What the engine does, by ABI.md. All of it is synchronous; bytes go in and come out by copying.

/** A frame that the engine has been told of. */
export interface Opened {
  readonly engine: Engine
  readonly recipe: Recipe
}

/** What there is to know of a frame, by the bytes that were asked for so far. */
export const learn = (engine: Engine, answers: readonly Uint8Array[], limits: Limits) =>
  engine.call({ answers: [], limits }, 'open', answers, answer => {
    const facts = JSON.parse(textOf(answer)) as Facts
    const first = answers[0]!
    // Small, and apart from the 8 KiB that it came in. A header longer than the first answer took all of them.
    const short = facts.recipe > 0 && facts.recipe <= first.length
    return {
      engine,
      facts,
      recipe: { answers: short ? [copyOf(first.subarray(0, facts.recipe))] : [...answers], limits },
    }
  })

/** The metalayers in the header, or the variable-length ones in the trailer. */
export const readMetalayers = (
  opened: Opened,
  answers: readonly Uint8Array[],
  where: 'metalayers' | 'trailer',
): Uint8Array | Need => opened.engine.call(opened.recipe, where, answers, copyOf)

/**
 * Where chunks are, from chunk `from` on: as many as one call takes. What other arrays' values are computed from, or cached in,
 * is refused unless it is to be read as it is stored.
 */
export const readIndex = (
  opened: Opened,
  answers: readonly Uint8Array[],
  from: number,
  asStored = false,
): IndexPart | Need => opened.engine.call(opened.recipe, 'index', answers, numbersOf, from, Number(asStored))

/** What a selection gives and which chunks it touches, from chunk `from` on. */
export const planOf = (opened: Opened, items: number, indices: Indices, from = 0): Plan =>
  opened.engine.call(
    opened.recipe,
    'plan',
    [indices],
    answer => {
      const numbers = numbersOf(answer)
      const [itemsize, nbytes, ndim] = numbers as unknown as [number, number, number]
      const first = 3 + ndim
      const touched = numbers.subarray(first + 2)
      const shape = [...numbers.subarray(3, first)]
      return { itemsize, nbytes, shape, chunks: numbers[first]!, next: numbers[first + 1]!, touched }
    },
    items,
    from,
  ) as Plan

/** Which bytes of a chunk, or of a piece of it, a selection needs, given those at its start: its head, then its blocks. */
export const spansIn = (
  opened: Opened,
  items: number,
  indices: Indices,
  { nchunk, piece }: Piece,
  head: Uint8Array,
): Span[] | Need => opened.engine.call(opened.recipe, 'wanted', [indices, head], spans, items, nchunk, piece)

/** Which bytes of a chunk it would need if all blocks were alike and lay in order, without the head. */
export const likelySpans = (
  opened: Opened,
  items: number,
  indices: Indices,
  { nchunk, piece }: Piece,
  extent: number,
): Span[] => opened.engine.call(opened.recipe, 'guess', [indices], spans, items, nchunk, piece, extent) as Span[]

/** The requests that bring all ranges, three numbers each: part, start and end. */
export const mergedRanges = (engine: Engine, ranges: Float64Array, gap: number, waste: number): Float64Array =>
  engine.call(NO_FRAME, 'merge', ranges, numbersOf, gap, waste) as Float64Array

const spans = (answer: Uint8Array): Span[] => pairs(new Uint32Array(copyOf(answer).buffer))

/**
 * Decodes what a selection takes of some chunks. `use` gets it in memory that the next call overwrites and says what
 * to make of it: to put it in its place costs one copy.
 */
export const decodePart = <T>(engine: Engine, job: Job, use: (answer: Uint8Array) => T): T | Need =>
  engine.call(job.recipe, 'decode', [job.indices, job.tasks, job.starts, ...job.segments], use, job.items)

/** Hands out the boxes in the answer of `decodePart`, one for each task. The next one overwrites the box, but not its bytes. */
export function eachBox(answer: Uint8Array, use: (box: Box, k: number) => void): void {
  const view = new DataView(answer.buffer, answer.byteOffset, answer.length)
  const start: number[] = []
  const count: number[] = []
  for (let at = 0, k = 0; at < answer.length; k++) {
    const ndim = view.getFloat64(at, true)
    const first = at + 16 + 16 * ndim
    const end = first + view.getFloat64(at + 8, true)
    for (let axis = 0; axis < ndim; axis++) {
      start[axis] = view.getFloat64(at + 16 + 16 * axis, true)
      count[axis] = view.getFloat64(at + 24 + 16 * axis, true)
    }
    use({ start, count, bytes: answer.subarray(first, end) }, k)
    at = Math.ceil(end / 8) * 8
  }
}

/** All of them. */
export function boxesIn(answer: Uint8Array): Box[] {
  const boxes: Box[] = []
  eachBox(answer, ({ start, count, bytes }) => boxes.push({ start: [...start], count: [...count], bytes }))
  return boxes
}

/** A whole chunk of a frame, plain. */
export const decodeWhole = (opened: Opened, nchunk: number, location: number, bytes: Uint8Array): Uint8Array =>
  opened.engine.call(opened.recipe, 'chunk', [bytes], copyOf, nchunk, location) as Uint8Array

/** The header of a chunk, of its first 32 bytes or all of it. */
export const readChunkInfo = (engine: Engine, bytes: Uint8Array): ChunkInfo =>
  engine.call(NO_FRAME, 'chunk_info', bytes, answer => toChunkInfo(numbersOf(answer))) as ChunkInfo

/** The plain bytes of a chunk on its own, in `out` if that is given: it may be longer. */
export const decodeAlone = (
  engine: Engine,
  bytes: Uint8Array,
  out: Uint8Array | undefined,
  limits: Limits,
): Uint8Array =>
  engine.call({ answers: [], limits }, 'chunk_decode', bytes, plain => {
    if (!out) return copyOf(plain)
    if (out.length < plain.length) throw engineError([2, 3, out.length, plain.length])
    out.set(plain)
    return out.subarray(0, plain.length)
  }) as Uint8Array

const NO_FRAME: Recipe = { answers: [], limits: LIMITS }

const numbersOf = (answer: Uint8Array): Float64Array => new Float64Array(copyOf(answer).buffer)
