// The chunks of an array as cells of a map, whose number is limited.
import { inSteps } from '../../js/base/yielding.js'
import type { ChunkMap, ChunkPlace } from '../../js/index.js'
import type { Cut } from './cuts.js'

/** The maximum number of cells. */
const MAX_CELLS = 2 ** 13

/** A chunk, or consecutive chunks. */
export interface Cell {
  /** The compression ratio of the stored chunks; NaN if there are none, or if it is unknown. */
  ratio: number
  /** Their bytes; `null` if each chunk is a file. */
  extent: number | null
  /** The byte offset or the file number of the first stored chunk. */
  offset: number | null
  /** The special value of the chunks if none is stored; the first one if they differ. */
  special: ChunkPlace['special']
}

/** Entries of the map between pauses. */
const STEP = 2 ** 14

/** The cells of the chunks, and the number of chunks per cell. The time depends on the numbers of locations and cells. */
export async function cellsOf(places: ChunkMap, chunksize: number): Promise<{ cells: Cell[]; group: number }> {
  const { nchunk, count } = places.at(-1) ?? { nchunk: 0, count: 0 }
  const group = Math.max(1, Math.ceil((nchunk + count) / MAX_CELLS))
  const cells = Array.from({ length: Math.ceil((nchunk + count) / group) }, (): Cell => ({
    ratio: NaN,
    extent: 0,
    offset: null,
    special: null,
  }))
  const stored = new Float64Array(cells.length)
  const add = ({ nchunk, count, offset, extent, special }: ChunkPlace) => {
    for (let k = Math.floor(nchunk / group); k * group < nchunk + count; k++) {
      const cell = cells[k]!
      if (offset === null) {
        if (!stored[k]) cell.special ??= special
        continue
      }
      const chunks = Math.min(nchunk + count, (k + 1) * group) - Math.max(nchunk, k * group)
      stored[k]! += chunks
      cell.special = null
      cell.offset ??= offset
      cell.extent = extent === null ? null : (cell.extent ?? 0) + chunks * extent
    }
  }
  await inSteps(places.length, STEP, (from, to) => {
    for (let at = from; at < to; at++) add(places.at(at)!)
  })
  cells.forEach((cell, k) => {
    if (cell.extent && chunksize) cell.ratio = (stored[k]! * chunksize) / cell.extent
  })
  return { cells, group }
}

/** The first chunk from `from` on that intersects the cuts; Infinity if there is none. */
export function nextTouched(
  cuts: readonly Cut[],
  chunks: readonly number[],
  grid: readonly number[],
  from: number,
): number {
  if (cuts.length !== grid.length) return Infinity
  const at = grid.map(() => 0)
  for (let axis = grid.length - 1; axis >= 0; axis--) {
    at[axis] = from % grid[axis]!
    from = Math.floor(from / grid[axis]!)
  }
  if (from > 0) return Infinity
  for (let axis = 0; axis < grid.length;) {
    const found = nextAlong(cuts[axis]!, chunks[axis]!, at[axis]!)
    if (found < grid[axis]!) {
      if (found > at[axis]!) at.fill(0, axis)
      at[axis++] = found
    } else {
      // Nothing along this axis wherever the others are, or nothing more.
      if (!axis || !at[axis]) return Infinity
      at.fill(0, axis--)
      at[axis]!++
    }
  }
  return at.reduce((number, place, axis) => number * grid[axis]! + place, 0)
}

/** The first chunk along an axis, from `from` on, that intersects a cut. */
function nextAlong(cut: Cut, length: number, from: number): number {
  const start = from * length
  const position =
    typeof cut === 'number' ? cut : cut.start + Math.max(0, Math.ceil((start - cut.start) / cut.step)) * cut.step
  const end = typeof cut === 'number' ? cut + 1 : cut.stop
  return position >= start && position < end ? Math.floor(position / length) : Infinity
}
