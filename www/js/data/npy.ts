// Arrays of NumPy in files (.npy).

import { B2ndError } from '../base/errors.js'

/** The header of a file. */
export interface NpyHeader {
  /** The dtype: a name such as `<f4`, or the list of the fields of a structure. */
  readonly dtype: string
  readonly shape: readonly number[]
  /** Whether the items are in Fortran order. */
  readonly isFortran: boolean
  /** The offset of the items. */
  readonly start: number
}

/** An array of NumPy. */
export interface Npy extends Pick<NpyHeader, 'dtype' | 'shape'> {
  /** The items in C order, as stored. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

const MAGIC = '\u0093NUMPY'
const ENCODED = new TextEncoder()
const LATIN = new TextDecoder('latin1')

const wrong = (what: string, offset = 0): B2ndError => new B2ndError('format', `.npy: ${what}`, { offset })

/** The header of a file with this dtype and shape. */
export function npyHeader({ dtype, shape }: Pick<Npy, 'dtype' | 'shape'>): Uint8Array<ArrayBuffer> {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`
  const descr = dtype.startsWith('[') ? dtype : `'${dtype}'`
  const text = `{'descr': ${descr}, 'fortran_order': False, 'shape': ${tuple}, }`
  const length = Math.ceil((10 + text.length + 1) / 64) * 64
  const header = ENCODED.encode(`.NUMPY\u0001\u0000..${text.padEnd(length - 11)}\n`)
  header[0] = 0x93
  new DataView(header.buffer).setUint16(8, length - 10, true)
  return header
}

/**
 * Parses the header at the start of a file. `head` may be longer. Fails as `format` if it is none or if it is cut, as
 * `unsupported` for Python's objects.
 */
export function parseNpyHeader(head: Uint8Array): NpyHeader {
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  if (head.length < 12 || LATIN.decode(head.subarray(1, 6)) !== MAGIC.slice(1) || head[0] !== 0x93)
    throw wrong('the file does not begin like one')
  const short = head[6] === 1
  const start = short ? 10 + view.getUint16(8, true) : 12 + view.getUint32(8, true)
  if (start > head.length) throw wrong('the file ends in the header', head.length)
  const text = (head[6]! < 3 ? LATIN : new TextDecoder()).decode(head.subarray(short ? 10 : 12, start))
  const dtype = descrIn(text)
  const [, order] = /'fortran_order':\s*(True|False)/.exec(text) ?? []
  const [, lengths] = /'shape':\s*\(([\d\s,L]*)\)/.exec(text) ?? []
  if (!dtype || !order || lengths === undefined) throw wrong('the header is damaged', 10)
  if (/'[|<>=]?O\d*'/.test(dtype.startsWith('[') ? dtype : `'${dtype}'`))
    throw new B2ndError('unsupported', '.npy: the items are Python objects, which only Python can read')
  return { dtype, shape: (lengths.match(/\d+/g) ?? []).map(Number), isFortran: order === 'True', start }
}

/** The dtype in a header: a string without its quotes, or a list with balanced brackets. */
function descrIn(text: string): string | undefined {
  const [match, rest = ''] = /'descr':\s*(.*)/s.exec(text) ?? []
  if (match === undefined) return undefined
  if (!rest.startsWith('[')) return /^'([^']+)'/.exec(rest)?.[1]
  let depth = 0
  // Names of fields may have brackets.
  for (const { 0: token, index } of rest.matchAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[[\]]/g)) {
    if (token === '[') depth++
    else if (token === ']' && --depth === 0) return rest.slice(0, index + 1)
  }
  return undefined
}

/** Parses a file. Fails as `format` if it is damaged, as `unsupported` for Python's objects. */
export function parseNpy(file: Uint8Array<ArrayBuffer>): Npy {
  const { dtype, shape, isFortran, start } = parseNpyHeader(file)
  const bytes = file.subarray(start)
  if (!isFortran) return { dtype, shape, bytes }
  const count = shape.reduce((product, length) => product * length, 1)
  return { dtype, shape, bytes: inCOrder(bytes, shape, Math.floor(bytes.length / (count || 1))) }
}

/** Items of `size` bytes in Fortran order, in C order. Fails as `format` if some are missing. */
export function inCOrder(
  bytes: Uint8Array<ArrayBuffer>,
  shape: readonly number[],
  size: number,
): Uint8Array<ArrayBuffer> {
  const length = shape.reduce((product, length) => product * length, size)
  if (!(length <= bytes.length && size > 0)) throw wrong('the file ends early')
  const out = new Uint8Array(length)
  const steps = shape.map((_, axis) => size * shape.slice(0, axis).reduce((product, length) => product * length, 1))
  let to = 0
  const copy = (axis: number, from: number) => {
    if (axis < shape.length) for (let k = 0; k < shape[axis]!; k++) copy(axis + 1, from + k * steps[axis]!)
    else for (let k = 0; k < size; k++) out[to++] = bytes[from + k]!
  }
  copy(0, 0)
  return out
}
