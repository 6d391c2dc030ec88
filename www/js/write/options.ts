import { utf8 } from '../base/bytes.js'
import { argument, formatValue } from '../base/errors.js'
import { callback, flag, having, limits, number, object, signal, type Rule, type Rules } from '../base/validation.js'
import { NO_FRAME, numbersOf, type Engine } from '../engine/engine.js'

const SPLIT_MODES = ['always', 'never', 'auto', 'forward_compat'] as const

/** A codec that this package encodes with. */
export type CodecName = 'blosclz' | 'lz4' | 'lz4hc' | 'zlib' | 'zstd' | 'ndlz'

/** How chunks are compressed. The defaults are those of C-Blosc2. */
export interface CompressionOptions {
  /** The codec. Default: `blosclz`. */
  codec?: CodecName | undefined
  /** The compression level, from 0 (no compression) to 10, which takes the most time and is stored as 9. Default: 5. */
  clevel?: number | undefined
  /**
   * Up to six filters in the order of application: `shuffle`, `bitshuffle`, `delta`, `trunc_prec`, `int_trunc`, `bytedelta`,
   * `ndcell`, `ndmean`. A parameter follows a colon, as in `trunc_prec:10`, which keeps 10 bits of a
   * mantissa. C-Blosc2 reads wrong values of parts of arrays with `delta`; whole chunks it reads. Default: `['shuffle']`.
   */
  filters?: readonly string[] | undefined
  /** When blocks are split into a stream for each byte of the items. Default: `auto`. */
  splitMode?: (typeof SPLIT_MODES)[number] | undefined
  /** Whether chunks of many small blocks get a dictionary. Only for `lz4`, `lz4hc` and `zstd`. Default: false. */
  useDict?: boolean | undefined
  /** The parameter of `ndlz`: the edge of its cells, 4 or 8. */
  codecMeta?: number | undefined
}

const byte = number(0, 255, true)
export const LENGTHS: Rule = [
  'an array of lengths',
  value => Array.isArray(value) && value.every(length => Number.isSafeInteger(length) && length >= 0),
]
const isName = (value: unknown) => typeof value === 'string'

export const COMPRESSION: Rules = {
  codec: ['the name of a codec', isName],
  clevel: number(0, 10, true),
  filters: [
    'an array of at most six names of filters',
    value => Array.isArray(value) && value.length < 7 && value.every(isName),
  ],
  splitMode: [`one of ${SPLIT_MODES.join(', ')}`, value => SPLIT_MODES.includes(value as never)],
  useDict: flag,
  codecMeta: byte,
}
export const ENCODE_CHUNK: Rules = {
  ...COMPRESSION,
  typesize: number(1, 2 ** 31 - 1, true),
  blocksize: number(0, 2 ** 31 - 1, true),
  format: ["'blosc1' or 'blosc2'", value => value === 'blosc1' || value === 'blosc2'],
}
export const ARRAY: Rules = {
  ...COMPRESSION,
  signal,
  onProgress: callback,
  shape: LENGTHS,
  chunks: LENGTHS,
  blocks: LENGTHS,
  dtype: ['a dtype such as "<f4"', value => typeof value === 'string'],
  caterva: flag,
  metalayers: object,
  attrs: object,
  encoder: ['an encoder', having('encode')],
}
export const EDIT: Rules = { signal, limits }
export const STORE: Rules = { kind: [`'tree' or 'dict'`, value => value === 'tree' || value === 'dict'], limits }
export const ROWS: Rules = { signal, axis: number(0, 15, true) }

/** The names that were asked for last, and their numbers: calls in a row mostly have the same. */
let last: { names: readonly string[]; ids: Float64Array } = { names: [], ids: new Float64Array() }

/** The id of a codec, and id and parameter of each filter. */
function idsOf(engine: Engine, names: readonly string[]): Float64Array {
  if (last.names.length === names.length && names.every((name, k) => name === last.names[k])) return last.ids
  const ids = engine.call(NO_FRAME, 'ids', names.map(utf8), numbersOf)
  last = { names, ids }
  return ids
}

/** The compression parameters in the form of the engine. */
export function compressionNumbers(
  engine: Engine,
  options: CompressionOptions,
  { format = 2, typesize = 1, blocksize = 0 } = {},
): Float64Array {
  const { codec = 'blosclz', clevel = 5, filters = ['shuffle'], splitMode = 'auto', useDict, codecMeta = 0 } = options
  const names = [codec, ...filters]
  const [id, ...pipeline] = idsOf(engine, names)
  const unknown = names.findIndex((_, k) => Number.isNaN(k ? pipeline[2 * k - 2] : id))
  if (unknown >= 0) throw argument(`${unknown ? 'filters' : 'codec'}: ${formatValue(names[unknown])} is unknown`)
  const head = [format, id!, clevel, typesize, blocksize, SPLIT_MODES.indexOf(splitMode), Number(!!useDict), codecMeta]
  return new Float64Array([...head, ...pipeline])
}
