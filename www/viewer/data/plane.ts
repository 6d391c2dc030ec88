// Which slice a picture needs.
import type { Layout } from '../draw/paint.js'
import { lengthOf, type Cut, type Piece } from './dataset.js'
import type { Window } from './state.js'

/** Pictures are made of at most about so many items; of more, every second, fourth, … is read. */
const MOST = 2 ** 22
/** Parts of a large plane begin at multiples of this many pixels, so that a little way further is there already. */
const TILE = 512

export interface Wanted {
  cuts: Cut[]
  /** Where the picture lies, in items. */
  x: number
  y: number
  width: number
  height: number
  step: number
}

/**
 * The slice for a window of the plane of `x` and `y`. `index` tells where it is; `whole` is an axis that is taken, too.
 * With `tiles`, sizes along `x` and `y`, no more is read than tiles that the window touches, however small the plane.
 */
export function planeFor(
  shape: readonly number[], index: readonly number[], x: number, y: number, window: Window | null, whole: number | null = null,
  tiles: readonly [number, number] | null = null,
): Wanted {
  const [nx, ny] = [shape[x]!, shape[y]!]
  const [x0, x1, y0, y1] = window ?? [0, nx, 0, ny]
  let step = 1
  while (Math.ceil((x1 - x0) / step) * Math.ceil((y1 - y0) / step) > MOST) step *= 2
  const all = !tiles && Math.ceil(nx / step) * Math.ceil(ny / step) <= MOST
  const along = (from: number, to: number, length: number, size = TILE) => {
    if (all) return { start: 0, stop: length, step }
    const tile = size * step
    return { start: Math.max(0, Math.floor(from / tile) * tile), stop: Math.min(length, Math.ceil(to / tile) * tile), step }
  }
  const [cx, cy] = [along(x0, x1, nx, tiles?.[0]), along(y0, y1, ny, tiles?.[1])]
  const cuts = shape.map((length, axis): Cut =>
    axis === x ? cx : axis === y ? cy : axis === whole ? { start: 0, stop: length, step: 1 } : index[axis]!)
  return { cuts, step, x: cx.start, y: cy.start, width: lengthOf(cx) * step, height: lengthOf(cy) * step }
}

/** How far apart items are along each axis of a piece. */
export function strideOf({ cuts, shape }: Piece, axis: number): number {
  let at = shape.length
  for (let k = cuts.length - 1, stride = 1; k >= 0; k--) {
    if (typeof cuts[k] === 'number') continue
    if (k === axis) return stride
    stride *= shape[--at]!
  }
  return 0
}

export function layoutOf(piece: Piece, x: number, y: number): Layout {
  const length = (axis: number) => {
    const cut = piece.cuts[axis]!
    return typeof cut === 'number' ? 1 : lengthOf(cut)
  }
  return { width: length(x), height: length(y), right: strideOf(piece, x), down: strideOf(piece, y) }
}

/** The very slice that a window shows, no more and no less. */
export function windowCuts(shape: readonly number[], index: readonly number[], x: number, y: number, window: Window | null, whole: number | null = null): Cut[] {
  const [x0, x1, y0, y1] = window ?? [0, shape[x]!, 0, shape[y]!]
  const range = (from: number, to: number, length: number) => ({ start: Math.max(0, Math.floor(from)), stop: Math.min(length, Math.ceil(to)), step: 1 })
  return shape.map((length, axis): Cut =>
    axis === x ? range(x0, x1, length) : axis === y ? range(y0, y1, length) : axis === whole ? range(0, length, length) : index[axis]!)
}
