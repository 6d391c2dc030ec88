import { linked } from '../base/abort.js'
import { copyOf, utf8, viewOf } from '../base/bytes.js'
import { yieldThen } from '../base/yielding.js'
import { boxesIn, createEngine, type Engine } from '../engine/engine.js'
import type { ArrayFacts } from '../engine/facts.js'
import type { Box, Indices, Limits, Plan, Recipe } from '../engine/protocol.js'
import { valueIn } from '../engine/values.js'
import { expressionEngine } from '../expression/engine.js'
import { markHandled, type Traffic } from '../reading/cache.js'
import type { Selection } from '../reading/selection.js'
import type { ChunkPlace } from './info.js'
import type { NDArray } from './ndarray.js'

/** Pieces whose operands are read at the same time. */
const AHEAD = 4
/** The index of an operand with more runs of chunks is not searched for equal values. */
const MAX_RUNS = 2 ** 16

/** The operand, and its items that a piece needs. */
type Part = [operand: number, selection: Selection]

/** An expression of arrays, in an instance of the wasm of its own. */
export class Evaluation {
  readonly #operands: readonly NDArray[]
  #known: Promise<void> | undefined
  #last = 0

  private constructor(
    readonly engine: Engine,
    readonly recipe: Recipe,
    operands: readonly NDArray[],
  ) {
    this.#operands = operands
  }

  /** Finds types and shapes. `operandsOf` gets the names in the text, and returns their arrays. */
  static async of(
    text: string,
    limits: Limits,
    operandsOf: (names: readonly string[]) => readonly NDArray[] | Promise<readonly NDArray[]>,
  ): Promise<Evaluation> {
    const engine = await expressionEngine(createEngine)
    const names = engine.call({ answers: [], limits }, 'names', [utf8(text)], valueIn) as string[]
    const operands = await operandsOf(names)
    const known = operands.flatMap(({ dtype, shape, chunks, blocks }) => [
      utf8(dtype ?? ''),
      Float64Array.of(shape.length, ...shape, ...chunks, ...(blocks ?? [])),
    ])
    return new Evaluation(engine, { answers: [utf8(text), ...known.map(viewOf)], limits }, operands)
  }

  facts(): ArrayFacts {
    return this.engine.call(this.recipe, 'facts', [], valueIn) as ArrayFacts
  }

  /** The cost of all operands so far. Copies of it have the numbers of their time. */
  get traffic(): Traffic {
    const sum = (name: keyof Traffic) => this.#operands.reduce((sum, { traffic }) => sum + traffic[name], 0)
    return {
      get requests() {
        return sum('requests')
      },
      get bytes() {
        return sum('bytes')
      },
    }
  }

  /** Computes the items of a selection, in boxes whose items follow each other in C order. */
  async *boxes(indices: Indices, outer: AbortSignal | undefined): AsyncGenerator<Box, void, undefined> {
    await (this.#known ??= this.#findUniform(outer))
    outer?.throwIfAborted()
    const number = this.#begin(indices)
    const { abort, leave } = linked(outer)
    const { signal } = abort
    const read = (parts: readonly Part[]) =>
      Promise.all(parts.map(([operand, selection]) => this.#operands[operand]!.stored(selection, { signal })))
    const reading: Promise<Uint8Array[]>[] = []
    try {
      for (;;) {
        for (let parts; reading.length < AHEAD && (parts = this.#ask(number));) reading.push(markHandled(read(parts)))
        const given = await reading.shift()
        if (!given) return
        yield* await yieldThen(() => this.#call('give', given, output => boxesIn(copyOf(output)), number), signal)
      }
    } finally {
      leave()
      abort.abort()
      this.#end(number)
    }
  }

  /** The parts of operands that a selection needs, as far as they are known before something is read. */
  async *parts(plan: Plan & { indices: Indices }): AsyncGenerator<[NDArray, Selection], void, undefined> {
    const number = this.#begin(plan.indices)
    try {
      for (let parts; (parts = await yieldThen(() => this.#ask(number)));)
        for (const [operand, selection] of parts) yield [this.#operands[operand]!, selection]
    } finally {
      this.#end(number)
    }
  }

  #begin(indices: Indices): number {
    const number = this.#last++
    this.#call('begin', [indices], () => {}, number)
    return number
  }

  #ask(number: number): Part[] | null {
    return this.#call('ask', [], valueIn, number) as Part[] | null
  }

  #end(number: number): void {
    this.#call('end', [], () => {}, number)
  }

  #call<T>(name: string, input: readonly ArrayBufferView[], use: (output: Uint8Array) => T, number: number): T {
    return this.engine.call(this.recipe, name, input, use, number)
  }

  /** Tells which chunks of the operands have one value each: whatever they claim to have is computed at once. */
  async #findUniform(signal: AbortSignal | undefined): Promise<void> {
    const find = async (operand: NDArray, number: number) => {
      // The values of lazy arrays are known to nobody.
      if (operand.info.reference) return
      const map = await operand.chunkMap({ signal })
      const isUniform = ({ count, special }: ChunkPlace) =>
        count > 1 && (special === 'zeros' || special === 'uninit' || special === 'nan')
      const runs = map.length > MAX_RUNS ? [] : [...map].filter(isUniform)
      const ends = runs.flatMap(({ nchunk, count }) => [nchunk, nchunk + count])
      this.#call('uniform', [new Float64Array(ends)], () => {}, number)
    }
    try {
      await Promise.all(this.#operands.map(find))
    } catch (error) {
      this.#known = undefined
      throw error
    }
  }
}
