import { errorOf } from './errors.js'

/** What the module exports: functions of numbers, see ABI.md. */
export interface Exports {
  memory: WebAssembly.Memory
  input(length: number): number
  output(): number
  output_len(): number
  limits(memory: number, metadata: number): void
  open(): number
  load(): number
  metalayers(): number
  trailer(): number
  index(): number
  plan(items: number): number
  wanted(items: number, nchunk: number): number
  decode(items: number, nchunk: number, location: number): number
  chunk(nchunk: number, location: number): number
  chunk_info(): number
  chunk_decode(): number
  chunk_block(nblock: number): number
  chunk_items(start: number, end: number): number
}

/** Bytes that a call needs: of the frame (part −1) or of a chunk's file, or of the chunk that the call is about. */
export interface Need {
  part: number
  start: number
  end: number
}

/** The bytes that opened a frame. Loading it again takes microseconds. */
export type Recipe = readonly Uint8Array[]

/** A type of items, as Rust reads the dtype. */
export interface Type {
  kind:
    | 'bool' | 'int' | 'uint' | 'float' | 'complex' | 'datetime' | 'timedelta'
    | 'bytes' | 'str' | 'void' | 'object' | 'subarray' | 'struct'
  /** Bytes of an item. */
  size: number
  order: '<' | '>' | '|'
  /** Of dates and durations: NumPy's unit, empty where none is said, and how many of it make a step. */
  unit?: string
  count?: number
  /** Of sub-arrays. */
  item?: Type
  shape?: number[]
  /** Of structures. */
  fields?: { name: string; title: string | null; offset: number; type: Type }[]
}

/** What opening learns. */
export interface Facts {
  kind: 'array' | 'schunk' | 'chunk'
  recipe: number
  version: number
  sparse: boolean
  headerLength: number
  frameLength: number
  nbytes: number
  cbytes: number
  typesize: number
  blocksize: number
  chunksize: number
  codec: { id: number; name: string | null; meta: number }
  clevel: number
  filters: { id: number; name: string | null; meta: number }[]
  splitMode: string | null
  hasVlmeta: boolean
  damaged: boolean
  array: null | {
    shape: number[]
    chunks: number[]
    blocks: number[] | null
    itemsize: number
    dtype: string | null
    type: Type | null
  }
}

/** A chunk that a selection touches. */
export interface Touched {
  nchunk: number
  /** Plain bytes. */
  nbytes: number
  /** Blocks wanted, and all of them; an estimate. */
  wanted: number
  blocks: number
  /** Bytes of the chunk's head. */
  head: number
}

export interface Plan {
  itemsize: number
  nbytes: number
  shape: number[]
  touched: Touched[]
}

/** Bytes of a chunk that are needed, counted from its start. */
export interface Span {
  start: number
  end: number
}

/** What a selection takes of a chunk: a box of the result, its items in C order. */
export interface Box {
  start: number[]
  count: number[]
  data: Uint8Array
}

/** A call of {@link Engine.decode}, which can be made anywhere. */
export interface DecodeCall {
  recipe: Recipe
  items: 0 | 1
  selection: Uint8Array
  nchunk: number
  location: number
  /** Parts of the chunk: where each starts, and its bytes. */
  starts: number[]
  segments: Uint8Array[]
}

/** The header of a chunk. */
export interface ChunkInfo {
  version: number
  headerLength: number
  typesize: number
  nbytes: number
  blocksize: number
  cbytes: number
  nblocks: number
  codec: number
  codecMeta: number
  body: 'copied' | 'zeros' | 'nan' | 'repeat' | 'uninit' | 'blocks' | 'variable-blocks'
  split: boolean
  dictionary: boolean
  filters: { id: number; meta: number }[]
}

const BODIES = ['copied', 'zeros', 'nan', 'repeat', 'uninit', 'blocks', 'variable-blocks'] as const

/** The wasm module, called. Nothing in it lives on but buffers, and the frame that was loaded last. */
export class Engine {
  #wasm: Exports
  #loaded: Recipe | undefined

  constructor(wasm: Exports) {
    this.#wasm = wasm
  }

  /** Bytes of its memory. */
  get memory(): number {
    return this.#wasm.memory.buffer.byteLength
  }

  limit({ memory, metadata }: { memory: number; metadata: number }): void {
    this.#wasm.limits(memory, metadata)
  }

  /** Opens a frame with the answers so far; or says what is needed next. */
  open(answers: Recipe): Facts | Need {
    this.#loaded = undefined
    return this.#ask(answers, () => this.#wasm.open(), answer => JSON.parse(new TextDecoder().decode(answer)) as Facts)
  }

  metalayers(recipe: Recipe): Map<string, Uint8Array> {
    this.#load(recipe)
    this.#check(this.#wasm.metalayers())
    return blobs(this.#answer())
  }

  trailer(recipe: Recipe, answers: Recipe): Map<string, Uint8Array> | Need {
    this.#load(recipe)
    return this.#ask(answers, () => this.#wasm.trailer(), blobs)
  }

  /** Where each chunk is: its offset or file, or a negative number for a value. */
  index(recipe: Recipe, answers: Recipe): Float64Array | Need {
    this.#load(recipe)
    return this.#ask(answers, () => this.#wasm.index(), numbers)
  }

  plan(recipe: Recipe, items: 0 | 1, selection: Uint8Array): Plan {
    this.#load(recipe)
    this.#give([selection])
    this.#check(this.#wasm.plan(items))
    const all = numbers(this.#answer())
    const [itemsize, nbytes, ndim] = all as unknown as [number, number, number]
    const shape = Array.from(all.subarray(3, 3 + ndim))
    const touched: Touched[] = []
    for (let at = 4 + ndim; at < all.length; at += 5) {
      const [nchunk, nbytes, wanted, blocks, head] = all.subarray(at) as unknown as [number, number, number, number, number]
      touched.push({ nchunk, nbytes, wanted, blocks, head })
    }
    return { itemsize, nbytes, shape, touched }
  }

  /** The spans of a chunk that a selection needs. `head` is the chunk's start; more of it may be needed. */
  wanted(recipe: Recipe, items: 0 | 1, selection: Uint8Array, nchunk: number, head: Uint8Array): Span[] | Need {
    this.#load(recipe)
    return this.#ask([selection, head], () => this.#wasm.wanted(items, nchunk), answer => {
      const all = new Uint32Array(answer.slice().buffer)
      return Array.from({ length: all.length / 3 }, (_, k) => ({ start: all[3 * k + 1]!, end: all[3 * k + 2]! }))
    })
  }

  /** What a selection takes of a chunk. */
  decode({ recipe, items, selection, nchunk, location, starts, segments }: DecodeCall): Box | Need {
    this.#load(recipe)
    const places = new Uint8Array(Uint32Array.from(starts).buffer)
    return this.#ask([selection, places, ...segments], () => this.#wasm.decode(items, nchunk, location), answer => {
      const view = new DataView(answer.buffer, answer.byteOffset)
      const ndim = view.getFloat64(0, true)
      const at = (k: number) => view.getFloat64(8 + 8 * k, true)
      const start = Array.from({ length: ndim }, (_, axis) => at(2 * axis))
      const count = Array.from({ length: ndim }, (_, axis) => at(2 * axis + 1))
      return { start, count, data: answer.slice(8 + 16 * ndim) }
    })
  }

  /** A whole chunk of a frame, plain. */
  chunk(recipe: Recipe, nchunk: number, location: number, bytes: Uint8Array): Uint8Array {
    this.#load(recipe)
    this.#give([bytes])
    this.#check(this.#wasm.chunk(nchunk, location))
    return this.#answer().slice()
  }

  /** The header of a chunk on its own. */
  chunkInfo(bytes: Uint8Array): ChunkInfo {
    this.#put(bytes)
    this.#check(this.#wasm.chunk_info())
    const [version, headerLength, typesize, nbytes, blocksize, cbytes, nblocks, codec, codecMeta, body, split, dict, , ...rest] =
      Array.from(numbers(this.#answer())) as number[] & { length: 20 }
    const filters = Array.from({ length: rest.length / 2 }, (_, k) => ({ id: rest[2 * k]!, meta: rest[2 * k + 1]! }))
    return {
      version: version!, headerLength: headerLength!, typesize: typesize!, nbytes: nbytes!, blocksize: blocksize!,
      cbytes: cbytes!, nblocks: nblocks!, codec: codec!, codecMeta: codecMeta!, body: BODIES[body!]!,
      split: split === 1, dictionary: dict === 1, filters,
    }
  }

  /** A chunk on its own, plain; or one block of it, or some items. Into `out`, if that is given. */
  decodeChunk(bytes: Uint8Array, out?: Uint8Array, part?: { block: number } | { items: readonly [number, number] }): Uint8Array {
    this.#put(bytes)
    const wasm = this.#wasm
    const status = !part ? wasm.chunk_decode() : 'block' in part ? wasm.chunk_block(part.block) : wasm.chunk_items(...part.items)
    this.#check(status)
    const plain = this.#answer()
    if (!out) return plain.slice()
    if (out.length < plain.length) throw errorOf(argument(4, plain.length, out.length))
    out.set(plain)
    return out.length === plain.length ? out : out.subarray(0, plain.length)
  }

  #load(recipe: Recipe): void {
    if (this.#loaded === recipe) return
    this.#loaded = undefined
    this.#give(recipe)
    this.#check(this.#wasm.load())
    this.#loaded = recipe
  }

  #ask<T>(sections: Recipe, call: () => number, read: (answer: Uint8Array) => T): T | Need {
    this.#give(sections)
    if (!this.#check(call())) return read(this.#answer())
    const [part, start, end] = numbers(this.#answer()) as unknown as [number, number, number]
    return { part, start, end }
  }

  /** Whether bytes are needed. */
  #check(status: number): boolean {
    if (status > 1) throw errorOf(this.#answer().slice())
    return status === 1
  }

  /** A view that holds until the next call. */
  #answer(): Uint8Array {
    const { memory, output, output_len } = this.#wasm
    return new Uint8Array(memory.buffer, output(), output_len())
  }

  #put(bytes: Uint8Array): void {
    const at = this.#wasm.input(bytes.length)
    new Uint8Array(this.#wasm.memory.buffer, at, bytes.length).set(bytes)
  }

  #give(sections: Recipe): void {
    const head = 4 + 4 * sections.length
    const length = sections.reduce((sum, { length }) => sum + length, head)
    const at = this.#wasm.input(length)
    const view = new DataView(this.#wasm.memory.buffer, at, head)
    const bytes = new Uint8Array(this.#wasm.memory.buffer, at, length)
    view.setUint32(0, sections.length, true)
    let end = head
    sections.forEach((section, k) => {
      view.setUint32(4 + 4 * k, section.length, true)
      bytes.set(section, end)
      end += section.length
    })
  }
}

/** Whether an answer is a question. */
export function isNeed(answer: object): answer is Need {
  return 'part' in answer
}

function numbers(answer: Uint8Array): Float64Array {
  return new Float64Array(answer.slice().buffer)
}

function blobs(answer: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(answer.buffer, answer.byteOffset)
  let at = 4
  const next = () => {
    const end = at + 4 + view.getUint32(at, true)
    const bytes = answer.slice(at + 4, end)
    at = end
    return bytes
  }
  const count = answer.length ? view.getUint32(0, true) : 0
  return new Map(Array.from({ length: count }, () => [new TextDecoder().decode(next()), next()] as const))
}

/** An argument error, in the numbers of ABI.md. */
function argument(kind: number, a: number, b: number): Uint8Array {
  return new Uint8Array(Float64Array.of(2, kind, a, b, 0, NaN, NaN, NaN).buffer)
}
