import { B2ndError } from './errors.js'
import type { Limits, Need } from './job.js'
import { engineError } from './messages.js'

/** What the module exports, beside its memory: functions of numbers. */
type Exports = Record<string, (...numbers: number[]) => number> & { memory: WebAssembly.Memory }

type Section = Uint8Array | Float64Array | Uint32Array

/** A module that has grown beyond this is replaced by a new one: the memory of a module never shrinks. */
const CAP = 2 ** 28

/**
 * The module's memory: writes what goes in, reads what comes out. The module itself is made on the first call and
 * again after it grew too much or broke down.
 */
export class Memory {
  readonly #module: WebAssembly.Module
  readonly #forget: () => void
  #exports: Exports | undefined

  /** `forget` is called when all that the module held is gone. */
  constructor(module: WebAssembly.Module, forget: () => void) {
    this.#module = module
    this.#forget = forget
  }

  /** Says what may be allocated. A module that is made anew has to be told again. */
  limits({ memory, metadata }: Readonly<Limits>): void {
    this.#alive()['limits']!(memory, metadata)
  }

  /** Calls with a list of sections, or with bytes as they are; tells what is needed, if anything is. */
  call(name: string, input: readonly Section[] | Uint8Array, ...numbers: number[]): Need | undefined {
    const sections = input instanceof Uint8Array
      ? [input]
      : [Uint32Array.from([input.length, ...input.map(section => section.byteLength)]), ...input]
    const exports = this.#alive()
    try {
      let at = exports['input']!(sections.reduce((sum, section) => sum + section.byteLength, 0)) >>> 0
      const memory = new Uint8Array(exports.memory.buffer)
      for (const { buffer, byteOffset, byteLength } of sections) {
        memory.set(new Uint8Array(buffer, byteOffset, byteLength), at)
        at += byteLength
      }
      const status = exports[name]!(...numbers)
      if (status === 0) return undefined
      const answer = this.copy()
      // Without the name that may follow.
      const told = [...new Float64Array(answer.buffer, 0, status === 1 ? 3 : 8)]
      if (status === 1) return { part: told[0]!, start: told[1]!, end: told[2]! }
      throw engineError(told, textOf(answer.subarray(64)))
    } catch (cause) {
      if (cause instanceof B2ndError) throw cause
      // It ran out of memory, and what it holds is in no state that could be relied on.
      this.#drop()
      throw new B2ndError('limit', 'the decoder broke down, most likely for want of memory', { cause })
    }
  }

  /** Makes something of the answer; afterwards memory that grew too much is given back. */
  use<T>(use: (answer: Uint8Array) => T): T {
    try {
      return use(this.view())
    } finally {
      // It may be gone already, if `use` called others.
      if ((this.#exports?.memory.buffer.byteLength ?? 0) > CAP) this.#drop()
    }
  }

  /** The answer, until the next call. */
  view(): Uint8Array {
    const { memory, output, output_len } = this.#exports!
    return new Uint8Array(memory.buffer, output!() >>> 0, output_len!() >>> 0)
  }

  copy(): Uint8Array<ArrayBuffer> {
    return copyOf(this.view())
  }

  text(): string {
    return textOf(this.view())
  }

  numbers(): Float64Array {
    return new Float64Array(this.copy().buffer)
  }

  metalayers(): Map<string, Uint8Array> {
    const bytes = this.copy()
    const view = new DataView(bytes.buffer)
    let at = 4
    const next = () => {
      const start = at + 4
      at = start + view.getUint32(at, true)
      return bytes.slice(start, at)
    }
    const metalayers = new Map<string, Uint8Array>()
    for (let left = bytes.length ? view.getUint32(0, true) : 0; left > 0; left--) {
      const name = textOf(next())
      metalayers.set(name, next())
    }
    return metalayers
  }

  #drop(): void {
    this.#exports = undefined
    this.#forget()
  }

  #alive(): Exports {
    return (this.#exports ??= new WebAssembly.Instance(this.#module).exports as Exports)
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Bytes in memory of their own. Unlike `slice` this does not fill it with zeros first, which takes as long as to decode. */
export const copyOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
