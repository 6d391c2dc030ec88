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

/** Ranges are not merged to more than this: several requests at a time bring more, and each piece is decoded sooner. */
const MOST = 2 ** 23

/**
 * The requests that bring all ranges: what overlaps or touches is one, and so is what lies apart by little, smallest
 * gaps first, as long as the gaps together stay below a share of what is wanted.
 */
export function merge(ranges: readonly Range[], { gap = 2 ** 18, waste = WASTE }: MergeOptions = {}): Range[] {
  const sorted = ranges.filter(range => range.end > range.start).sort((a, b) => a.part - b.part || a.start - b.start)
  const united = joinedWhere(sorted, (last, range) => range.start < last.end)
  const gaps = united.map((range, k) => range.start - (united[k - 1]?.end ?? 0))
  let budget = waste * bytesOf(united)
  const worth = [...gaps.keys()].filter(k => gaps[k]! <= gap && united[k - 1]?.part === united[k]!.part)
  const crossed = new Set(worth.sort((a, b) => gaps[a]! - gaps[b]!).filter(k => (budget -= gaps[k]!) >= 0))
  return joinedWhere(united, (last, range, k) => crossed.has(k) && range.end - last.start <= MOST)
}

/** The ranges, each as one with the last of its part where that is to be. */
function joinedWhere(ranges: readonly Range[], join: (last: Range, range: Range, k: number) => boolean): Range[] {
  const result: { part: number; start: number; end: number }[] = []
  ranges.forEach((range, k) => {
    const last = result.at(-1)
    if (last?.part === range.part && join(last, range, k)) last.end = Math.max(last.end, range.end)
    else result.push({ ...range })
  })
  return result
}

/** Bytes of all ranges. */
export const bytesOf = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, range) => sum + range.end - range.start, 0)
