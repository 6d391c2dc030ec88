// The channels of a composite: names, colours and ranges, and their form in a link.

import type { Dataset } from './dataset.js'
import { channelsOf, coordinate } from './names.js'
import type { Range } from './scale.js'

/** The settings of a channel. */
export interface Channel {
  name: string
  /** `#rrggbb` */
  colour: string
  hidden: boolean
  /** The values of no light and of full light, if the user chose them. */
  fixed: Range | null
}

/** The default colours; a single channel has the first one. */
const ALONE = 'ffffff'
const COLOURS = ['ff00ff', '00ff00', '00ffff', 'ffff00', 'ff0000', '0000ff', 'ffffff', 'ff8000']

/** The channels along an axis from the file, with the changes in the text of a link. */
export function channelsAlong(dataset: Dataset, axis: number, text: string): Channel[] {
  const count = dataset.shape[axis]!
  const named = channelsOf(dataset)
  const known = named.length === count ? named : []
  return Array.from({ length: count }, (_, k) => {
    const { colour, hidden, fixed, name } = settingOf(text, k)
    const own = known[k] ?? {}
    return {
      name: name || (own.name ?? (coordinate(dataset, axis, k) || `channel ${k}`)),
      colour: `#${colour || (own.colour ?? (count === 1 ? ALONE : COLOURS[k % COLOURS.length]!))}`,
      hidden: hidden ?? own.hidden ?? false,
      fixed: fixed === 'auto' ? null : (fixed ?? own.fixed ?? null),
    }
  })
}

/** The differences from the file and the defaults; `auto` is a range that follows the values, regardless of the file. */
export interface Setting {
  name: string | null
  colour: string | null
  hidden: boolean | null
  fixed: Range | 'auto' | null
}

/**
 * A channel in a link: `-ff00ff_100_4000_DAPI` is hidden, has a colour, a range and a name. `+ff00ff_auto` is visible,
 * regardless of the file, and has the range of its values. Each part is optional.
 */
function parse(text: string): Setting {
  const [, sign = '', colour = '', min = '', max = '', name = ''] =
    /^([-+]?)([\da-f]{6})?(?:_([^_]*))?(?:_([^_]*))?(?:_([^_]*))?$/i.exec(text) ?? []
  const [low, high] = [Number(min), Number(max)]
  const range = min && max && Number.isFinite(low) && Number.isFinite(high) ? { min: low, max: high } : null
  const fixed = min === 'auto' ? min : range
  return { hidden: sign ? sign === '-' : null, colour: colour.toLowerCase(), fixed, name: decoded(name) }
}

/** The settings of channel `k` in the text of a link. */
export const settingOf = (text: string, k: number): Setting => parse(text.split(',')[k] ?? '')

/** The text of a link with changed settings of channel `k`. */
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
