// Arrays whose values are computed from others. This file is an entry of the package: the first lazy array loads it.

import { copyOf } from '../base/bytes.js'
import { argument, B2ndError, setName } from '../base/errors.js'
import { product } from '../base/numbers.js'
import { checked, limits } from '../base/validation.js'
import type { Data } from '../data/convert.js'
import { createEngine, planOf } from '../engine/engine.js'
import type { Facts } from '../engine/facts.js'
import { limitsOf } from '../engine/protocol.js'
import { valueIn } from '../engine/values.js'
import { expressionEngine } from '../expression/engine.js'
import { createCache } from '../reading/cache.js'
import { createChunkIndex } from '../reading/chunk-index.js'
import type { Cost } from '../reading/estimate.js'
import type { Frame, OpenOptions, Operand } from '../reading/frame.js'
import type { Selection } from '../reading/selection.js'
import type { Reading } from '../reading/waves.js'
import type { Openable } from '../sources/openable.js'
import { Evaluation } from './evaluation.js'
import { NDArray } from './ndarray.js'
import type { SChunk } from './schunk.js'

/** Options of `evaluate`. */
export interface EvaluateOptions {
  /** How much may be allocated for values. More fails as `limit`. */
  limits?: OpenOptions['limits']
}

/**
 * The expression of some arrays as an array: `await evaluate('a + 2*b', { a, b })`. Its values are computed when they are read, of the blocks
 * that a selection touches. It has the operators and functions of NumPy and of the array API, with their rules of types: see `Expression` of
 * the Rust library. Reductions such as `mean(a, axis=0)` are computed once, on the first reading.
 *
 * Fails as `argument` for what is no such expression, for names that are no operands, and for types and shapes that do not fit. The
 * operands stay open when the array is closed.
 */
export async function evaluate(
  text: string,
  operands: Readonly<Record<string, NDArray>>,
  options: EvaluateOptions = {},
): Promise<LazyArray> {
  checked(options, { limits })
  if (typeof text !== 'string') throw argument('expression: give a text')
  const named = (name: string) => {
    const operand = Object.hasOwn(Object(operands) as object, name) ? operands[name] : undefined
    if (operand instanceof NDArray) return operand
    throw argument(`operands: ${name} is no array`)
  }
  const evaluation = await Evaluation.of(text, limitsOf(options.limits), names => names.map(named))
  return new LazyArray(text, evaluation)
}

/**
 * The lazy array of python-blosc2 that a frame has in place of values. `open` is that of the other entry.
 * @internal
 */
export async function lazyArray(
  frame: Frame,
  { operands: opener, signal }: OpenOptions,
  open: (openable: Openable) => Promise<NDArray | SChunk>,
): Promise<LazyArray> {
  const owned: NDArray[] = []
  const close = async () => void (await Promise.all([frame, ...owned].map(one => one.close())))
  const openOne = async (operand: Operand) => {
    const opened = await opener!(operand)
    const array = opened instanceof NDArray ? opened : await open(opened as Openable)
    if (array instanceof NDArray) {
      owned.push(array as NDArray)
      return array as NDArray
    }
    await array.close()
    throw argument(`operand ${operand.name} is not an array`)
  }
  try {
    const { limits } = frame.recipe
    const attributes = await frame.layers(true, signal)
    const engine = await expressionEngine(createEngine)
    const stored = engine.call({ answers: [], limits }, 'stored', [attributes], valueIn) as Stored | null
    if (!stored) throw new B2ndError('format', 'the lazy array has no expression')
    const named = (name: string) => {
      const operand = stored.operands.find(operand => operand.name === name)
      if (operand) return openOne(operand)
      throw new B2ndError('format', `the lazy array does not say where ${name} is`)
    }
    // One after the other: what was opened is closed if another fails.
    const all = async (names: readonly string[]) => {
      const arrays = []
      for (const name of names) arrays.push(await named(name))
      return arrays
    }
    return new LazyArray(stored.text, await Evaluation.of(stored.text, limits, all), frame, close)
  } catch (error) {
    await close()
    throw error
  }
}

interface Stored {
  readonly text: string
  readonly operands: readonly Operand[]
}

/** An array whose values are computed when they are read. `D` is the type of its data. */
export class LazyArray<D extends Data = Data> extends NDArray<D> {
  static {
    setName(this, 'LazyArray')
  }
  /** The expression. */
  readonly expression: string
  readonly #evaluation: Evaluation

  /** @internal */
  constructor(text: string, evaluation: Evaluation, stored?: Frame, close = async () => {}) {
    const frame = frameOf(evaluation, stored, close)
    super(frame, frame.facts.array!)
    this.expression = text
    this.#evaluation = evaluation
  }

  /** The cost of reading the operands: of reductions, those that are read first. */
  override async plan(selection?: Selection, options: { signal?: AbortSignal | undefined } = {}): Promise<Cost> {
    const reading = this.planned(selection, options, false)
    const cost: Cost = { ...NOTHING, decodedBytes: reading.nbytes }
    for await (const [operand, part] of this.#evaluation.parts(reading)) {
      const { decodedBytes: _, exact: __, ...numbers } = await operand.plan(part, options)
      for (const [name, number] of Object.entries(numbers)) cost[name as keyof typeof numbers] += number
    }
    return cost
  }

  /** Reads the compressed bytes of the operands into their caches: of reductions, those that are read first. */
  override async prefetch(selection?: Selection, options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    const reading = this.planned(selection, options, false)
    for await (const [operand, part] of this.#evaluation.parts(reading)) await operand.prefetch(part, options)
  }

  protected override async fill(
    reading: Reading,
    progress?: (bytes: number) => void,
    bytes = new Uint8Array(reading.nbytes),
  ): Promise<Uint8Array<ArrayBuffer>> {
    let at = 0
    for await (const box of this.#evaluation.boxes(reading.indices, reading.signal)) {
      bytes.set(box.bytes, at)
      at += box.bytes.length
      progress?.(box.bytes.length)
    }
    return bytes
  }

  protected override async *boxes({ indices, signal }: Reading) {
    for await (const { start, count, bytes } of this.#evaluation.boxes(indices, signal))
      yield { start, count, bytes: copyOf(bytes) }
  }
}

const NOTHING: Cost = {
  requests: 0,
  bytes: 0,
  requestsMax: 0,
  bytesMax: 0,
  exact: false,
  decodedBytes: 0,
  chunks: 0,
  blocks: 0,
}

/** The frame of a lazy array: that in which it is stored, or none. */
function frameOf(evaluation: Evaluation, stored: Frame | undefined, close: () => Promise<void>): Frame {
  const { engine, recipe } = evaluation
  const array = evaluation.facts()
  const { shape, chunks, itemsize } = array
  const nchunks = product(shape.map((length, axis) => Math.ceil(length / chunks[axis]!)))
  const nbytes = product(shape) * itemsize
  const facts: Facts = {
    ...(stored?.facts ?? { ...NO_FACTS, nbytes, typesize: itemsize, chunksize: product(chunks) * itemsize }),
    array,
  }
  const opened = { engine, recipe }
  let isClosed = false
  const isOpen = () => {
    if (isClosed) throw argument('it has been closed')
  }
  return {
    ...(stored ?? NO_FRAME),
    ...opened,
    facts,
    cache: { ...(stored?.cache ?? nothing()), traffic: evaluation.traffic, free: false },
    plan(items, indices) {
      isOpen()
      return planOf(opened, items, indices)
    },
    // No chunk has values.
    chunkIndex: () => createChunkIndex([Float64Array.of(nchunks, nchunks, 0, -1)], 0, facts),
    async close() {
      isClosed = true
      await close()
    },
  }
}

const NO_FACTS: Omit<Facts, 'nbytes' | 'typesize' | 'chunksize'> = {
  kind: 'array',
  recipe: 0,
  version: 0,
  sparse: false,
  headerLength: 0,
  frameLength: 0,
  state: [],
  cbytes: 0,
  blocksize: 0,
  codec: { id: 0, name: null, meta: 0 },
  clevel: 0,
  filters: [],
  splitMode: null,
  hasAttrs: false,
  reference: 'lazyexpr',
  damaged: false,
  array: null,
}

/** The part of a frame that a lazy array without a file has. */
const NO_FRAME = {
  decoder: undefined,
  metalayers: Object.freeze({}),
  read: async () => [],
  range: (_: number, start: number, end: number) => ({ part: -1, start, end }),
  chunk: async (): Promise<never> => {
    throw argument('a lazy array has no stored chunks')
  },
  layers: async () => new Uint8Array(),
  vlmeta: async () => Object.freeze({}),
}

const nothing = () => createCache(new Uint8Array(), { bytes: 0, concurrency: 1, merge: ranges => [...ranges] })
