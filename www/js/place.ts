import type { Box } from './engine.js'
import { strides } from './selection.js'

/** Copies a box of items to its place in an array in C order. */
export function place({ start, count, data }: Box, out: Uint8Array, shape: readonly number[], itemsize: number): void {
  const stride = strides(shape).map(items => items * itemsize)
  // The innermost axes that the box fills are one run.
  let inner = shape.length
  let run = itemsize
  while (inner > 0) {
    inner--
    run *= count[inner]!
    if (count[inner] !== shape[inner]) break
  }
  const origin = start.reduce((sum, at, axis) => sum + at * stride[axis]!, 0)
  let from = 0
  const copy = (axis: number, to: number) => {
    if (axis >= inner) {
      out.set(data.subarray(from, from + run), to)
      from += run
      return
    }
    for (let k = 0; k < count[axis]!; k++) copy(axis + 1, to + k * stride[axis]!)
  }
  if (data.length > 0) copy(0, origin)
}
