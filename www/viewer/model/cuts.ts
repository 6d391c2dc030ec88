// Cuts: the positions to read along each axis.
import type { Part } from './values.js'

/**
 * The selection along an axis: one position, or a range. With `cells`, all items of the range are read, and `Cells` gathers
 * each `step` of them into one cell; with `level`, those of a smaller copy of the array.
 */
export type Cut = number | { start: number; stop: number; step: number; cells?: Part; level?: number }

export const lengthOf = ({ start, stop, step }: Exclude<Cut, number>): number =>
  Math.max(0, Math.ceil((stop - start) / step))

export const keyOf = (cuts: readonly Cut[]): string =>
  cuts
    .map(cut =>
      typeof cut === 'number'
        ? cut
        : `${cut.start}:${cut.stop}:${cut.step}:${cut.cells ?? ''}${cut.level === undefined ? '' : `:${cut.level}`}`,
    )
    .join()
