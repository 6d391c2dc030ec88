/** Bytes of a part of a frame. */
export interface Range {
  readonly part: number
  readonly start: number
  readonly end: number
}

/** Of the bytes that are wanted, so many more may be read to save requests. */
const WASTE = 0.05
/** Ranges are not merged to more than this: several requests at a time bring more, and each piece is decoded sooner. */
const MOST = 2 ** 23

/**
 * The requests that bring all ranges: what overlaps or touches is one, and so is what lies apart by little, smallest
 * gaps first, as long as the gaps together stay below a share of what is wanted.
 */
export function merge(ranges: readonly Range[]): Range[] {
  const sorted = unite(ranges)
  let budget = WASTE * sorted.reduce((sum, { start, end }) => sum + end - start, 0)
  const gap = (k: number) => sorted[k]!.start - sorted[k - 1]!.end
  const gaps = sorted.map((_, k) => k).filter(k => k > 0 && sorted[k]!.part === sorted[k - 1]!.part)
  const joined = new Set<number>()
  for (const k of gaps.sort((a, b) => gap(a) - gap(b))) {
    if ((budget -= gap(k)) < 0) break
    joined.add(k)
  }
  const merged: Range[] = []
  sorted.forEach((range, k) => {
    const last = merged.at(-1)
    if (last && joined.has(k) && range.end - last.start <= MOST) {
      merged[merged.length - 1] = { ...last, end: range.end }
    } else {
      merged.push(range)
    }
  })
  return merged
}

/** The ranges in order, those that overlap as one. */
function unite(ranges: readonly Range[]): Range[] {
  const united: Range[] = []
  for (const range of [...ranges].sort((a, b) => a.part - b.part || a.start - b.start)) {
    const last = united.at(-1)
    if (last && last.part === range.part && range.start < last.end) {
      united[united.length - 1] = { ...last, end: Math.max(last.end, range.end) }
    } else if (range.end > range.start) {
      united.push(range)
    }
  }
  return united
}
