/** The items of a result along an axis: where a part has them, and where they go. */
export interface Way {
  readonly from: readonly number[]
  readonly to: readonly number[]
  /** Items from one position to the next in the part. */
  readonly source: number
  /** Items from one position to the next in the result. */
  readonly target: number
}

const isNext = (list: readonly number[], k: number, end: number): boolean => list[end] === list[k]! + end - k

/** Copies items of `size` bytes from a part to their places in the result. */
export function place(part: Uint8Array, result: Uint8Array, size: number, ways: readonly Way[]): void {
  const put = (from: number, to: number, count: number) => {
    const end = (from + count) * size
    // `set` is slower for few bytes.
    if (count * size > 32) result.set(part.subarray(from * size, end), to * size)
    else for (let at = from * size, next = to * size; at < end;) result[next++] = part[at++]!
  }
  const along = (depth: number, source: number, target: number): void => {
    const way = ways[depth]
    if (!way) return put(source, target, 1)
    const { from, to } = way
    /** Whether neighbours are copied together. */
    const isLast = depth === ways.length - 1 && way.source === 1 && way.target === 1
    for (let k = 0, end; k < from.length; k = end) {
      for (end = k + 1; isLast && end < from.length && isNext(from, k, end) && isNext(to, k, end);) end++
      const [at, next] = [source + from[k]! * way.source, target + to[k]! * way.target]
      if (isLast) put(at, next, end - k)
      else along(depth + 1, at, next)
    }
  }
  along(0, 0, 0)
}
