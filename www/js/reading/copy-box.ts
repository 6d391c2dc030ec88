import type { Box } from '../engine/protocol.js'
import { strides } from './selection.js'

/** Copies a box of items to its place in a result of `shape`, whose items are `itemsize` bytes in C order. */
export function copyBox(box: Box, result: Uint8Array, shape: readonly number[], itemsize: number): void {
  const { start, count, bytes } = box
  if (bytes.length === 0) return
  const steps = strides(shape).map(stride => stride * itemsize)
  // Axes that the box spans, from the last one on, are of one piece with the axis before them.
  let axis = shape.length
  let run = itemsize
  while (axis > 0) {
    axis--
    run *= count[axis]!
    if (count[axis] !== shape[axis]) break
  }
  let from = 0
  const copy = (level: number, at: number) => {
    if (level < axis) {
      for (let k = 0; k < count[level]!; k++) copy(level + 1, at + k * steps[level]!)
      return
    }
    const to = from + run
    // A call costs more than some bytes do.
    if (run > 32) result.set(bytes.subarray(from, to), at)
    else for (let k = from; k < to; k++) result[at + k - from] = bytes[k]!
    from = to
  }
  copy(
    0,
    start.reduce((at, position, axis) => at + position * steps[axis]!, 0),
  )
}
