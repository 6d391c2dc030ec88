// Arrays of NumPy in files (.npy).

import { argument, B2ndError } from '../base/errors.js'

/** An array of NumPy. */
export interface Npy {
  readonly dtype: string
  readonly shape: readonly number[]
  /** The items in C order. */
  readonly bytes: Uint8Array
}

const MAGIC = '\u0093NUMPY'

/** The header of a file with this dtype and shape. */
export function npyHeader({ dtype, shape }: Pick<Npy, 'dtype' | 'shape'>): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`
  const text = `{'descr': '${dtype}', 'fortran_order': False, 'shape': ${tuple}, }`
  const length = Math.ceil((10 + text.length + 1) / 64) * 64
  const header = Buffer.from(`${MAGIC}\u0001\u0000\u0000\u0000${text.padEnd(length - 11)}\n`, 'latin1')
  header.writeUInt16LE(length - 10, 8)
  return header
}

/** Parses a file. Fails as `format` if it is none, as `unsupported` for structures and for Fortran order. */
export function parseNpy(file: Uint8Array): Npy {
  const view = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (view.toString('latin1', 0, 6) !== MAGIC) throw new B2ndError('format', 'not a .npy file')
  const start = view[6] === 1 ? 10 : 12
  const end = start + (view[6] === 1 ? view.readUInt16LE(8) : view.readUInt32LE(8))
  const text = view.toString('latin1', start, end)
  const [, dtype] = /'descr':\s*'([^']+)'/.exec(text) ?? []
  const [, lengths] = /'shape':\s*\(([^)]*)\)/.exec(text) ?? []
  if (dtype === undefined || lengths === undefined) throw new B2ndError('unsupported', 'a .npy file of structures')
  if (/'fortran_order':\s*True/.test(text)) throw new B2ndError('unsupported', 'a .npy file in Fortran order')
  const shape = (lengths.match(/\d+/g) ?? []).map(Number)
  return { dtype, shape, bytes: file.subarray(end) }
}

const TYPES = {
  b1: Uint8Array,
  i1: Int8Array,
  u1: Uint8Array,
  i2: Int16Array,
  u2: Uint16Array,
  i4: Int32Array,
  u4: Uint32Array,
  i8: BigInt64Array,
  u8: BigUint64Array,
  f4: Float32Array,
  f8: Float64Array,
  c8: Float32Array,
  c16: Float64Array,
}

/** The items as a typed array. */
export function itemsOf({ dtype, bytes }: Npy) {
  const type = TYPES[dtype.slice(1) as keyof typeof TYPES]
  if (!type || dtype.startsWith('>')) throw argument(`arrays of ${dtype} cannot be created here`)
  const length = Math.floor(bytes.length / type.BYTES_PER_ELEMENT)
  return new type(new Uint8Array(bytes).buffer, 0, length)
}
