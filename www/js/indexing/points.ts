import { blockOf, type Taken } from './axis.js'

/** A box of items within one block, with some of the points. */
export interface PointBox {
  readonly first: number[]
  readonly last: number[]
  /** The numbers of the points. */
  readonly points: number[]
}

/** For each block with points the box of these, in the order of the blocks. */
export function boxes(
  all: readonly Taken[],
  chunks: readonly number[],
  blocks: readonly number[] | null,
  count: number,
): PointBox[] {
  const found = new Map<string, PointBox>()
  for (let k = 0; k < count; k++) {
    const point = all.map(({ single, positions }) => (single ? 0 : positions[k]!))
    const key = point.map((at, axis) => blockOf(at, chunks[axis]!, (blocks ?? chunks)[axis]!)).join()
    const box = found.get(key)
    if (!box) found.set(key, { first: point, last: [...point], points: [k] })
    else {
      box.points.push(k)
      point.forEach((at, axis) => {
        box.first[axis] = Math.min(box.first[axis]!, at)
        box.last[axis] = Math.max(box.last[axis]!, at)
      })
    }
  }
  return [...found.values()]
}
