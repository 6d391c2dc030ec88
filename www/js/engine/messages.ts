import { B2ndError, type ErrorCode, type ErrorDetails } from '../base/errors.js'
import { MESSAGES } from './message-table.js'

const BLAME: ErrorCode[] = ['format', 'unsupported', 'argument', 'limit']

/** The error that the engine wrote: `blame, kind, a, b, c, offset, chunk, block` and a name. */
export function engineError([blame, kind, a, b, c, offset, chunk, block]: readonly number[], name = ''): B2ndError {
  const values = name ? [name, a, b] : [a, b, c]
  const message = MESSAGES[blame!]?.[kind!] ?? `error ${blame}.${kind}`
  // NaN is not known.
  const places = Object.entries({ chunk, block, offset }).filter(place => place[1]! >= 0)
  const where = places.map(place => place.join(' ')).join(', ')
  const text = message
    .replace(/(0x)?\$/g, (_, hex) => (hex ? hex + Number(values.shift()).toString(16) : String(values.shift())))
    .replace(/\b1 bytes/, '1 byte')
  const details: ErrorDetails = Object.fromEntries(places)
  if (blame === 1 && kind! < 2) details[kind ? 'filter' : 'codec'] = a!
  return new B2ndError(BLAME[blame!] ?? 'format', text + (where && ` (${where})`), details)
}

/** The error of a chunk, or of something else, that ends early. */
export const truncated = (needed: number, there: number, chunk = NaN): B2ndError =>
  engineError([0, 0, needed, there, NaN, NaN, chunk])

/** The error of a result that would be too large. */
export const excessive = (asked: number, allowed: number): B2ndError => engineError([3, 0, asked, allowed])
