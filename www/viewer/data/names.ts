// What axes are called, and what positions along them stand for.
import type { Dataset } from './dataset.js'

/** A mark of an axis, and the position that it is at. */
export interface Mark {
  at: number
  text: string
}

/** What is known of an axis. */
export interface Axis {
  name?: string | undefined
  unit?: string | undefined
  /** From one position to the next, in units, where that is the same everywhere. */
  step?: number | undefined
  /** The coordinate at a position. */
  text?: (position: number) => string
  /** Round coordinates between two positions, about `count` of them. */
  marks?: (from: number, to: number, count: number) => Mark[]
}

/** What a file says of a channel. */
export interface KnownChannel {
  name?: string | undefined
  /** `rrggbb` */
  colour?: string | undefined
  hidden?: boolean | undefined
  /** The values without light and of full light. */
  fixed?: { min: number; max: number } | undefined
}

/** What is known of a dataset beside its shape. */
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

/** The name with the unit, beside an axis. */
export function axisLabel(dataset: Dataset, axis: number): string {
  const { unit } = axisOf(dataset, axis)
  return axisName(dataset, axis) + (unit ? ` (${unit})` : '')
}

/** The coordinate at a position along an axis, with its unit; empty if there is none. */
export function coordinate(dataset: Dataset, axis: number, position: number): string {
  const { text, unit } = axisOf(dataset, axis)
  return text ? text(position) + (unit ? ` ${unit}` : '') : ''
}

/** The coordinates of an item, along the axes that it has a position on. */
export function whereIs(dataset: Dataset, index: readonly (number | null)[]): string {
  return index
    .flatMap((position, axis) => {
      const text = position === null ? '' : coordinate(dataset, axis, position)
      return text ? [`${axisName(dataset, axis)} ${text}`] : []
    })
    .join(', ')
}
