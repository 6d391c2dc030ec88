// The types of the input and output of the engine.

/** How much may be allocated for untrusted data, in bytes. */
export interface Limits {
  /** A result or a chunk. Default: 1 GiB. */
  memory: number
  /** A header, a trailer or a metalayer. Default: 64 MiB. */
  metadata: number
  /**
   * A block, the metalayers of a frame or an object of which the file has less than a 1024th. What is repeated as such, without a
   * codec, does not count. Default: 16 MiB.
   */
  expansion: number
}

export const LIMITS: Readonly<Limits> = { memory: 2 ** 30, metadata: 2 ** 26, expansion: 2 ** 24 }

export const limitsOf = ({
  memory = LIMITS.memory,
  metadata = LIMITS.metadata,
  expansion = LIMITS.expansion,
}: { [name in keyof Limits]?: Limits[name] | undefined } = {}): Limits => ({ memory, metadata, expansion })

/** The data to reopen a frame in another engine. It can be sent to a worker. */
export interface Recipe {
  /** The bytes that opening needed. */
  readonly answers: readonly Uint8Array[]
  /** How much may be allocated. */
  readonly limits: Readonly<Limits>
}

/** A range of bytes that a call needs: of the frame, or of a file of a sparse frame. */
export interface Need {
  /** −1 is the frame; other numbers are files of a sparse frame. */
  readonly part: number
  /** The first byte. */
  readonly start: number
  /** The byte after the last. The part may end earlier. */
  readonly end: number
}

/** The answer of a call: its result, or what it needs to continue. Errors are thrown as `B2ndError`. */
export type Answer<T> = { readonly done: T; readonly need?: undefined } | { readonly need: readonly Need[] }

/** A selection in the form of the engine: four numbers per axis. */
export type Indices = Float64Array

/** The target of a selection: the items of the array, or the items of the super-chunk in one dimension. */
export const ARRAY = 0
export const SCHUNK = 1
export type Items = typeof ARRAY | typeof SCHUNK

/**
 * The names in the API of location codes, −1 first: the chunk is not stored, its entry of the index is invalid, or the file is a
 * proxy that has not fetched it. A location of 0 or above is where the chunk is stored.
 */
export const SPECIAL = ['zeros', 'uninit', 'nan', 'damaged', 'unfetched'] as const

/**
 * The locations of consecutive chunks: the number of chunks in the frame; the first chunk of the next part, which is the number
 * of chunks after the last part; then for each run of chunks with the same location its first chunk and the location. That is the
 * byte offset in the frame, the file number in a sparse frame, or a code of `SPECIAL`.
 */
export type IndexPart = Float64Array

/** The result of a selection. */
export interface Plan {
  readonly itemsize: number
  readonly nbytes: number
  readonly shape: number[]
  /** The number of touched chunks. */
  readonly chunks: number
  /** The first of them; NaN if there is none. */
  readonly first: number
}

/** Touched chunks, or pieces of them, that are read by one request. */
export interface Chunks<R> extends Need {
  readonly reading: R
  /** The number of the first chunk, or piece of one, in the plan. */
  readonly k: number
  /** As in `Job`. The pieces of a chunk are consecutive. */
  readonly tasks: Float64Array
  /** Whether the chunks are read whole; otherwise it is the head of one. */
  readonly whole: boolean
  /** Wanted blocks of stored chunks: an estimate until their heads are known. */
  readonly wanted: number
  /** Bytes of the result. */
  readonly bytes: number
  /** Of the last chunk: uncompressed bytes; blocks, an estimate as `wanted` is; bytes up to what follows it; bytes of its head. */
  readonly nbytes: number
  readonly blocks: number
  readonly extent: number
  readonly head: number
}

/** A chunk or a piece of one. */
export interface Piece {
  readonly nchunk: number
  /** −1 for the whole chunk. */
  readonly piece: number
}

/** A range of bytes of a chunk: start and end. */
export type Span = [number, number]

/** The input of decoding. Segments may be views of shared buffers: copy them, do not transfer them. */
export interface Job {
  /** Opens the frame. */
  readonly recipe: Recipe
  /** The target of the selection: 0 the items of the array, 1 the items of the super-chunk. */
  readonly items: number
  /** The selection. */
  readonly indices: Indices
  /**
   * Three numbers for each chunk: its index in C order; the wanted piece, −1 for the whole chunk, −2 for a whole chunk that joins
   * the box of the chunk before it; its location, which is the byte offset in the frame, the file number, or a negative code for
   * a chunk that is not stored.
   */
  readonly tasks: Float64Array
  /** The byte offset of each segment in the frame, or in the file of the chunk. */
  readonly starts: Float64Array
  /** Bytes of the chunks, at least those of the wanted blocks; then what was missing when the job was done before, in order. */
  readonly segments: readonly Uint8Array[]
  /** The result, if it is in shared memory: a decoder may copy the boxes there itself, and return none. */
  readonly into?: Target | undefined
}

/** A result in memory, to fill. */
export interface Target extends Pick<Plan, 'shape' | 'itemsize'> {
  /** The items in C order. */
  readonly bytes: Uint8Array
}

/** A box of a result. */
export interface Box {
  /** The first position in the result, for each axis. */
  readonly start: number[]
  /** The number of positions, for each axis. */
  readonly count: number[]
  /** The items in C order. */
  readonly bytes: Uint8Array
}

/** A call of a function that needs no frame and no more bytes. */
export interface CallJob {
  /** The name of the function, and its numbers. */
  readonly call: string
  readonly numbers: readonly number[]
  /** A list of sections, or plain bytes. */
  readonly input: ArrayBufferView | readonly ArrayBufferView[]
}

/** The input of encoding. */
export interface EncodeJob {
  /** The compression parameters, the shapes and the dtype of the array. */
  readonly array: readonly Uint8Array[]
  /** Index of the chunk in C order. */
  readonly nchunk: number
  /** The items of the chunk within the array, in C order. The job may take the buffer. */
  readonly items: Uint8Array<ArrayBuffer>
}
