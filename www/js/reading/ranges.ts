import { mergedRanges, type Engine } from '../engine/engine.js'
import type { Need } from '../engine/protocol.js'

/** A range of bytes of a part of a frame. */
export type Range = Need

/** When to merge reads. */
export interface MergeOptions {
  /**
   * The largest gap in bytes between ranges that are read as one. Choose the bytes that take as long as a request. Default:
   * 256 KiB, which is 20 ms at 100 Mbit/s.
   */
  gap?: number | undefined
  /**
   * The maximum bytes in such gaps, as a fraction of the requested bytes. Default: 0.09, which together with the heads of
   * chunks stays below a tenth.
   */
  waste?: number | undefined
}

/** The default of `waste`. */
export const WASTE = 0.09

/** Merges ranges into requests. */
export function mergeBy(engine: Engine, ranges: readonly Range[], options: MergeOptions): Range[] {
  const { gap = 2 ** 18, waste = WASTE } = options
  const numbers = new Float64Array(ranges.flatMap(({ part, start, end }) => [part, start, end]))
  return mergedRanges(engine, numbers, gap, waste)
}

/** The total length of ranges in bytes. */
export const bytesOf = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, range) => sum + range.end - range.start, 0)
