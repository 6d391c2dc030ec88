import { B2ndError, type ErrorCode, type ErrorDetails } from '../base/errors.js'
import { MESSAGES } from './message-table.js'

const KINDS: ErrorCode[] = ['format', 'unsupported', 'argument', 'limit', 'changed']

/** Creates the error that the engine describes with `kind, what, a, b, c, offset, chunk, block` and a name. */
export function engineError([kind, what, a, b, c, offset, chunk, block]: readonly number[], name = ''): B2ndError {
  const values = name ? [name, a, b] : [a, b, c]
  const message = MESSAGES[kind!]?.[what!] ?? (name || 'unknown')
  // Unknown places are NaN.
  const places = Object.entries({ chunk, block, offset }).filter(place => place[1]! >= 0)
  const where = places.map(place => place.join(' ')).join(', ')
  const text = message
    .replace(/(0x)?\$/g, (_, hex) => (hex ? hex + Number(values.shift()).toString(16) : String(values.shift())))
    .replace(/\b1 bytes/, '1 byte')
  const details: ErrorDetails = Object.fromEntries(places)
  if (kind === 1 && what! < 2) details[what ? 'filter' : 'codec'] = a!
  return new B2ndError(KINDS[kind!] ?? 'format', text + (where && ` (${where})`), details)
}

/** Creates the error for truncated data. */
export const truncated = (needed: number, there: number, chunk = NaN): B2ndError =>
  engineError([0, 0, needed, there, NaN, NaN, chunk])

/** Creates the error for a result that is too large. */
export const excessive = (asked: number, allowed: number): B2ndError => engineError([3, 0, asked, allowed])
