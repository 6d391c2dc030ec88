// Names, units and coordinates of axes.
import type { Dataset } from './dataset.js'

/** A tick of an axis with its position. */
export interface Mark {
  at: number
  text: string
}

/** The description of an axis. */
export interface Axis {
  name?: string | undefined
  unit?: string | undefined
  /** The distance between adjacent positions in units, if it is constant. */
  step?: number | undefined
  /** The coordinates by the file: regular ones, or one for each position. */
  source?: { origin?: number; step?: number; values?: readonly (number | string)[]; unit?: string | undefined }
  /** The coordinate at a position. */
  text?: (position: number) => string
  /** About `count` round coordinates between two positions. */
  marks?: (from: number, to: number, count: number) => Mark[]
}

/** The description of a channel in a file. */
export interface KnownChannel {
  name?: string | undefined
  /** `rrggbb` */
  colour?: string | undefined
  hidden?: boolean | undefined
  /** The values of no light and of full light. */
  fixed?: { min: number; max: number } | undefined
}

/** The description of a dataset apart from its shape. */
interface Known {
  axes: readonly Axis[]
  channels?: readonly KnownChannel[]
  /** The unit of its values. */
  unit?: string | undefined
}

const known = new WeakMap<Dataset, Known>()

export const learn = (dataset: Dataset, what: Known): unknown => known.set(dataset, what)

export const axisOf = (dataset: Dataset, axis: number): Axis => known.get(dataset)?.axes[axis] ?? {}
export const channelsOf = (dataset: Dataset): readonly KnownChannel[] => known.get(dataset)?.channels ?? []
export const unitOf = (dataset: Dataset): string => known.get(dataset)?.unit ?? ''
export const axisName = (dataset: Dataset, axis: number): string => axisOf(dataset, axis).name ?? `axis ${axis}`

/** The label of an axis: its name with the unit. */
export function axisLabel(dataset: Dataset, axis: number): string {
  const { unit } = axisOf(dataset, axis)
  return axisName(dataset, axis) + (unit ? ` (${unit})` : '')
}

/** The coordinate at a position along an axis, with its unit; empty if there is none. */
export function coordinate(dataset: Dataset, axis: number, position: number): string {
  const { text, unit } = axisOf(dataset, axis)
  return text ? text(position) + (unit ? ` ${unit}` : '') : ''
}

/** The coordinates of an item along the axes for which it has a position. */
export function whereIs(dataset: Dataset, index: readonly (number | null)[]): string {
  return index
    .flatMap((position, axis) => {
      const text = position === null ? '' : coordinate(dataset, axis, position)
      return text ? [`${axisName(dataset, axis)} ${text}`] : []
    })
    .join(', ')
}
