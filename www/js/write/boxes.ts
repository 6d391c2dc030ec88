import { argument, formatValue } from '../base/errors.js'
import { choices } from '../base/numbers.js'
import { expanded, isRange, progressionAlong, type Progression } from '../reading/positions.js'
import { strides, type Index, type Selection } from '../reading/selection.js'

/** A part of a selection that lies in one chunk. */
export interface ChunkBox {
  readonly nchunk: number
  /** The first position of the chunk in the array, and its length within the array, for each axis. */
  readonly origin: readonly number[]
  readonly lengths: readonly number[]
  /** The first selected position within the selection, and the number of them, for each axis. */
  readonly from: readonly number[]
  readonly counts: readonly number[]
}

/** Resolves a selection for a shape, as NumPy does. `shape` is that of the items: positions drop their axis. */
export function resolve(selection: Selection, shape: readonly number[]): { axes: Progression[]; shape: number[] } {
  const given = selection ?? []
  if (!Array.isArray(given)) throw argument(`selection: ${formatValue(selection)} is not an array`)
  const indices = expanded(given as readonly Index[], shape.length)
  const axes = shape.map((length, axis) => progressionAlong(axis, length, indices[axis]))
  return { axes, shape: axes.flatMap(({ count }, axis) => (isRange(indices[axis]) ? count : [])) }
}

/** The parts of a selection by chunk, in C order of the chunks. */
export function* boxes(
  axes: readonly Progression[],
  shape: readonly number[],
  chunks: readonly number[],
): Generator<ChunkBox, void, undefined> {
  const grid = strides(shape.map((length, axis) => Math.ceil(length / chunks[axis]!)))
  for (const box of choices(axes.map((taken, axis) => partsOf(taken, shape[axis]!, chunks[axis]!)))) {
    yield {
      nchunk: box.reduce((sum, { number }, axis) => sum + number * grid[axis]!, 0),
      origin: box.map(({ origin }) => origin),
      lengths: box.map(({ length }) => length),
      from: box.map(({ from }) => from),
      counts: box.map(({ count }) => count),
    }
  }
}

/** The parts of an axis by chunk. */
function partsOf({ start, step, count }: Progression, length: number, chunk: number) {
  const parts = []
  for (let from = 0; from < count;) {
    const number = Math.floor((start + from * step) / chunk)
    const origin = number * chunk
    // Selected positions up to the boundary of the chunk.
    const room = step > 0 ? origin + chunk - 1 - (start + from * step) : start + from * step - origin
    const taken = Math.min(count - from, Math.floor(room / Math.abs(step)) + 1)
    parts.push({ number, origin, length: Math.min(chunk, length - origin), from, count: taken })
    from += taken
  }
  return parts.sort((a, b) => a.number - b.number)
}
