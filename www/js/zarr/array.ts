// The used parts of arrays and stores of zarrita, without importing it.

/** Options of a store's functions. */
export interface StoreOptions {
  /** Aborts. */
  signal?: AbortSignal | undefined
}

/** A range of bytes of a file in a store. */
export type StoreRange = { offset: number; length: number } | { suffixLength: number }

/** The bytes of a file in a store; `undefined` if there is none. */
export type StoreBytes = Uint8Array | undefined | Promise<Uint8Array | undefined>

/** A store of zarrita. */
export interface ReadableStore {
  // `any`, because parameters must be compatible with zarrita's.
  /** Reads a file. */
  // oxlint-disable-next-line typescript/no-explicit-any
  get(key: any, options?: any): StoreBytes
  /** Reads a range of bytes of a file. */
  // oxlint-disable-next-line typescript/no-explicit-any
  getRange?(key: any, range: StoreRange, options?: any): StoreBytes
}

/** Items of an array of zarrita. */
export interface ZarrChunk {
  /** The items. */
  data: unknown
  /** The number of items along each axis. */
  shape: number[]
  /** The distance between neighbours along each axis, in items. */
  stride: number[]
}

/** An array of zarrita. */
export interface ZarrArray {
  /** The number of items along each axis. */
  readonly shape: number[]
  /** The number of items of a chunk along each axis. */
  readonly chunks: number[]
  /** The data type. */
  readonly dtype: string
  /** The item of chunks that are missing. */
  readonly fillValue: unknown
  /** Where the array is. */
  readonly store: ReadableStore
  /** Its path in the store. */
  readonly path: string
  /** The bytes at a path below that of the array. */
  resolve(path: string): { readonly path: string }
  /** Reads and decodes a chunk. */
  // oxlint-disable-next-line typescript/no-explicit-any
  getChunk(position: number[], options?: any): Promise<ZarrChunk>
}

/** A slice of zarrita, or of this package. */
export interface ZarrSlice {
  /** The first position; `null` is the first in the direction of the step. */
  readonly start: number | null
  /** The position after the last; `null` continues to the end. */
  readonly stop: number | null
  /** The distance between positions; `null` is 1. */
  readonly step: number | null
}

/** For each axis a position, which drops the axis, a slice, or `null` for all of it; `null` selects the whole array. */
export type ZarrSelection = readonly (number | null | ZarrSlice)[] | null

/** An item of the data of a chunk. */
export type ItemOf<Data> = Data extends { get(k: number): infer Item }
  ? Item
  : Data extends readonly (infer Item)[]
    ? Item
    : Data extends ArrayLike<infer Item>
      ? Item
      : never

/** The chunks of an array. */
export type ChunkOf<A extends ZarrArray> = Awaited<ReturnType<A['getChunk']>>

/** The result of a selection: an item if each axis has a position, else a part of the array. */
export type Selected<A extends ZarrArray, S extends ZarrSelection> = S extends readonly number[]
  ? ItemOf<ChunkOf<A>['data']>
  : ChunkOf<A>

/** Creates an array of zarrita. All arrays have one class. */
export const arrayLike = (array: ZarrArray, store: ReadableStore, path: string, metadata: object): ZarrArray =>
  new (array.constructor as new (store: ReadableStore, path: string, metadata: object) => ZarrArray)(
    store,
    path,
    metadata,
  )
