// The slice that a picture needs.
import type { Shown } from './cells.js'
import { lengthOf, type Cut } from './cuts.js'
import type { Dataset, Piece } from './dataset.js'
import { axisName } from './names.js'
import { projectionOf, type Projection, type State, type Window } from './state.js'

/** The approximate maximum number of items of a picture. With more, every second, fourth, … is read. */
const MAX_ITEMS = 2 ** 22
/** Parts of a large plane start at multiples of this many pixels, so that panning a little needs no new read. */
const TILE = 512

/** The layout of a plane within numbers. */
export interface Layout {
  width: number
  height: number
  /** The strides between columns and between rows. */
  right: number
  down: number
  /** The index of the first number; 0 by default. */
  from?: number
}

export interface Wanted {
  cuts: Cut[]
  /** The rectangle of the picture, in items. */
  x: number
  y: number
  width: number
  height: number
  step: number
  /** The value that an overview shows for each cell, `copy` if it is one of a smaller copy; null if every item is read. */
  overview: Shown | 'nearest' | 'copy' | null
  /** The projected axis, and the kind of projection. */
  projected: Projection | null
  /** The share of the blocks that was read, if only a sample was. */
  share?: number
}

/** The maximum number of bytes of items that an overview of means reads. */
const MAX_OVERVIEW_BYTES = 2 ** 29
/** The limit of compressed bytes that come over a network. */
const MAX_REMOTE_BYTES = 64e6
/** The maximum number of blocks whose items are all read over a network. */
const MAX_BLOCKS = 2 ** 14

export interface PlaneOptions {
  /** The visible window; null: everything. */
  window?: Window | null
  /** Another axis to include. */
  whole?: number | null
  /** Tile sizes along `x` and `y`. Only tiles that the window touches are read, even in a small plane. */
  tiles?: readonly [number, number] | null
}

/** The slice for the plane of `x` and `y` at `index`: every item, or an overview if there are too many. */
export function planeFor(
  dataset: Dataset,
  state: State,
  index: readonly number[],
  x: number,
  y: number,
  { window = null, whole = null, tiles = null }: PlaneOptions = {},
): Wanted {
  const { shape } = dataset
  const [nx, ny] = [shape[x]!, shape[y]!]
  const [x0, x1, y0, y1] = window ?? [0, nx, 0, ny]
  let step = 1
  while (Math.ceil((x1 - x0) / step) * Math.ceil((y1 - y0) / step) > MAX_ITEMS) step *= 2
  const all = !tiles && Math.ceil(nx / step) * Math.ceil(ny / step) <= MAX_ITEMS
  const along = (from: number, to: number, length: number, size = TILE) => {
    if (all) return { start: 0, stop: length, step }
    const tile = size * step
    return {
      start: Math.max(0, Math.floor(from / tile) * tile),
      stop: Math.min(length, Math.ceil(to / tile) * tile),
      step,
    }
  }
  const [cx, cy] = [along(x0, x1, nx, tiles?.[0]), along(y0, y1, ny, tiles?.[1])]
  const items = (cx.stop - cx.start) * (cy.stop - cy.start) * (whole === null ? 1 : shape[whole]!)
  const projected = projectionOf(state)
  const isPlain = step > 1 && state.overview === 'auto' && state.part !== 'phase' && !projected && whole === null
  const level = isPlain ? dataset.levelFor(step, [x, y]) : null
  const overview =
    step === 1 ? null : level !== null ? 'copy' : shownOf(dataset, state, items * dataset.itemsize, step, [x, y])
  const cells =
    overview === null || overview === 'nearest' ? {} : { cells: state.part, ...(level !== null && { level }) }
  const cuts = shape.map((length, axis): Cut =>
    axis === projected?.axis
      ? { start: 0, stop: length, step: Math.max(1, length), cells: state.part }
      : axis === x
        ? { ...cx, ...cells }
        : axis === y
          ? { ...cy, ...cells }
          : axis === whole
            ? { start: 0, stop: length, step: 1 }
            : index[axis]!,
  )
  return {
    cuts,
    step,
    overview,
    projected,
    x: cx.start,
    y: cy.start,
    width: lengthOf(cx) * step,
    height: lengthOf(cy) * step,
  }
}

/** Whether some picture of an array is an overview. */
export function hasOverviews({ shape }: Dataset): boolean {
  const [a = 1, b = 1] = [...shape].sort((a, b) => b - a)
  return a * b > MAX_ITEMS
}

/** Whether a picture of a view is an overview. */
export function isLarge({ shape }: Dataset, { view, x, y, z }: State): boolean {
  const lengths = [x, y, view === 'planes' ? z : null]
    .flatMap(axis => (axis === null ? [] : shape[axis]!))
    .sort((a, b) => b - a)
  return lengths.length > 1 && lengths[0]! * lengths[1]! > MAX_ITEMS
}

/** The value that an overview shows if it would read this many bytes of items. */
function shownOf(
  dataset: Dataset,
  { overview, map, part }: State,
  bytes: number,
  step: number,
  axes: number[],
): Shown | 'nearest' {
  if (overview !== 'auto') return overview
  // Means of labels and of angles mean nothing.
  if (map === 'labels' || part === 'phase' || bytes > MAX_OVERVIEW_BYTES) return 'nearest'
  // Over a network, limits the bytes that are read.
  const sizes = (dataset.blocks ?? dataset.chunks)!
  const blocks = bytes / dataset.itemsize / (sizes[axes[0]!]! * sizes[axes[1]!]!)
  const far = bytes / (dataset.opened.info.ratio || 1) > MAX_REMOTE_BYTES || blocks > MAX_BLOCKS
  const sparse = dataset.remote && far && axes.some(axis => step > sizes[axis]!)
  return sparse ? 'nearest' : 'mean'
}

/** The label of an overview. */
export function overviewText(dataset: Dataset, { step, overview, projected, share }: Wanted): string | undefined {
  const texts = [
    share && `a sample of ${percent(share)} of the blocks`,
    projected && `${projected.how} over ${axisName(dataset, projected.axis)}`,
    overview && `1:${step} overview (${projected?.how ?? (overview === 'copy' ? 'a smaller copy' : overview)})`,
  ]
  return texts.filter(Boolean).join(', ') || undefined
}

export const percent = (share: number): string => `${Number((100 * share).toPrecision(2))} %`

/** The numbers to paint for cells. */
export const shownBy = ({ overview, projected }: Wanted): Shown =>
  projected?.how ?? (overview && overview !== 'nearest' && overview !== 'copy' ? overview : 'mean')

/** The strides of the axes of a piece. */
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

/** Exactly the slice that a window shows, with all positions along the axes in `whole`. */
export function windowCuts(
  shape: readonly number[],
  index: readonly number[],
  x: number,
  y: number,
  window: Window | null,
  whole: readonly (number | null)[] = [],
): Cut[] {
  const [x0, x1, y0, y1] = window ?? [0, shape[x]!, 0, shape[y]!]
  const range = (from: number, to: number, length: number) => ({
    start: Math.max(0, Math.floor(from)),
    stop: Math.min(length, Math.ceil(to)),
    step: 1,
  })
  return shape.map((length, axis): Cut =>
    axis === x
      ? range(x0, x1, length)
      : axis === y
        ? range(y0, y1, length)
        : whole.includes(axis)
          ? range(0, length, length)
          : index[axis]!,
  )
}
