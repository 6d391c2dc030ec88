// The attributes and the name of a slice that is saved.
import { lengthOf, type Cut } from './cuts.js'
import type { Dataset } from './dataset.js'
import { axisOf, unitOf } from './names.js'

/** Names, units, spacing and coordinates of the axes of a slice, without those along which it has one position. */
export function attributesOf(dataset: Dataset, cuts: readonly Cut[], projected?: number): Record<string, unknown> {
  const axes = cuts.flatMap((cut, at) =>
    typeof cut === 'number' || at === projected ? [] : [{ cut, ...axisOf(dataset, at), at }],
  )
  const regular = axes.some(({ source }) => source?.step !== undefined)
  const coords = axes.flatMap(({ cut, name, source }) => {
    if (!source?.values || name === undefined) return []
    const data = Array.from({ length: lengthOf(cut) }, (_, k) => source.values![cut.start + k * cut.step]!)
    return [[name, { dims: [name], data, attrs: source.unit === undefined ? {} : { units: source.unit } }]]
  })
  const unit = unitOf(dataset)
  return {
    ...(axes.some(({ name }) => name !== undefined) && { dims: axes.map(({ name, at }) => name ?? `axis ${at}`) }),
    ...(axes.some(({ source }) => source?.unit !== undefined) && {
      units: axes.map(({ source }) => source?.unit ?? ''),
    }),
    ...(regular && {
      voxel: axes.map(({ cut, source }) => (source?.step ?? 1) * cut.step),
      origin: axes.map(({ cut, source }) => (source?.origin ?? 0) + cut.start * (source?.step ?? 1)),
    }),
    ...(coords.length > 0 && { coords: Object.fromEntries(coords) }),
    ...(unit && { unit }),
  }
}

/** A name for the file of a slice: positions and ranges behind the name of the source. */
export function nameFor({ name, shape }: Dataset, cuts: readonly Cut[], projected?: number): string {
  const [stem] = name.split(/\.(?=[^.]*$)/)
  const parts = cuts.map((cut, axis) => {
    if (axis === projected) return 'projected'
    if (typeof cut === 'number') return cut
    return lengthOf(cut) === shape[axis] ? 'all' : `${cut.start}-${cut.stop}`
  })
  return `${stem}_${parts.join('_')}.b2nd`
}
