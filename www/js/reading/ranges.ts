import { mergedRanges, type Engine } from '../engine/engine.js'

/** Bytes of a part of a frame. */
export interface Range {
  readonly part: number
  readonly start: number
  readonly end: number
}

/** What a request is worth. */
export interface MergeOptions {
  /**
   * Bytes that take about as long as a request more. Ranges that lie no farther apart are read at once, with what is
   * between them. 256 KiB unless told otherwise: 20 ms at 100 Mbit/s.
   */
  gap?: number | undefined
  /**
   * Bytes that are read in vain for that, at most: a share of those that are wanted. 0.09 unless told otherwise, so that
   * with the heads of chunks it stays below a tenth.
   */
  waste?: number | undefined
}

/** The share that is read in vain unless told otherwise. */
export const WASTE = 0.09

/** Merges ranges to the requests that bring them all, as the engine does it. Fewer than two are left alone. */
export function mergeBy(engine: Engine, ranges: readonly Range[], options: MergeOptions): Range[] {
  const { gap = 2 ** 18, waste = WASTE } = options
  const numbers = new Float64Array(ranges.flatMap(({ part, start, end }) => [part, start, end]))
  const merged = mergedRanges(engine, numbers, gap, waste)
  return Array.from({ length: merged.length / 3 }, (_, k) => {
    const [part, start, end] = merged.subarray(3 * k) as unknown as [number, number, number]
    return { part, start, end }
  })
}

/** Bytes of all ranges. */
export const bytesOf = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, range) => sum + range.end - range.start, 0)
