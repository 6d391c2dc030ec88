// Chunks without values in the file: never written, not fetched yet, or computed by the reader.
import { product } from '../../js/base/numbers.js'
import type { ChunkPlace, NDArray } from '../../js/index.js'
import { lengthOf, type Cut } from './cuts.js'
import type { Why } from './why.js'

/** A rectangle of a plane without values, in items; `height` is 1 for a line. */
export interface Hole {
  x: number
  y: number
  width: number
  height: number
  why: Why
}

/** The maximum number of chunks to check along an axis. With more, every second, fourth, … is checked. */
const MAX_CHUNKS = 512

/** Kinds of files that keep fetched chunks. Other references contain no values. */
const CACHES = ['proxy', 'remote_array']

export class Missing {
  /** Runs of chunks: first, last and reason. */
  readonly #runs: [first: number, last: number, why: Why][]
  readonly #chunks: readonly number[]
  readonly #shape: readonly number[]
  /** Chunks along each axis. */
  readonly #grid: number[]

  /** `null` if the file has all values. */
  static of(
    array: Pick<NDArray, 'chunks' | 'shape'> | null,
    reference: string | null,
    places: Iterable<ChunkPlace>,
  ): Missing | null {
    if (!array) return null
    const computed = reference !== null && !CACHES.includes(reference)
    const runs: [number, number, Why][] = []
    for (const { nchunk, count, special } of places) {
      const why = computed ? 'computed' : special === 'uninit' || special === 'unfetched' ? special : null
      if (why) runs.push([nchunk, nchunk + count - 1, why])
    }
    return runs.length ? new Missing(runs, array.chunks, array.shape) : null
  }

  /** Of an array that has all values. */
  static none({ chunks, shape }: Pick<NDArray, 'chunks' | 'shape'>): Missing {
    return new Missing([], chunks, shape)
  }

  /** Also without the values of a damaged chunk. */
  addDamaged(chunk: number): void {
    if (this.#runs.some(([first, last]) => first <= chunk && chunk <= last)) return
    this.#runs.push([chunk, chunk, 'damaged'])
    this.#runs.sort(([a], [b]) => a - b)
  }

  /** The damaged chunks. */
  get damaged(): number[] {
    return this.#runs.flatMap(([first, , why]) => (why === 'damaged' ? [first] : []))
  }

  private constructor(runs: [number, number, Why][], chunks: readonly number[], shape: readonly number[]) {
    this.#runs = runs
    this.#chunks = chunks
    this.#shape = shape
    this.#grid = shape.map((length, axis) => Math.ceil(length / chunks[axis]!))
  }

  /** Chunks that have no values. */
  get count(): number {
    return this.#runs.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  }

  /** Whether reading some values fails instead of returning zeros. */
  get unreadable(): boolean {
    return this.#runs.some(([, , why]) => why !== 'uninit')
  }

  get kinds(): Why[] {
    return [...new Set(this.#runs.map(([, , why]) => why))]
  }

  /** The reason why the item at a position has no value; `null` if it has one. */
  at(index: readonly number[]): Why | null {
    return this.#why(index.map((position, axis) => Math.floor(position / this.#chunks[axis]!)))
  }

  /** The missing rectangles in a part of the plane of `x` and `y`, or of a line along `x`. */
  holes(
    index: readonly number[],
    x: number,
    y: number | null,
    [x0, x1, y0, y1]: readonly [number, number, number, number],
  ): Hole[] {
    const place = index.map((position, axis) => Math.floor(position / this.#chunks[axis]!))
    const along = (axis: number, from: number, to: number) => {
      const [size, length] = [this.#chunks[axis]!, this.#shape[axis]!]
      const [first, end] = [Math.max(0, Math.floor(from / size)), Math.min(this.#grid[axis]!, Math.ceil(to / size))]
      const step = Math.max(1, Math.ceil((end - first) / MAX_CHUNKS))
      const all: { chunk: number; start: number; stop: number }[] = []
      for (let chunk = first; chunk < end; chunk += step)
        all.push({ chunk, start: chunk * size, stop: Math.min(length, (chunk + step) * size) })
      return all
    }
    const holes: Hole[] = []
    for (const row of y === null ? [null] : along(y, y0, y1)) {
      let last: Hole | undefined
      for (const { chunk, start, stop } of along(x, x0, x1)) {
        place[x] = chunk
        if (row) place[y!] = row.chunk
        const why = this.#why(place)
        if (why && last?.why === why && last.x + last.width === start) last.width = stop - last.x
        else if (why)
          holes.push(
            (last = { x: start, y: row?.start ?? 0, width: stop - start, height: row ? row.stop - row.start : 1, why }),
          )
      }
    }
    return holes
  }

  /** The parts of a slice with values, one for each chunk, and their positions in the slice. */
  *present(cuts: readonly Cut[]): Generator<{ cuts: Cut[]; start: number[] }> {
    const along = cuts.map((cut, axis) => partsOf(cut, this.#chunks[axis]!))
    const at = along.map(() => 0)
    if (along.some(parts => !parts.length)) return
    for (let axis = 0; axis >= 0;) {
      const parts = along.map((parts, axis) => parts[at[axis]!]!)
      if (!this.#why(parts.map(part => part.chunk)))
        yield { cuts: parts.map(part => part.cut), start: parts.flatMap(part => part.start ?? []) }
      for (axis = along.length - 1; axis >= 0 && ++at[axis]! === along[axis]!.length; axis--) at[axis] = 0
    }
  }

  /** 1 for each item of a slice that has no value; `null` if all have one. */
  mask(cuts: readonly Cut[], shape: readonly number[]): Uint8Array | null {
    const mask = new Uint8Array(product(shape)).fill(1)
    let there = 0
    for (const { cuts: inner, start } of this.present(cuts)) {
      const counts = inner.flatMap(cut => (typeof cut === 'number' ? [] : [lengthOf(cut)]))
      const clear = (axis: number, at: number): void => {
        if (axis === shape.length) mask[at] = 0
        else for (let k = 0; k < counts[axis]!; k++) clear(axis + 1, at * shape[axis]! + start[axis]! + k)
      }
      clear(0, 0)
      there += product(counts)
    }
    return there === mask.length ? null : mask
  }

  #why(place: readonly number[]): Why | null {
    const chunk = place.reduce((number, at, axis) => number * this.#grid[axis]! + at, 0)
    let [low, high] = [0, this.#runs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#runs[middle]![1] < chunk) low = middle + 1
      else high = middle
    }
    const run = this.#runs[low]
    return run && run[0] <= chunk ? run[2] : null
  }
}

/** Splits a cut by the chunks of its axis; `start` is the position in the result, `null` if the axis is dropped. */
function partsOf(cut: Cut, size: number): { chunk: number; cut: Cut; start: number | null }[] {
  if (typeof cut === 'number') return [{ chunk: Math.floor(cut / size), cut, start: null }]
  const parts = []
  for (let k = 0, at = cut.start; at < cut.stop;) {
    const chunk = Math.floor(at / size)
    const stop = Math.min(cut.stop, (chunk + 1) * size)
    parts.push({ chunk, cut: { ...cut, start: at, stop }, start: k })
    const count = Math.ceil((stop - at) / cut.step)
    k += count
    at += count * cut.step
  }
  return parts
}
