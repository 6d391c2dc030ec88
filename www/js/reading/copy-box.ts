import type { Box } from '../engine/protocol.js'
import { strides } from './selection.js'

/** A function that copies boxes of items to their places in a result of `shape`, whose items are `itemsize` bytes in C order. */
export function boxCopier(result: Uint8Array, shape: readonly number[], itemsize: number): (box: Box) => void {
  const steps = strides(shape).map(stride => stride * itemsize)
  // Of the box that is being copied.
  let bytes: Uint8Array
  let count: readonly number[]
  let run: number
  let axes: number
  let from: number

  const copy = (axis: number, at: number) => {
    if (axis < axes) {
      for (let k = 0; k < count[axis]!; k++) copy(axis + 1, at + k * steps[axis]!)
      return
    }
    const to = from + run
    // A call costs more than some bytes do.
    if (run > 32) result.set(bytes.subarray(from, to), at)
    else for (let k = from; k < to; k++) result[at + k - from] = bytes[k]!
    from = to
  }

  return box => {
    ;({ bytes, count } = box)
    if (bytes.length === 0) return
    // Axes that the box spans, from the last one on, are of one piece with the axis before them.
    axes = shape.length
    run = itemsize
    while (axes > 0) {
      axes--
      run *= count[axes]!
      if (count[axes] !== shape[axes]) break
    }
    from = 0
    let at = 0
    for (let axis = 0; axis < steps.length; axis++) at += box.start[axis]! * steps[axis]!
    copy(0, at)
  }
}
