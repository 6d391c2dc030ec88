import { yieldThen } from '../../js/base/yielding.js'
import { toData } from '../../js/data/convert.js'
// What is being looked at: an array, or a super-chunk that is shown as one.
import {
  NDArray,
  open,
  slice,
  StructArray,
  type Cost,
  type Data,
  type Openable,
  type OpenOptions,
  type ChunkPlace,
  type SChunk,
  type Stats,
  type Type,
} from '../../js/index.js'
import type { Cells } from './cells.js'
import type { Missing } from './missing.js'
import { numbersOf, offsetOf, type Numbers, type Part } from './values.js'

/**
 * What to take along an axis: one position, or a range. With `cells`, all items of the range are read, and each `step` of them are
 * one cell, of which there is what `Cells` gathers of that part of the items.
 */
export type Cut = number | { start: number; stop: number; step: number; cells?: Part }

/** A slice as it was read. */
export interface Piece {
  cuts: readonly Cut[]
  data: Data
  shape: readonly number[]
  /** Elements of `data` for each item. */
  width: number
  /** Of an overview, what the cells have; `data` are their means. */
  cells?: Cells
}

/** Items that came, and where in the slice they begin. */
export interface Box {
  data: Data
  start: readonly number[]
  shape: readonly number[]
  width: number
}

/** Items of a super-chunk that are read at a time for an overview. */
const BATCH = 2 ** 20

export interface Source {
  name: string
  openable: Openable
  /** Where it can be had again, if it is remote. */
  url?: string
}

export type Options = { signal?: AbortSignal | undefined }
export type ReadOptions = Options & { onProgress?: ((share: number) => void) | undefined }

export class Dataset {
  readonly name: string
  readonly url: string | undefined
  readonly opened: NDArray | SChunk
  readonly shape: readonly number[]
  readonly itemsize: number
  /** The dtype; where the file knows none, a guess by the size of an item, which can be replaced. */
  type: Type
  readonly guessed: boolean
  /** Whether there is no file of it: values are computed of those of others. */
  readonly computed: boolean = false
  /** What the file does not have; `null` if that is nothing, or as long as nobody has looked. */
  missing: Missing | null = null
  /** What is subtracted from 64-bit integers to draw them: doubles do not tell large ones apart. */
  #offset: bigint | undefined

  protected constructor({ name, url }: Omit<Source, 'openable'>, opened: NDArray | SChunk) {
    this.name = name
    this.url = url
    this.opened = opened
    const array = this.array
    this.itemsize = array?.itemsize ?? (opened as SChunk).typesize
    this.shape = array?.shape ?? [this.itemsize ? Math.floor(opened.info.nbytes / this.itemsize) : 0]
    this.guessed = !array || (array.type === null && array.dtype === null)
    this.type = array?.type ?? (this.guessed ? guesses(this.itemsize)[0]! : raw(this.itemsize))
  }

  static async open(source: Source, options: OpenOptions): Promise<Dataset> {
    const dataset = new Dataset(source, await open(source.openable, { ...options, asStored: true }))
    // What such a file does not hold is to be known before anything is read.
    if (dataset.opened.info.reference)
      await dataset.learnMissing(await dataset.opened.chunkMap(options.signal && { signal: options.signal }))
    return dataset
  }

  /** Finds out which chunks have no values; says whether that is news. */
  async learnMissing(places: readonly ChunkPlace[]): Promise<boolean> {
    const some =
      this.opened.info.reference ?? places.some(({ special }) => special === 'uninit' || special === 'unfetched')
    if (this.missing || !some) return false
    const { Missing } = await import('./missing.js')
    return (this.missing = Missing.of(this, places)) !== null
  }

  get offset(): bigint {
    return this.#offset ?? 0n
  }

  /** Numbers to draw, less `offset`. */
  numbers(data: Data, part: Part): Numbers {
    this.#offset ??= offsetOf(data)
    return numbersOf(this.type, data, part, this.offset)
  }

  /** Bytes of an unknown dtype are items of another. */
  interpret(type: Type): void {
    this.type = type
    this.#offset = undefined
  }

  /** The datasets that it is computed of, or itself. */
  get parts(): readonly Dataset[] {
    return [this]
  }

  /** What there is to be told about it, if it is no file. */
  facts(): [name: string, value: string][] | null {
    return null
  }

  get array(): NDArray | null {
    return this.opened instanceof NDArray ? this.opened : null
  }

  get chunks(): readonly number[] | null {
    const { chunksize } = this.opened.info
    return this.array?.chunks ?? (chunksize && this.itemsize ? [chunksize / this.itemsize] : null)
  }

  get blocks(): readonly number[] | null {
    return this.array ? this.array.blocks : null
  }

  get remote(): boolean {
    return this.url !== undefined
  }

  /** The selection that cuts are. */
  static selection(cuts: readonly Cut[]) {
    return cuts.map(cut =>
      typeof cut === 'number' ? cut : slice(cut.start, cut.stop, cut.cells === undefined ? cut.step : 1),
    )
  }

  async read(cuts: readonly Cut[], options: ReadOptions = {}): Promise<Piece> {
    const part = cuts.flatMap(cut => (typeof cut === 'number' ? [] : (cut.cells ?? [])))[0]
    if (part !== undefined) return this.#gather(cuts, part, options)
    const shape = cuts.flatMap(cut => (typeof cut === 'number' ? [] : [lengthOf(cut)]))
    if (this.missing?.unreadable) return { cuts, shape, ...(await this.#readAround(cuts, shape, options)) }
    const selection = Dataset.selection(cuts)
    const { signal, onProgress } = options
    if (!this.array)
      return { cuts, shape, ...this.#typed(await (this.opened as SChunk).select(selection, { signal }), 1) }
    const { data, width } = await this.array.get(selection, {
      signal,
      onProgress: p => onProgress?.(p.loaded / p.total),
    })
    return { cuts, shape, ...this.#typed(data, width) }
  }

  /** Bytes of an unknown dtype, as what they are taken for. */
  #typed(data: Data, width: number): { data: Data; width: number } {
    if (!this.guessed) return { data, width }
    return {
      data: reinterpret(data as Uint8Array<ArrayBuffer>, this.type),
      width: this.type.kind === 'void' ? this.itemsize : 1,
    }
  }

  /** An overview: all items are read, but only what the cells have of them is kept. */
  async #gather(cuts: readonly Cut[], part: Part, { signal, onProgress }: ReadOptions): Promise<Piece> {
    const ranges = cuts.filter(cut => typeof cut !== 'number')
    const lengths = ranges.map(cut => (cut.cells === undefined ? lengthOf(cut) : cut.stop - cut.start))
    const { Cells } = await import('./cells.js')
    const cells = new Cells(
      lengths,
      ranges.map(cut => (cut.cells === undefined ? 1 : cut.step)),
      isSingle(this.type),
    )
    const total = lengths.reduce((product, n) => product * n, 1)
    let loaded = 0
    for await (const { data, start, shape } of this.boxes(cuts.map(single), signal)) {
      const numbers = await yieldThen(() => this.numbers(data, part))
      for (const part of shorter(numbers, start, shape)) await yieldThen(() => cells.add(...part))
      onProgress?.((loaded += numbers.length) / total)
    }
    return { cuts, shape: cells.shape, data: await cells.means(), width: 1, cells }
  }

  /** A slice of which the file does not have all: what it has not is zero, or empty. */
  async #readAround(
    cuts: readonly Cut[],
    shape: readonly number[],
    { signal }: ReadOptions,
  ): Promise<{ data: Data; width: number }> {
    const count = shape.reduce((product, n) => product * n, 1)
    const empty = this.#typed(toData(this.array!.type, new Uint8Array(count * this.itemsize)), 1)
    const width = empty.data instanceof StructArray ? this.itemsize : empty.data.length / count || 1
    for await (const box of this.boxes(cuts, signal)) {
      await yieldThen(() => copyBox(elementsOf(box.data), box, elementsOf(empty.data), shape, width))
    }
    return { data: empty.data, width: empty.data instanceof StructArray ? 1 : width }
  }

  /** What there is of a slice, piece by piece, without chunks that have no values. */
  protected async *boxes(cuts: readonly Cut[], signal: AbortSignal | undefined): AsyncGenerator<Box> {
    if (this.missing?.unreadable) {
      for (const { cuts: inner, start } of this.missing.present(cuts)) {
        const { data, shape, width } = await this.array!.get(Dataset.selection(inner), { signal })
        yield { ...this.#typed(data, width), start, shape }
      }
    } else if (this.array) {
      for await (const { data, start, shape, width } of this.array.parts(Dataset.selection(cuts), { signal })) {
        if (this.missing?.at(positionOf(cuts, start))) continue
        yield { ...this.#typed(data, width), start, shape }
      }
    } else {
      const { start, stop, step } = cuts[0] as Exclude<Cut, number>
      for (let at = start; at < stop; at += BATCH * step) {
        const { data, width, shape } = await this.read([{ start: at, stop: Math.min(stop, at + BATCH * step), step }], {
          signal,
        })
        yield { data, width, shape, start: [(at - start) / step] }
      }
    }
  }

  async plan(cuts: readonly Cut[], options: Options = {}): Promise<Cost> {
    if (this.array && !this.missing?.unreadable) return this.array.plan(Dataset.selection(cuts), options)
    const decodedBytes =
      this.itemsize * cuts.reduce((n: number, cut) => n * (typeof cut === 'number' ? 1 : lengthOf(cut)), 1)
    const bytes = decodedBytes / (this.opened.info.ratio || 1)
    return { requests: 1, bytes, requestsMax: 1, bytesMax: bytes, decodedBytes, chunks: 1, blocks: 1, exact: false }
  }

  stats(
    cuts: readonly Cut[] | null,
    options: Options & { bins: number; onProgress: (share: number) => void },
  ): Promise<Stats> {
    const { signal, bins, onProgress } = options
    const selection = cuts && Dataset.selection(cuts)
    return this.array!.stats(selection, { signal, bins, onProgress: p => onProgress(p.loaded / p.total) })
  }

  close(): Promise<void> {
    return this.opened.close()
  }
}

export const lengthOf = ({ start, stop, step }: Exclude<Cut, number>): number =>
  Math.max(0, Math.ceil((stop - start) / step))

export const keyOf = (cuts: readonly Cut[]): string =>
  cuts.map(cut => (typeof cut === 'number' ? cut : `${cut.start}:${cut.stop}:${cut.step}:${cut.cells ?? ''}`)).join()

/** All items of what cells are gathered of. */
const single = (cut: Cut): Cut =>
  typeof cut === 'number' || cut.cells === undefined ? cut : { start: cut.start, stop: cut.stop, step: 1 }

/** Whether float32 has all values of a type. */
const isSingle = ({ kind, size }: Type): boolean =>
  (kind === 'float' && size <= 4) || (['bool', 'int', 'uint'].includes(kind) && size <= 2)

/** The position in the array of a place in a slice. */
function positionOf(cuts: readonly Cut[], place: readonly number[]): number[] {
  let axis = 0
  return cuts.map(cut => (typeof cut === 'number' ? cut : cut.start + place[axis++]! * cut.step))
}

/** Items that are gone through at once: of more, a page would be seen to wait. */
const AT_ONCE = 2 ** 18

/** A box of items in C order, cut along its outermost axis. */
function* shorter(
  numbers: Numbers,
  start: readonly number[],
  shape: readonly number[],
): Generator<[Numbers, readonly number[], readonly number[]]> {
  const axis = Math.max(
    0,
    shape.findIndex(length => length > 1),
  )
  const inner = shape.slice(axis + 1).reduce((product, n) => product * n, 1)
  const most = Math.max(1, Math.floor(AT_ONCE / inner))
  const length = shape[axis] ?? 1
  if (length <= most || !ArrayBuffer.isView(numbers)) {
    yield [numbers, start, shape]
    return
  }
  for (let at = 0; at < length; at += most) {
    const count = Math.min(most, length - at)
    yield [
      (numbers as unknown as Float64Array).subarray(at * inner, (at + count) * inner),
      start.with(axis, start[axis]! + at),
      shape.with(axis, count),
    ]
  }
}

type Elements = { [at: number]: unknown }

const elementsOf = (data: Data): Elements => (data instanceof StructArray ? data.bytes : data)

/** Puts the items of a box in their places. */
function copyBox(
  from: Elements,
  { start, shape: counts }: Box,
  to: Elements,
  shape: readonly number[],
  width: number,
): void {
  let source = 0
  const copy = (axis: number, at: number): void => {
    if (axis === shape.length) for (let k = 0; k < width; k++) to[at * width + k] = from[source++]
    else for (let k = 0; k < counts[axis]!; k++) copy(axis + 1, at * shape[axis]! + start[axis]! + k)
  }
  copy(0, 0)
}

const raw = (size: number): Type => ({ kind: 'void', size, order: '|' })

/** What items of some size may be. The first is the most likely. */
export function guesses(size: number): Type[] {
  const make = (kind: Type['kind']): Type => ({ kind, size, order: size > 1 ? '<' : '|' })
  const kinds: Type['kind'][] =
    size === 1
      ? ['uint', 'int', 'bool']
      : size === 2
        ? ['int', 'uint', 'float']
        : [4, 8].includes(size)
          ? ['float', 'int', 'uint']
          : []
  return [...kinds.map(make), raw(size)]
}

/** Bytes, as numbers of a type. The machine is little-endian, as all are that run browsers. */
function reinterpret(bytes: Uint8Array<ArrayBuffer>, { kind, size }: Type): Data {
  const kinds: Record<string, new (buffer: ArrayBuffer) => Data> = {
    uint1: Uint8Array,
    bool1: Uint8Array,
    int1: Int8Array,
    uint2: Uint16Array,
    int2: Int16Array,
    float4: Float32Array,
    int4: Int32Array,
    uint4: Uint32Array,
    float8: Float64Array,
    int8: BigInt64Array,
    uint8: BigUint64Array,
  }
  const half = (globalThis as { Float16Array?: (typeof kinds)[string] }).Float16Array
  if (half) kinds['float2'] = half
  const array = kinds[kind + size]
  const { buffer, byteOffset } = bytes
  // A chunk may end within an item.
  const byteLength = Math.floor(bytes.byteLength / size) * size
  return array ? new array(buffer.slice(byteOffset, byteOffset + byteLength)) : bytes
}
