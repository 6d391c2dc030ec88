// Chunks without values in the file: never written, not fetched yet, or computed by the reader; and blocks that are damaged.
import { isB2ndError } from '../../js/base/errors.js'
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

/** The maximum number of blocks that are read one by one: of a damaged chunk, and of those that are damaged in all. */
const MAX_BLOCKS = 1024

/** Kinds of files that keep fetched chunks. Other references contain no values. */
const CACHES = ['proxy', 'remote_array']

type Form = Pick<NDArray, 'shape' | 'chunks' | 'blocks'>

/** A part of a slice within one chunk: its cuts, and its position in the slice. */
interface Part {
  cuts: Cut[]
  start: number[]
  chunk: number
  /** The block that it is in, if its chunk is damaged. */
  block: number | null
}

export class Missing {
  /** Runs of chunks: first, last and reason. */
  readonly #runs: [first: number, last: number, why: Why][]
  /** The damaged blocks that were found, by their chunks; null for all blocks of a chunk. */
  readonly #damaged = new Map<number, Set<number> | null>()
  #found = 0
  readonly #chunks: readonly number[]
  readonly #blocks: readonly number[]
  readonly #shape: readonly number[]
  /** Chunks along each axis. */
  readonly #grid: number[]
  /** Blocks of a chunk along each axis. */
  readonly #inner: number[]

  /** All that is missing, with the damage that was found before; `null` if the file has all values. */
  static of(
    array: Form | null,
    reference: string | null,
    places: Iterable<ChunkPlace>,
    before: Missing | null,
  ): Missing | null {
    if (!array) return before
    const computed = reference !== null && !CACHES.includes(reference)
    const runs: [number, number, Why][] = []
    for (const { nchunk, count, special } of places) {
      const why = computed ? 'computed' : special === 'uninit' || special === 'unfetched' ? special : null
      if (why) runs.push([nchunk, nchunk + count - 1, why])
    }
    if (!runs.length) return before
    const missing = new Missing(runs, array)
    before?.damaged.forEach((blocks, chunk) => missing.addDamaged(chunk, blocks))
    return missing
  }

  /** Of an array that has all values. */
  static none(array: Form): Missing {
    return new Missing([], array)
  }

  private constructor(runs: [number, number, Why][], { shape, chunks, blocks }: Form) {
    this.#runs = runs
    this.#chunks = chunks
    this.#blocks = blocks ?? chunks
    this.#shape = shape
    this.#grid = shape.map((length, axis) => Math.ceil(length / chunks[axis]!))
    this.#inner = chunks.map((length, axis) => Math.ceil(length / this.#blocks[axis]!))
  }

  /**
   * A chunk that is damaged is read block by block, since others of its blocks may have values; unless they are too many. `null` stands for
   * all blocks.
   */
  addDamaged(chunk: number, blocks: Iterable<number> | null = []): void {
    if (this.#damaged.get(chunk) === null) return
    const known = this.#damaged.get(chunk) ?? new Set()
    for (const block of blocks ?? []) {
      if (this.#found >= MAX_BLOCKS) break
      if (!known.has(block)) this.#found++
      known.add(block)
    }
    const isWhole = !blocks || this.#found >= MAX_BLOCKS || product(this.#inner) > MAX_BLOCKS
    this.#damaged.set(chunk, isWhole ? null : known)
  }

  /** The damaged chunks with those of their blocks that were found to be; null for all blocks. */
  get damaged(): ReadonlyMap<number, ReadonlySet<number> | null> {
    return this.#damaged
  }

  #isDamaged(chunk: number, block: number): boolean {
    const blocks = this.#damaged.get(chunk)
    return blocks === null || !!blocks?.has(block)
  }

  /** Chunks that have no values. */
  get count(): number {
    return this.#runs.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  }

  /** Whether some values are zeros because they were never written. */
  get unwritten(): boolean {
    return this.#runs.some(([, , why]) => why === 'uninit')
  }

  /** Whether reading some values fails instead of returning zeros. */
  get unreadable(): boolean {
    return this.#damaged.size > 0 || this.#runs.some(([, , why]) => why !== 'uninit')
  }

  /** The reason why the item at a position has no value; `null` if it has one. */
  at(index: readonly number[]): Why | null {
    const place = index.map((position, axis) => Math.floor(position / this.#chunks[axis]!))
    const block = () =>
      numberIn(
        index.map((position, axis) => Math.floor((position % this.#chunks[axis]!) / this.#blocks[axis]!)),
        this.#inner,
      )
    const chunk = numberIn(place, this.#grid)
    return this.#why(chunk) ?? (this.#damaged.has(chunk) && this.#isDamaged(chunk, block()) ? 'damaged' : null)
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
    const holes = this.#damagedIn(index, x, y, [x0, x1, y0, y1])
    for (const row of y === null ? [null] : along(y, y0, y1)) {
      let last: Hole | undefined
      for (const { chunk, start, stop } of along(x, x0, x1)) {
        place[x] = chunk
        if (row) place[y!] = row.chunk
        const why = this.#why(numberIn(place, this.#grid))
        if (why && last?.why === why && last.x + last.width === start) last.width = stop - last.x
        else if (why)
          holes.push(
            (last = { x: start, y: row?.start ?? 0, width: stop - start, height: row ? row.stop - row.start : 1, why }),
          )
      }
    }
    return holes
  }

  /** The damaged blocks in a part of a plane or a line. */
  #damagedIn(
    index: readonly number[],
    x: number,
    y: number | null,
    [x0, x1, y0, y1]: readonly [number, number, number, number],
  ): Hole[] {
    const holes: Hole[] = []
    for (const [chunk, blocks] of this.#damaged) {
      const [place, end] = this.#box(chunk)
      for (const block of blocks ?? [null]) {
        const at = placeIn(block ?? 0, this.#inner)
        const from = place.map((start, axis) => start + at[axis]! * this.#blocks[axis]!)
        const to = block === null ? end : from.map((start, axis) => Math.min(end[axis]!, start + this.#blocks[axis]!))
        const meets = (axis: number, first: number, stop: number) => from[axis]! < stop && to[axis]! > first
        const isSeen = index.every((position, axis) =>
          axis === x ? meets(x, x0, x1) : axis === y ? meets(y, y0, y1) : meets(axis, position, position + 1),
        )
        if (isSeen)
          holes.push({
            x: from[x]!,
            y: y === null ? 0 : from[y]!,
            width: to[x]! - from[x]!,
            height: y === null ? 1 : to[y]! - from[y]!,
            why: 'damaged',
          })
      }
    }
    return holes
  }

  /** The first position of a chunk, and the end of its items. */
  #box(chunk: number): [first: number[], end: number[]] {
    const first = placeIn(chunk, this.#grid).map((at, axis) => at * this.#chunks[axis]!)
    return [first, first.map((at, axis) => Math.min(this.#shape[axis]!, at + this.#chunks[axis]!))]
  }

  /** The parts of a slice with values: chunks, and blocks of damaged ones. */
  *present(cuts: readonly Cut[]): Generator<Part> {
    for (const parts of combinations(cuts.map((cut, axis) => partsOf(cut, this.#chunks[axis]!)))) {
      const chunk = numberIn(
        parts.map(({ at }) => at),
        this.#grid,
      )
      if (this.#why(chunk)) continue
      if (!this.#damaged.has(chunk)) yield partIn(parts, chunk, null)
      else if (this.#damaged.get(chunk)) {
        const [first] = this.#box(chunk)
        const inner = parts.map(({ cut, start }, axis) => partsOf(cut, this.#blocks[axis]!, first[axis], start ?? 0))
        for (const parts of combinations(inner)) {
          const block = numberIn(
            parts.map(({ at }) => at),
            this.#inner,
          )
          if (!this.#isDamaged(chunk, block)) yield partIn(parts, chunk, block)
        }
      }
    }
  }

  /** Reads the parts of a slice that have values. Those that cannot be decoded are damaged from then on. */
  async *read<T>(
    cuts: readonly Cut[],
    get: (cuts: readonly Cut[]) => Promise<T>,
  ): AsyncGenerator<[value: T, start: number[]]> {
    for (const { cuts: inner, start, chunk, block } of this.present(cuts)) {
      let value
      try {
        value = await get(inner)
      } catch (error) {
        if (!isB2ndError(error, 'format') || error.chunk === undefined) throw error
        if (block !== null) this.addDamaged(chunk, [block])
        else {
          this.addDamaged(chunk)
          for await (const [value, at] of this.read(inner, get)) yield [value, at.map((k, axis) => k + start[axis]!)]
        }
        continue
      }
      yield [value, start]
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

  #why(chunk: number): Why | null {
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

/** The number of a place in a grid, in C order. */
const numberIn = (place: readonly number[], grid: readonly number[]): number =>
  place.reduce((number, at, axis) => number * grid[axis]! + at, 0)

/** The place with a number in a grid. */
const placeIn = (number: number, grid: readonly number[]): number[] =>
  grid.map((length, axis) => Math.floor(number / product(grid.slice(axis + 1))) % length)

/** A part of a cut within a chunk or block; `start` is its position in the slice, `null` if the axis is dropped. */
interface CutPart {
  at: number
  cut: Cut
  start: number | null
}

const partIn = (parts: readonly CutPart[], chunk: number, block: number | null): Part => ({
  cuts: parts.map(({ cut }) => cut),
  start: parts.flatMap(({ start }) => start ?? []),
  chunk,
  block,
})

/** All combinations of one of each list, in C order. */
function* combinations<T>([first, ...others]: readonly T[][]): Generator<T[]> {
  if (!first) yield []
  else for (const one of first) for (const rest of combinations(others)) yield [one, ...rest]
}

/** Splits a cut by the chunks of its axis, or by the blocks of a chunk that begins at `origin`; the cut begins at `k` in the slice. */
function partsOf(cut: Cut, size: number, origin = 0, k = 0): CutPart[] {
  if (typeof cut === 'number') return [{ at: Math.floor((cut - origin) / size), cut, start: null }]
  const parts = []
  for (let from = cut.start; from < cut.stop;) {
    const at = Math.floor((from - origin) / size)
    const stop = Math.min(cut.stop, origin + (at + 1) * size)
    parts.push({ at, cut: { ...cut, start: from, stop }, start: k })
    const count = Math.ceil((stop - from) / cut.step)
    k += count
    from += count * cut.step
  }
  return parts
}
