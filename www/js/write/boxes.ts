import { argument, formatValue } from '../base/errors.js'
import { expanded, positionAlong, progressionAlong, type Progression } from '../reading/positions.js'
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
  const isRange = (index: Index | null) => index === null || (typeof index === 'object' && 'start' in index)
  const axes = shape.map((length, axis): Progression => {
    const index = indices[axis] as Exclude<Index, '...'>
    if (isRange(index)) return progressionAlong(axis, length, index)
    const start = positionAlong(axis, length, index, "an integer, null, '...' or slice(…)")
    return { start, step: 1, count: 1 }
  })
  return { axes, shape: axes.map(({ count }) => count).filter((_, axis) => isRange(indices[axis]!)) }
}

/** The parts of a selection by chunk, in C order of the chunks. */
export function* boxes(
  axes: readonly Progression[],
  shape: readonly number[],
  chunks: readonly number[],
): Generator<ChunkBox, void, undefined> {
  if (axes.some(({ count }) => count === 0)) return
  const grid = strides(shape.map((length, axis) => Math.ceil(length / chunks[axis]!)))
  const parts = axes.map((taken, axis) => [...partsOf(taken, shape[axis]!, chunks[axis]!)])
  const at = axes.map(() => 0)
  for (;;) {
    const box = at.map((k, axis) => parts[axis]![k]!)
    yield {
      nchunk: box.reduce((sum, { number }, axis) => sum + number * grid[axis]!, 0),
      origin: box.map(({ origin }) => origin),
      lengths: box.map(({ length }) => length),
      from: box.map(({ from }) => from),
      counts: box.map(({ count }) => count),
    }
    let axis = at.length - 1
    while (axis >= 0 && ++at[axis]! === parts[axis]!.length) at[axis--] = 0
    if (axis < 0) return
  }
}

/** The parts of an axis by chunk. */
function* partsOf({ start, step, count }: Progression, length: number, chunk: number) {
  const numbers = []
  for (let from = 0; from < count;) {
    const number = Math.floor((start + from * step) / chunk)
    const origin = number * chunk
    // Selected positions up to the boundary of the chunk.
    const room = step > 0 ? origin + chunk - 1 - (start + from * step) : start + from * step - origin
    const taken = Math.min(count - from, Math.floor(room / Math.abs(step)) + 1)
    numbers.push({ number, origin, length: Math.min(chunk, length - origin), from, count: taken })
    from += taken
  }
  yield* numbers.sort((a, b) => a.number - b.number)
}
