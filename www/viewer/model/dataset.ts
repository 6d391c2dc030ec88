// An open array, or a super-chunk that is shown as one.

import { product } from '../../js/base/numbers.js'
import { inSteps, yieldThen } from '../../js/base/yielding.js'
import { toData } from '../../js/data/convert.js'
import {
  isB2ndError,
  NDArray,
  open,
  slice,
  StructArray,
  type Attributes,
  type Cost,
  type Data,
  type Openable,
  type OpenOptions,
  type ChunkMap,
  type SChunk,
  type Stats,
  type Type,
} from '../../js/index.js'
import type { Cells } from './cells.js'
import { lengthOf, type Cut } from './cuts.js'
import type { Missing } from './missing.js'
import { numbersOf, offsetOf, type Numbers, type Part } from './values.js'

/** A slice that was read. */
export interface Piece {
  cuts: readonly Cut[]
  data: Data
  shape: readonly number[]
  /** Elements of `data` for each item. */
  width: number
  /** The cells of an overview; `data` are their means. */
  cells?: Cells
  /** The share of the blocks that was read, if only a sample was. */
  share?: number
}

/** Items that were read, and their position in the slice. */
export interface Box {
  data: Data
  start: readonly number[]
  shape: readonly number[]
  width: number
}

/** Items of a super-chunk to read at a time for an overview. */
const BATCH = 2 ** 20

export interface Source {
  name: string
  openable: Openable
  /** The URL, if it has one. */
  url?: string
  /** Whether a read costs as much as a request, as that of a file that the host of an editor or notebook reads. */
  remote?: boolean
  /** The files of a directory that is a store, by their relative paths. */
  folder?: ReadonlyMap<string, File>
  /** The origin of a frame in memory, as a sentence: a file in another format, for example. */
  imported?: string | undefined
  /** Whether its index is missing, so that it is put together from its chunks. */
  isCut?: boolean | undefined
  /** The store that has it, and its key there. */
  member?: { store: string; key: string } | undefined
  /** A segmentation of it. */
  labels?: Source
}

export type Options = { signal?: AbortSignal | undefined }
export type ReadOptions = Options & { onProgress?: ((share: number) => void) | undefined }

export class Dataset {
  readonly name: string
  readonly url: string | undefined
  readonly imported: string | undefined
  readonly member: Source['member']
  /** Whether a read costs as much as a request. */
  readonly remote: boolean
  readonly opened: NDArray | SChunk
  readonly shape: readonly number[]
  readonly itemsize: number
  /** The dtype. If the file has none, it is guessed from the item size and can be replaced. */
  type: Type
  readonly guessed: boolean
  /** Whether the values are computed from other datasets instead of a file. */
  readonly computed: boolean = false
  /** Attributes that its group in a store has for it. */
  inherited: Attributes = {}
  /** The missing values of the file; `null` if there are none, or if that is not known yet. */
  missing: Missing | null = null
  /** The offset that is subtracted from 64-bit integers for drawing, because doubles cannot represent large ones exactly. */
  #offset: bigint | undefined

  protected constructor(
    { name, url, remote = url !== undefined, imported, member }: Omit<Source, 'openable'>,
    opened: NDArray | SChunk,
  ) {
    this.name = name
    this.remote = remote && !imported
    this.url = url
    this.imported = imported
    this.member = member
    this.opened = opened
    const array = this.array
    this.itemsize = array?.itemsize ?? (opened as SChunk).typesize
    this.shape = array?.shape ?? [this.itemsize ? Math.floor(opened.info.nbytes / this.itemsize) : 0]
    this.guessed = !array || (array.type === null && array.dtype === null)
    this.type = array?.type ?? (this.guessed ? guesses(this.itemsize)[0]! : raw(this.itemsize))
  }

  static async open(source: Source, options: OpenOptions): Promise<Dataset> {
    const stored = await open(source.openable, { ...options, asStored: true })
    const isLazy = stored.info.reference === 'lazyexpr' && source.url && !source.imported
    const opened = isLazy ? await (await import('./lazy.js')).computed(source, stored, options) : stored
    return Dataset.of(source, opened, options)
  }

  /** `opened` must have been opened `asStored`. */
  static async of(source: Omit<Source, 'openable'>, opened: NDArray | SChunk, options: Options): Promise<Dataset> {
    const dataset = new Dataset(source, opened)
    // The missing values of such a file must be known before anything is read.
    if (dataset.reference)
      await dataset.learnMissing(await dataset.opened.chunkMap(options.signal && { signal: options.signal }))
    return dataset
  }

  /** Determines which chunks have no values. Returns whether that has changed. */
  async learnMissing(places: ChunkMap): Promise<boolean> {
    if (this.missing?.damaged.size === 0 || !(this.reference ?? (await lacksSome(places)))) return false
    const { Missing } = await import('./missing.js')
    this.missing = Missing.of(this.array, this.reference, places, this.missing)
    return this.missing !== null
  }

  /** The place of values that the file does not have; `null` if it has all, or if they are computed. */
  get reference(): string | null {
    return 'expression' in this.opened ? null : this.opened.info.reference
  }

  get offset(): bigint {
    return this.#offset ?? 0n
  }

  /** The numbers to draw, minus `offset`. */
  numbers(data: Data, part: Part): Numbers {
    this.#offset ??= offsetOf(data)
    return numbersOf(this.type, data, part, this.offset)
  }

  /** Interprets bytes of an unknown dtype as another one. */
  interpret(type: Type): void {
    this.type = type
    this.#offset = undefined
  }

  /** The datasets that it is computed from, or itself. */
  get parts(): readonly Dataset[] {
    return [this]
  }

  /** The smaller copy of which an overview with this step along some axes is read; null if there is none. */
  levelFor(_step: number, _axes: readonly number[]): number | null {
    return null
  }

  /** Its description, if it is not a file. */
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

  /** Converts cuts to a selection. */
  static selection(cuts: readonly Cut[]) {
    return cuts.map(cut =>
      typeof cut === 'number' ? cut : slice(cut.start, cut.stop, cut.cells === undefined ? cut.step : 1),
    )
  }

  /** Reads a slice. Damaged blocks become missing; fails if no other block has a part of the slice. */
  async read(cuts: readonly Cut[], options: ReadOptions = {}): Promise<Piece> {
    try {
      return await this.#read(cuts, options)
    } catch (error) {
      if (!this.array || !isB2ndError(error, 'format') || error.chunk === undefined) throw error
      await this.#damage(error.chunk)
      const piece = await this.#read(cuts, options)
      if (this.missing!.present(cuts).next().done) throw error
      return piece
    }
  }

  async #damage(chunk: number): Promise<void> {
    const { Missing } = await import('./missing.js')
    ;(this.missing ??= Missing.none(this.array!)).addDamaged(chunk)
  }

  async #read(cuts: readonly Cut[], options: ReadOptions): Promise<Piece> {
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

  /** Converts bytes of an unknown dtype to the chosen one. */
  #typed(data: Data, width: number): { data: Data; width: number } {
    if (!this.guessed) return { data, width }
    return {
      data: reinterpret(data as Uint8Array<ArrayBuffer>, this.type),
      width: this.type.kind === 'void' ? this.itemsize : 1,
    }
  }

  /** Reads an overview: reads all items, but keeps only the summaries in cells. */
  async #gather(cuts: readonly Cut[], part: Part, { signal, onProgress }: ReadOptions): Promise<Piece> {
    const ranges = cuts.filter(cut => typeof cut !== 'number')
    const lengths = ranges.map(cut => (cut.cells === undefined ? lengthOf(cut) : cut.stop - cut.start))
    const { Cells } = await import('./cells.js')
    const cells = new Cells(
      lengths,
      ranges.map(cut => (cut.cells === undefined ? 1 : cut.step)),
      isSingle(this.type),
    )
    const total = product(lengths)
    let loaded = 0
    for await (const { data, start, shape } of this.boxes(cuts.map(single), signal)) {
      const numbers = await yieldThen(() => this.numbers(data, part))
      for (const part of shorter(numbers, start, shape)) await yieldThen(() => cells.add(...part))
      onProgress?.((loaded += numbers.length) / total)
    }
    return { cuts, shape: cells.shape, data: await cells.means(), width: 1, cells }
  }

  /** Reads a slice with missing values, which become zero or empty. */
  async #readAround(
    cuts: readonly Cut[],
    shape: readonly number[],
    { signal }: ReadOptions,
  ): Promise<{ data: Data; width: number }> {
    const count = product(shape)
    const empty = this.#typed(toData(this.array!.type, new Uint8Array(count * this.itemsize)), 1)
    const width = empty.data instanceof StructArray ? this.itemsize : empty.data.length / count || 1
    for await (const box of this.boxes(cuts, signal)) {
      await yieldThen(() => copyBox(elementsOf(box.data), box, elementsOf(empty.data), shape, width))
    }
    return { data: empty.data, width: empty.data instanceof StructArray ? 1 : width }
  }

  /** Reads a slice piece by piece, without chunks that have no values. */
  protected async *boxes(cuts: readonly Cut[], signal: AbortSignal | undefined): AsyncGenerator<Box> {
    if (this.missing?.unreadable) {
      const get = (inner: readonly Cut[]) => this.array!.get(Dataset.selection(inner), { signal })
      for await (const [{ data, shape, width }, start] of this.missing.read(cuts, get))
        yield { ...this.#typed(data, width), start, shape }
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

/** The cuts of all items that are gathered into cells. */
const single = (cut: Cut): Cut =>
  typeof cut === 'number' || cut.cells === undefined ? cut : { start: cut.start, stop: cut.stop, step: 1 }

/** Whether float32 represents all values of a type. */
const isSingle = ({ kind, size }: Type): boolean =>
  (kind === 'float' && size <= 4) || (['bool', 'int', 'uint'].includes(kind) && size <= 2)

/** Converts a position in a slice to the position in the array. */
function positionOf(cuts: readonly Cut[], place: readonly number[]): number[] {
  let axis = 0
  return cuts.map(cut => (typeof cut === 'number' ? cut : cut.start + place[axis++]! * cut.step))
}

/** Items processed in one step, so that the page stays responsive. */
const AT_ONCE = 2 ** 18

/** Splits a box of items in C order along its first axis. */
function* shorter(
  numbers: Numbers,
  start: readonly number[],
  shape: readonly number[],
): Generator<[Numbers, readonly number[], readonly number[]]> {
  const axis = Math.max(
    0,
    shape.findIndex(length => length > 1),
  )
  const inner = product(shape.slice(axis + 1))
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

/** Copies the items of a box to their positions. */
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

/** Possible dtypes for an item size, the most likely one first. */
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

/** Interprets bytes as numbers of a type. All machines that run browsers are little-endian. */
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
  const half = (globalThis as unknown as { Float16Array?: (typeof kinds)[string] }).Float16Array
  if (half) kinds['float2'] = half
  const array = kinds[kind + size]
  const { buffer, byteOffset } = bytes
  // A chunk may end within an item.
  const byteLength = Math.floor(bytes.byteLength / size) * size
  return array ? new array(buffer.slice(byteOffset, byteOffset + byteLength)) : bytes
}

/** Whether some chunks have no values. */
async function lacksSome(places: ChunkMap): Promise<boolean> {
  let lacks = false
  await inSteps(places.length, 2 ** 14, (from, to) => {
    for (let at = from; at < to && !lacks; at++) lacks = ['uninit', 'unfetched'].includes(places.at(at)!.special ?? '')
  })
  return lacks
}
