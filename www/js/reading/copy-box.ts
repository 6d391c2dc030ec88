import type { Box, Target } from '../engine/protocol.js'
import { strides } from './selection.js'

/** Bytes with the distance between positions in bytes, for each axis. */
export interface Strided {
  readonly bytes: Uint8Array
  readonly start: number
  readonly strides: readonly number[]
}

/** The sum of products. */
export const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, k) => sum + x * b[k]!, 0)

/** Copies `counts` items of `size` bytes. */
export function copyItems(
  { bytes: source, start, strides: steps }: Strided,
  { bytes: target, start: first, strides: distances }: Strided,
  counts: readonly number[],
  size: number,
): void {
  // The last axes that are contiguous on both sides form one run.
  let axes = counts.length
  let run = size
  while (axes > 0 && steps[axes - 1] === run && distances[axes - 1] === run) run *= counts[--axes]!
  const copy = (axis: number, from: number, to: number) => {
    if (axis < axes) {
      for (let k = 0; k < counts[axis]!; k++) copy(axis + 1, from + k * steps[axis]!, to + k * distances[axis]!)
      return
    }
    const end = from + run
    // `set` is slower for few bytes.
    if (run > 32) target.set(source.subarray(from, end), to)
    else while (from < end) target[to++] = source[from++]!
  }
  copy(0, start, first)
}

/** Creates a function that copies boxes into a result. */
export function boxCopier({ bytes, shape, itemsize }: Target): (box: Box) => void {
  const steps = strides(shape, itemsize)
  return ({ bytes: items, start, count }) => {
    const from = { bytes: items, start: 0, strides: strides(count, itemsize) }
    copyItems(from, { bytes, start: dot(start, steps), strides: steps }, count, itemsize)
  }
}
