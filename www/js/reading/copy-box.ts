import type { Box, Target } from '../engine/protocol.js'
import { strides } from './selection.js'

/** Creates a function that copies boxes into a result. */
export function boxCopier({ bytes: result, shape, itemsize }: Target): (box: Box) => void {
  const steps = strides(shape).map(stride => stride * itemsize)
  // State of the current box.
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
    // `set` is slower for few bytes.
    if (run > 32) result.set(bytes.subarray(from, to), at)
    else for (let k = from; k < to; k++) result[at + k - from] = bytes[k]!
    from = to
  }

  return box => {
    ;({ bytes, count } = box)
    if (bytes.length === 0) return
    // The last axes that the box spans fully form one run with the axis before them.
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
