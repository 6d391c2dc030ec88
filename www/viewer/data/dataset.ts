// What is being looked at: an array, or a super-chunk that is shown as one.
import { NDArray, open, slice, type Cost, type Data, type Openable, type OpenOptions, type SChunk, type Stats, type Type } from '../../js/index.js'

/** What to take along an axis: one position, or a range. */
export type Cut = number | { start: number; stop: number; step: number }

/** A slice as it was read. */
export interface Piece {
  cuts: readonly Cut[]
  data: Data
  shape: number[]
  /** Elements of `data` for each item. */
  width: number
}

export interface Source {
  name: string
  openable: Openable
  /** Where it can be had again, if it is remote. */
  url?: string
}

type Options = { signal?: AbortSignal }

export class Dataset {
  readonly name: string
  readonly url: string | undefined
  readonly opened: NDArray | SChunk
  readonly shape: readonly number[]
  readonly itemsize: number
  /** The dtype; where the file knows none, a guess by the size of an item, which can be replaced. */
  type: Type
  readonly guessed: boolean

  private constructor({ name, url }: Source, opened: NDArray | SChunk) {
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
    return new Dataset(source, await open(source.openable, options))
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
    return cuts.map(cut => (typeof cut === 'number' ? cut : slice(cut.start, cut.stop, cut.step)))
  }

  async read(cuts: readonly Cut[], options: Options & { onProgress?: (share: number) => void } = {}): Promise<Piece> {
    const selection = Dataset.selection(cuts)
    const { signal, onProgress } = options
    const shape = cuts.flatMap(cut => (typeof cut === 'number' ? [] : [lengthOf(cut)]))
    if (this.array) {
      const { data, width } = await this.array.get(selection, { signal, onProgress: p => onProgress?.(p.loaded / p.total) })
      return { cuts, shape, ...(this.guessed ? { data: reinterpret(data as Uint8Array<ArrayBuffer>, this.type), width: 1 } : { data, width }) }
    }
    const bytes = await (this.opened as SChunk).select(selection, { signal })
    return { cuts, shape, data: reinterpret(bytes, this.type), width: this.type.kind === 'void' ? this.itemsize : 1 }
  }

  async plan(cuts: readonly Cut[], options: Options = {}): Promise<Cost> {
    if (this.array) return this.array.plan(Dataset.selection(cuts), options)
    const decodedBytes = this.itemsize * cuts.reduce((n: number, cut) => n * (typeof cut === 'number' ? 1 : lengthOf(cut)), 1)
    const bytes = decodedBytes / (this.opened.info.ratio || 1)
    return { requests: 1, bytes, requestsMax: 1, bytesMax: bytes, decodedBytes, chunks: 1, blocks: 1, exact: false }
  }

  stats(cuts: readonly Cut[] | null, options: Options & { bins: number; onProgress: (share: number) => void }): Promise<Stats> {
    const { signal, bins, onProgress } = options
    const selection = cuts && Dataset.selection(cuts)
    return this.array!.stats(selection, { signal, bins, onProgress: p => onProgress(p.loaded / p.total) })
  }

  close(): Promise<void> {
    return this.opened.close()
  }
}

export const lengthOf = ({ start, stop, step }: Exclude<Cut, number>): number => Math.max(0, Math.ceil((stop - start) / step))

export const keyOf = (cuts: readonly Cut[]): string =>
  cuts.map(cut => (typeof cut === 'number' ? cut : `${cut.start}:${cut.stop}:${cut.step}`)).join()

const raw = (size: number): Type => ({ kind: 'void', size, order: '|' })

/** What items of some size may be. The first is the most likely. */
export function guesses(size: number): Type[] {
  const make = (kind: Type['kind']): Type => ({ kind, size, order: size > 1 ? '<' : '|' })
  const kinds: Type['kind'][] =
    size === 1 ? ['uint', 'int', 'bool'] : size === 2 ? ['int', 'uint', 'float'] : [4, 8].includes(size) ? ['float', 'int', 'uint'] : []
  return [...kinds.map(make), raw(size)]
}

/** Bytes, as numbers of a type. The machine is little-endian, as all are that run browsers. */
function reinterpret(bytes: Uint8Array<ArrayBuffer>, { kind, size }: Type): Data {
  const kinds: Record<string, new (buffer: ArrayBuffer) => Data> = {
    uint1: Uint8Array, bool1: Uint8Array, int1: Int8Array, uint2: Uint16Array, int2: Int16Array,
    float4: Float32Array, int4: Int32Array, uint4: Uint32Array,
    float8: Float64Array, int8: BigInt64Array, uint8: BigUint64Array,
  }
  const half = (globalThis as { Float16Array?: (typeof kinds)[string] }).Float16Array
  if (half) kinds['float2'] = half
  const array = kinds[kind + size]
  const { buffer, byteOffset } = bytes
  // A chunk may end within an item.
  const byteLength = Math.floor(bytes.byteLength / size) * size
  return array ? new array(buffer.slice(byteOffset, byteOffset + byteLength)) : bytes
}
