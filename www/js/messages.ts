import { B2ndError, type ErrorCode } from './errors.js'

const BLAME: ErrorCode[] = ['format', 'unsupported', 'argument', 'limit']

/** What happened, by blame and kind. ABI.md has the numbers; `$a`, `$b`, `$c` and `$name` stand for what comes with them. */
const MESSAGES = [
  [
    'truncated: $a bytes needed, $b there',
    'neither a Blosc2 frame nor a Blosc chunk',
    '$name cannot be $a',
    '$name is $a and should be $b',
    'MessagePack marker $a is out of place',
    'damaged $name stream',
    'the file of chunk $a is missing',
  ],
  [
    'codec $a is not built in',
    'filter $a is not built in',
    'plugin $a needs the shape of an array',
    'version $a of chunks is not known',
    'version $a of frames is not known',
    'instrumented chunks hold no data',
    'chunks with blocks of variable length have no items; read them chunk by chunk',
    'the dtype is not known',
  ],
  [
    'index $b is out of bounds for axis $a of length $c',
    '$a indices for $b dimensions',
    'not a selection',
    'the step of axis $a is zero',
    '$a bytes of a buffer needed, $b given',
    'chunk $a of $b',
    'block $a of $b',
    'not an array',
    'bytes given that nobody asked for',
  ],
  [
    '$a bytes of memory asked for, $b allowed',
    '$a bytes of metadata asked for, $b allowed',
    '$a levels of nesting, $b allowed',
  ],
]

/** The error that the engine wrote: `blame, kind, a, b, c, offset, chunk, block` and a name. */
export function engineError([blame, kind, a, b, c, offset, chunk, block]: readonly number[], name = ''): B2ndError {
  const values: Record<string, unknown> = { a, b, c, name }
  const message = MESSAGES[blame!]?.[kind!] ?? `error ${blame}.${kind}`
  // NaN is not known.
  const places = Object.entries({ chunk, block, offset }).filter(([, number]) => number! >= 0)
  const where = places.map(place => place.join(' ')).join(', ')
  const text = message.replace(/\$(\w+)/g, (_, value) => String(values[value]))
  const details = { ...Object.fromEntries(places), ...(blame === 1 && kind! < 2 && { [kind ? 'filter' : 'codec']: a }) }
  return new B2ndError(BLAME[blame!] ?? 'format', text + (where && ` (${where})`), details)
}

/** The error of a chunk, or of something else, that ends early. */
export const truncated = (needed: number, there: number, chunk = NaN): B2ndError =>
  engineError([0, 0, needed, there, NaN, NaN, chunk])

/** The error of a result that would be too large. */
export const excessive = (asked: number, allowed: number): B2ndError => engineError([3, 0, asked, allowed])
