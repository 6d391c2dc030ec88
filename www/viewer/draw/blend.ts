// Additive blending of channels.

import type { Layout } from '../model/plane.js'
import { usable, type Range } from '../model/scale.js'
import type { Numbers } from '../model/values.js'
import { keyOf, type Gathered, type Painted } from './paint.js'
import type { Paper } from './paper.js'

/** A channel: the offset of its numbers, and its colour, which the maximum of the range has at full intensity. */
export interface Light {
  from: number
  /** `#rrggbb` */
  colour: string
  range: Range
}

/** Paints the sum of channels. NaN adds no light. If the picture is drawn smaller, a pixel is the mean of several items. */
export function blend(
  paper: Paper,
  numbers: Numbers,
  layout: Layout,
  lights: readonly Light[],
  gathered: Gathered,
): Painted {
  const key = keyOf(layout, lights, gathered)
  return {
    numbers,
    key,
    columns: layout.width,
    at(width, height) {
      const small = isSmall(layout, width, height)
      const [w, h] = small ? [width, height] : [layout.width, layout.height]
      const smaller = { width: w, height: h, right: 1, down: w }
      return paper.draw(numbers, key, w, h, pixels =>
        add(
          pixels,
          lights.map(light =>
            small
              ? {
                  ...light,
                  numbers: shrunk(paper, numbers, light.from, layout, w, h, gathered),
                  layout: smaller,
                  from: 0,
                }
              : { ...light, numbers, layout },
          ),
          w,
          h,
        ),
      )
    },
  }
}

/** Reduces the plane of a channel to the size at which `blend` draws it. */
export function shrinkAhead(
  paper: Paper,
  [width, height]: readonly [number, number],
  ...[numbers, layout, from, gathered]: [Numbers, Layout, number, Gathered]
): void {
  if (isSmall(layout, width, height)) shrunk(paper, numbers, from, layout, width, height, gathered)
}

/** Whether several numbers share a pixel at this size. */
export const isSmall = (layout: Layout, width: number, height: number): boolean =>
  width < layout.width * 0.9 && height < layout.height * 0.9

function add(
  pixels: Uint32Array,
  lights: readonly (Light & { numbers: Numbers; layout: Layout })[],
  width: number,
  height: number,
): void {
  const sums = new Float32Array(3 * width)
  const out = new Uint8ClampedArray(pixels.buffer)
  const all = lights.map(({ colour, range, ...light }) => {
    const { min, max } = usable(range, 'linear')
    const [red, green, blue] = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16)) as [number, number, number]
    return { ...light, min, factor: 1 / (max - min), red, green, blue }
  })
  for (let y = 0, to = 0; y < height; y++) {
    sums.fill(0)
    for (const { numbers, layout, from, min, factor, red, green, blue } of all) {
      for (let x = 0, at = from + y * layout.down, sum = 0; x < width; x++, at += layout.right, sum += 3) {
        const light = Math.min((numbers[at]! - min) * factor, 1)
        // False for NaN.
        if (!(light > 0)) continue
        sums[sum]! += light * red
        sums[sum + 1]! += light * green
        sums[sum + 2]! += light * blue
      }
    }
    for (let sum = 0; sum < sums.length; sum += 3) {
      out[to++] = sums[sum]!
      out[to++] = sums[sum + 1]!
      out[to++] = sums[sum + 2]!
      out[to++] = 255
    }
  }
}

/** A plane with fewer items, each the mean, the maximum or the minimum of several. It is cached until another size is
 * requested. */
export function shrunk(
  paper: Paper,
  numbers: Numbers,
  from: number,
  layout: Layout,
  columns: number,
  rows: number,
  gathered: Gathered,
): Float64Array {
  const size = `${columns} ${rows} ${layout.right} ${layout.down} ${gathered}`
  let kept = paper.smaller.get(numbers)
  if (kept?.size !== size) paper.smaller.set(numbers, (kept = { size, planes: new Map() }))
  const made = kept.planes.get(from) ?? shrink(numbers, from, layout, columns, rows, gathered)
  kept.planes.set(from, made)
  return made
}

function shrink(
  numbers: Numbers,
  from: number,
  { width, height, right, down }: Layout,
  columns: number,
  rows: number,
  gathered: Gathered,
): Float64Array {
  const [mean, most] = [gathered === 'mean', gathered === 'max']
  const out = new Float64Array(columns * rows).fill(mean ? 0 : most ? -Infinity : Infinity)
  const counts = new Int32Array(out.length)
  const column = Int32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * columns) / width))
  for (let y = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * rows) / height) * columns
    for (let x = 0, at = from + y * down; x < width; x++, at += right) {
      const value = numbers[at]!
      if (value !== value) continue
      const to = row + column[x]!
      counts[to]!++
      if (mean) out[to]! += value
      else if (most ? value > out[to]! : value < out[to]!) out[to] = value
    }
  }
  for (let k = 0; k < out.length; k++) {
    if (!counts[k]) out[k] = NaN
    else if (mean) out[k]! /= counts[k]!
  }
  return out
}
