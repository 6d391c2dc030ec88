// The channels of a composite: their names and colours, and what of them a link says.
import type { Range } from '../draw/scale.js'
import type { Dataset } from './dataset.js'
import { channelsOf, coordinate } from './names.js'

/** How a channel is shown. */
export interface Channel {
  name: string
  /** `#rrggbb` */
  colour: string
  hidden: boolean
  /** The values without light and of full light, if somebody chose them. */
  fixed: Range | null
}

/** The usual colours; the first is that of a channel that is alone. */
const ALONE = 'ffffff'
const COLOURS = ['ff00ff', '00ff00', '00ffff', 'ffff00', 'ff0000', '0000ff', 'ffffff', 'ff8000']

/** The channels along an axis as the file has them, changed by what the text of a link says. */
export function channelsAlong(dataset: Dataset, axis: number, text: string): Channel[] {
  const count = dataset.shape[axis]!
  const told = channelsOf(dataset)
  const known = told.length === count ? told : []
  return Array.from({ length: count }, (_, k) => {
    const { colour, hidden, fixed, name } = parse(text.split(',')[k] ?? '')
    const own = known[k] ?? {}
    return {
      name: name || (own.name ?? (coordinate(dataset, axis, k) || `channel ${k}`)),
      colour: `#${colour || (own.colour ?? (count === 1 ? ALONE : COLOURS[k % COLOURS.length]!))}`,
      hidden: hidden ?? own.hidden ?? false,
      fixed: fixed === 'auto' ? null : (fixed ?? own.fixed ?? null),
    }
  })
}

/** What differs from the file and from what is usual; `auto` is a range that follows the values, whatever the file says. */
interface Setting {
  name: string | null
  colour: string | null
  hidden: boolean | null
  fixed: Range | 'auto' | null
}

/**
 * A channel in a link: `-ff00ff_100_4000_DAPI` is hidden, has a colour, a range and a name, `+ff00ff_auto` is seen, whatever the
 * file says, and has the range of its values. Any of them may be left out.
 */
function parse(text: string): Setting {
  const [, sign = '', colour = '', min = '', max = '', name = ''] =
    /^([-+]?)([\da-f]{6})?(?:_([^_]*))?(?:_([^_]*))?(?:_([^_]*))?$/i.exec(text) ?? []
  const [low, high] = [Number(min), Number(max)]
  const range = min && max && Number.isFinite(low) && Number.isFinite(high) ? { min: low, max: high } : null
  const fixed = min === 'auto' ? min : range
  return { hidden: sign ? sign === '-' : null, colour: colour.toLowerCase(), fixed, name: decoded(name) }
}

/** The text of a link with another setting of channel `k`. */
export function changed(text: string, k: number, patch: Partial<Setting>): string {
  const all = text.split(',')
  while (all.length <= k) all.push('')
  const { hidden, colour, fixed, name } = { ...parse(all[k]!), ...patch }
  const parts = [
    `${hidden === null ? '' : hidden ? '-' : '+'}${(colour ?? '').replace('#', '')}`,
    fixed === 'auto' ? fixed : (fixed?.min ?? ''),
    fixed === 'auto' ? '' : (fixed?.max ?? ''),
    encoded(name ?? ''),
  ]
  all[k] = parts.join('_').replace(/_+$/, '')
  return all.join(',').replace(/,+$/, '')
}

const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/[_!'()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return ''
  }
}
