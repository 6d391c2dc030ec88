/** Bytes that are wanted of a part. */
export interface Piece {
  part: number
  start: number
  end: number
}

/** Bytes to ask for at once, and what is wanted of them. */
export interface Merged<P extends Piece> extends Piece {
  pieces: P[]
}

/** The share of what is wanted that may be read in vain, for fewer requests. */
const WASTE = 0.05
/** The longest gap that is read over, and the longest request that comes of that. */
const GAP = 64 << 10
const LONGEST = 8 << 20

/** Ranges that cover all pieces. Neighbours become one, and so do those with the smallest gaps between them, as long as little is wasted. */
export function merge<P extends Piece>(pieces: readonly P[]): Merged<P>[] {
  const sorted = [...pieces].sort((a, b) => a.part - b.part || a.start - b.start)
  const gap = (k: number) => (sorted[k]!.part === sorted[k - 1]!.part ? sorted[k]!.start - sorted[k - 1]!.end : Infinity)
  const gaps = sorted.map((_, k) => k).slice(1).filter(k => gap(k) > 0 && gap(k) <= GAP).sort((a, b) => gap(a) - gap(b))
  let left = WASTE * sorted.reduce((sum, { start, end }) => sum + end - start, 0)
  const bridged = new Set(gaps.filter(k => (left -= gap(k)) >= 0))
  const merged: Merged<P>[] = []
  sorted.forEach((piece, k) => {
    const last = merged.at(-1)
    const touching = last?.part === piece.part && piece.start <= last.end
    if (last && (touching || (bridged.has(k) && piece.end - last.start <= LONGEST))) {
      last.end = Math.max(last.end, piece.end)
      last.pieces.push(piece)
    } else {
      merged.push({ part: piece.part, start: piece.start, end: piece.end, pieces: [piece] })
    }
  })
  return merged
}
