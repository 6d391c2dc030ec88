// What the engine is told, and what it answers.

/** What the decoder grants to bytes that it does not trust, in bytes. */
export interface Limits {
  /** A result, or a chunk. 1 GiB unless told otherwise. */
  memory: number
  /** A header, a trailer, a metalayer. 64 MiB unless told otherwise. */
  metadata: number
}

export const LIMITS: Readonly<Limits> = { memory: 2 ** 30, metadata: 2 ** 26 }

export const limitsOf = ({
  memory = LIMITS.memory,
  metadata = LIMITS.metadata,
}: { [name in keyof Limits]?: Limits[name] | undefined } = {}): Limits => ({ memory, metadata })

/** What opens a frame again in any engine. Can be sent to a worker as it is. */
export interface Recipe {
  /** The bytes that opening took. */
  readonly answers: readonly Uint8Array[]
  /** What may be allocated. */
  readonly limits: Readonly<Limits>
}

/** Bytes that a call needs: of the frame (part −1), of a file of a sparse frame, or of the chunk that it is about. */
export interface Need {
  /** −1 is the frame, others are files of a sparse frame by their numbers. */
  readonly part: number
  /** The first byte. */
  readonly start: number
  /** The byte after the last one. There may be fewer. */
  readonly end: number
}

/** The answer of a call: its result, or the bytes that it needs to continue. Errors are thrown as `B2ndError`. */
export type Answer<T> = { readonly done: T; readonly need?: undefined } | { readonly need: Need }

/** A selection as the engine takes it: four numbers an axis. */
export type Indices = Float64Array

/** What is selected from: the items of the array, or those of the super-chunk in one dimension. */
export const ARRAY = 0
export const SCHUNK = 1
export type Items = typeof ARRAY | typeof SCHUNK

/** Location codes of the index: the chunk is not stored. A location of 0 or above is where it is stored. */
export const ZEROS = -1
export const UNINIT = -2
export const NANS = -3
/** The index entry is invalid. */
export const DAMAGED = -4
/** The file is a proxy that did not fetch the chunk. */
export const UNFETCHED = -5

/** The names of these codes in the API, −1 first. */
export const SPECIAL = ['zeros', 'uninit', 'nan', 'damaged', 'unfetched'] as const

/**
 * Where some chunks are that follow each other: how many chunks the frame has; the chunk with which the next part begins, or that
 * number after the last one; then for each run of chunks that are at one place the first of them and the place: its byte in the
 * frame, in a sparse frame the number of its file, or what the chunks are, as `SPECIAL` has it.
 */
export type IndexPart = Float64Array

/**
 * Chunks that a selection touches, or pieces of them. There may be very many, so that each is `TOUCHED` numbers in a row,
 * which these name: its number in C order; the number of the piece, −1 for all of the chunk; bytes of the plain chunk; blocks
 * that are wanted and blocks that it has, an estimate until its head is known; bytes of the head; bytes that it gives.
 */
export const NCHUNK = 0
export const PIECE = 1
export const NBYTES = 2
export const WANTED = 3
export const BLOCKS = 4
export const HEAD = 5
export const BYTES = 6
export const TOUCHED = 7

/** What a selection gives, and from which chunks: so many of them as one answer has. */
export interface Plan {
  readonly itemsize: number
  readonly nbytes: number
  readonly shape: number[]
  /** Chunks that are touched, all of them. */
  readonly chunks: number
  /** Chunks from `from` on, pieces of one after each other. */
  readonly touched: Float64Array
  /** The chunk to go on with; NaN if there is none. */
  readonly next: number
}

/** A chunk, or a piece of one. */
export interface Piece {
  readonly nchunk: number
  /** −1 for all of the chunk. */
  readonly piece: number
}

/** Bytes of a chunk, from one position up to and without another. */
export type Span = [number, number]

/** All that decoding parts of chunks takes. Segments may be views of bytes that others use: copy, don't transfer. */
export interface Job {
  /** Opens the frame. */
  readonly recipe: Recipe
  /** What is selected from: 0 the array's items, 1 those of the super-chunk. */
  readonly items: number
  /** The selection. */
  readonly indices: Indices
  /**
   * Three numbers for each chunk: its number in C order; the piece of it that is wanted, −1 for all; and where it is: its byte
   * in the frame, the number of its file, or below 0 what stands for it.
   */
  readonly tasks: Float64Array
  /** Where each segment starts in the frame, or in the chunk's own file. */
  readonly starts: Float64Array
  /** Bytes of the chunks: the blocks that are wanted, at least. */
  readonly segments: readonly Uint8Array[]
}

/** A box of a result: for each axis where it starts and how long it is, and its items in C order. */
export interface Box {
  /** For each axis, the position in the result at which the box begins. */
  readonly start: number[]
  /** For each axis, how many positions it has. */
  readonly count: number[]
  /** Its items in C order. */
  readonly bytes: Uint8Array
}
