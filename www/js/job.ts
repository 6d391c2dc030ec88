// What the engine is told, and what it answers.

/** What the decoder grants to bytes that it does not trust, in bytes. */
export interface Limits {
  /** A result, or a chunk. 1 GiB unless told otherwise. */
  memory: number
  /** A header, a trailer, a metalayer. 64 MiB unless told otherwise. */
  metadata: number
}

export const LIMITS: Readonly<Limits> = { memory: 2 ** 30, metadata: 2 ** 26 }

/** What opens a frame again in any engine. Can be sent to a worker as it is. */
export interface Recipe {
  readonly answers: readonly Uint8Array[]
  readonly limits: Readonly<Limits>
}

/** Bytes that a call needs: of the frame (part −1), of a file of a sparse frame, or of the chunk that it is about. */
export interface Need {
  readonly part: number
  readonly start: number
  readonly end: number
}

/** A selection as the engine takes it: four numbers an axis. */
export type Indices = Float64Array

/** What is selected from: the items of the array, or those of the super-chunk in one dimension. */
export const ARRAY = 0
export const SCHUNK = 1
export type Items = typeof ARRAY | typeof SCHUNK

/** What chunks are that are stored nowhere, by their location: −1 and below. */
export const SPECIAL = ['zeros', 'uninit', 'nan', 'damaged'] as const
export const DAMAGED = -4

/** A chunk that a selection touches. `wanted` of `blocks` is an estimate until its head is known. */
export interface Touched {
  readonly nchunk: number
  readonly nbytes: number
  readonly wanted: number
  readonly blocks: number
  readonly head: number
}

/** What a selection gives, and from which chunks. */
export interface Plan {
  readonly itemsize: number
  readonly nbytes: number
  readonly shape: number[]
  readonly chunks: Touched[]
}

/** Bytes of a chunk. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** All that decoding a part of a chunk takes. Segments may be views of bytes that others use: copy, don't transfer. */
export interface Job {
  readonly recipe: Recipe
  readonly items: number
  readonly indices: Indices
  readonly nchunk: number
  readonly location: number
  /** Where each segment starts in the chunk. */
  readonly starts: readonly number[]
  readonly segments: readonly Uint8Array[]
}

/** A box of a result: for each axis where it starts and how long it is, and its items in C order. */
export interface Box {
  readonly start: number[]
  readonly count: number[]
  readonly bytes: Uint8Array
}

/** Whether the answer is that bytes are needed. */
export const isNeed = (answer: unknown): answer is Need =>
  typeof answer === 'object' && answer !== null && 'part' in answer
