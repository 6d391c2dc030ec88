import { createEngine, NO_FRAME, type Engine } from '../engine/engine.js'
import { drive } from '../engine/exchange.js'
import type { ArrayFacts, Type } from '../engine/facts.js'
import type { Limits } from '../engine/protocol.js'
import { valueIn } from '../engine/values.js'
import type { Step } from './steps.js'

/** The properties of an array that is written. */
export interface WrittenArray extends ArrayFacts {
  blocks: number[]
  dtype: string
  type: Type
}

/** Reads bytes of the file; fewer at its end. */
export type Read = (offset: number, length: number) => Promise<Uint8Array>

/** A frame with an array that is created or changed, in an instance of the wasm of its own. */
export class FrameState {
  readonly #engine: Engine
  readonly #recipe
  array!: WrittenArray

  constructor(module: WebAssembly.Module, limits: Limits) {
    this.#engine = createEngine(module, Infinity)
    this.#recipe = { ...NO_FRAME, limits }
  }

  /** Creates an array. */
  create(sections: readonly ArrayBufferView[]): void {
    this.array = this.#engine.call(this.#recipe, 'create', sections, facts)
  }

  /** Opens an array. */
  async open(read: Read): Promise<void> {
    this.array = await this.#drive(read, 'edit', [], facts)
  }

  /** Makes a change and returns its steps, which must be carried out before the next one. */
  change(read: Read, name: string, input: readonly ArrayBufferView[], ...numbers: number[]): Promise<Step[]> {
    return this.#drive(read, name, input, output => valueIn(output) as Step[], ...numbers)
  }

  #drive<T>(
    read: Read,
    name: string,
    input: readonly ArrayBufferView[],
    use: (output: Uint8Array) => T,
    ...numbers: number[]
  ): Promise<T> {
    return drive(
      answers => this.#engine.ask(this.#recipe, name, [...input, ...answers], use, ...numbers),
      async needs => {
        const answers: Uint8Array[] = []
        // One after the other, as files are read.
        for (const { start, end } of needs) answers.push(await read(start, end - start))
        return answers
      },
    )
  }
}

/** The facts of an array. Items without a dtype, or with an unknown one, are bytes. */
function facts(output: Uint8Array): WrittenArray {
  const array = valueIn(output) as ArrayFacts
  const { dtype, type, blocks, itemsize: size } = array
  return {
    ...array,
    blocks: blocks ?? [],
    dtype: dtype ?? `|V${size}`,
    type: type ?? { kind: 'void', size, order: '|' },
  }
}
