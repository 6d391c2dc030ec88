import { B2ndError, type ErrorCode, type ErrorDetails } from '../base/errors.js'

const BLAME: ErrorCode[] = ['format', 'unsupported', 'argument', 'limit']

/** What happened, by blame and kind, as in ABI.md. Each `$` stands for the next of: the name, if there is one, a, b, c. */
const MESSAGES = [
  [
    'truncated: $ bytes needed, $ there',
    'neither a frame nor a chunk of Blosc',
    '$ cannot be $',
    '$ is $ and should be $',
    'MessagePack marker $ is out of place',
    'damaged $ stream',
    'the file of chunk $ is missing',
  ],
  [
    'codec $ is not built in',
    'filter $ is not built in',
    'plugin $ needs the shape of an array',
    'version $ of chunks is not known',
    'version $ of frames is not known',
    'instrumented chunks hold no data',
    'blocks of variable length have no items: read whole chunks',
    'the dtype is not known',
    'a lazy array: its values are computed from other arrays and are not stored in this file',
    'a proxy or remote array: this file holds only the chunks that were fetched',
    'chunk $ was not fetched: this file does not hold its values',
    'frames of beta 1 are of another kind',
    'chunks differ in size: read whole chunks',
  ],
  [
    'axis $ has no index $: its length is $',
    '$ indices for $ dimensions',
    'not a selection',
    'the step of axis $ is zero',
    '$ bytes of a buffer needed, $ given',
    'chunk $ of $',
    'block $ of $',
    'not an array',
    'bytes given that were not asked for',
    'more bytes are asked for',
    'the first block of the chunk must be given before others',
    'no frame was opened',
  ],
  [
    '$ bytes of memory asked for, $ allowed by `limits: { memory }`',
    '$ bytes of metadata asked for, $ allowed by `limits: { metadata }`',
    '$ levels of nesting, $ allowed',
  ],
]

/** The error that the engine wrote: `blame, kind, a, b, c, offset, chunk, block` and a name. */
export function engineError([blame, kind, a, b, c, offset, chunk, block]: readonly number[], name = ''): B2ndError {
  const values = name ? [name, a, b] : [a, b, c]
  const message = MESSAGES[blame!]?.[kind!] ?? `error ${blame}.${kind}`
  // NaN is not known.
  const places = Object.entries({ chunk, block, offset }).filter(place => place[1]! >= 0)
  const where = places.map(place => place.join(' ')).join(', ')
  const text = message.replace(/\$/g, () => String(values.shift()))
  const details: ErrorDetails = Object.fromEntries(places)
  if (blame === 1 && kind! < 2) details[kind ? 'filter' : 'codec'] = a!
  return new B2ndError(BLAME[blame!] ?? 'format', text + (where && ` (${where})`), details)
}

/** The error of a chunk, or of something else, that ends early. */
export const truncated = (needed: number, there: number, chunk = NaN): B2ndError =>
  engineError([0, 0, needed, there, NaN, NaN, chunk])

/** The error of a result that would be too large. */
export const excessive = (asked: number, allowed: number): B2ndError => engineError([3, 0, asked, allowed])
