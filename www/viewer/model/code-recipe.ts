// Python code that computes the picture from a slice: projections and composites.
import type { Cut } from './cuts.js'
import type { Dataset } from './dataset.js'
import type { ShownChannel } from './session.js'
import type { Projection, State } from './state.js'
import { kindOf } from './values.js'

/** A computation on a slice before drawing: a projection or a composite. */
export interface Recipe {
  projection: Projection | null
  /** The channels of a composite, along an axis. */
  composite?: { axis: number; channels: readonly ShownChannel[] }
}

type Axes = Pick<State, 'x' | 'y' | 'part'>

/** The index of an axis among the axes of a slice. */
const placeIn = (cuts: readonly Cut[], axis: number): number =>
  cuts.slice(0, axis).filter(cut => typeof cut !== 'number').length

const PARTS: Record<string, string> = {
  abs: 'np.abs(data)',
  phase: 'np.angle(data)',
  real: 'data.real',
  imag: 'data.imag',
}

/** The projection of the drawn component of the items. */
export function projection({ type }: Dataset, cuts: readonly Cut[], { projection }: Recipe, { part }: Axes): string[] {
  if (!projection) return []
  const kind = kindOf(type)
  const drawn = kind === 'complex' ? PARTS[part]! : kind === 'struct' ? `data[${JSON.stringify(part)}]` : 'data'
  return [`data = ${drawn}.${projection.how}(axis=${placeIn(cuts, projection.axis)})`]
}

/** The picture of a composite: bytes of red, green and blue. */
export function composite(
  { offset }: Dataset,
  cuts: readonly Cut[],
  { composite, projection }: Recipe,
  { x, y }: Axes,
): string[] {
  if (!composite) return []
  const left = cuts.map((cut, axis) => (axis === projection?.axis ? 0 : cut))
  const [channel, row, column] = [composite.axis, y!, x!].map(axis => placeIn(left, axis))
  const base = Number(offset)
  const rows = composite.channels.flatMap(({ hidden, name, colour, limits }, k) => {
    const rgb = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16))
    return hidden
      ? []
      : [`    (${k}, (${rgb.join(', ')}), ${limits.min + base}, ${limits.max + base}),  # ${name.replace(/\s+/g, ' ')}`]
  })
  return [
    ...(`${channel} ${row} ${column}` === '0 1 2' ? [] : [`data = data.transpose(${channel}, ${row}, ${column})`]),
    'channels = [  # position, colour, values without light and of full light',
    ...rows,
    ']',
    'image = np.zeros((*data.shape[1:], 3))',
    'for position, colour, low, high in channels:',
    '    light = np.clip((data[position].astype("f8") - low) / (high - low), 0, 1)',
    '    image += np.nan_to_num(light)[..., None] * colour',
    'image = np.rint(image.clip(0, 255)).astype("u1")',
  ]
}
