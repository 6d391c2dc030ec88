// Arrays of NumPy (.npy).
import { product } from '../../js/base/numbers.js'
import { copyItems } from '../../js/reading/copy-box.js'
import { strides } from '../../js/reading/selection.js'
import { unsupported, wrong, type Values } from './values.js'

/** The maximum length of a header to read. */
export const MAX_HEADER_BYTES = 2 ** 20

export const bytesOf = async (file: Blob, start: number, end?: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await file.slice(start, end).arrayBuffer())

/** The items stay in the file. */
export async function readNpy(file: Blob): Promise<Values> {
  const { start, ...values } = npyHeaderIn(await bytesOf(file, 0, MAX_HEADER_BYTES))
  return { ...values, items: file.slice(start) }
}

const MOST_AXES = 16
const MAGIC = [0x93, ...new TextEncoder().encode('NUMPY')]

/** Bytes as ISO 8859-1. A `TextDecoder` of that name decodes Windows-1252, where 0x93 is a quotation mark. */
const latin1 = (bytes: Uint8Array) => Array.from(bytes, byte => String.fromCharCode(byte)).join('')

/** The facts in the first bytes of a file; `start` is the offset of the items. */
export function npyHeaderIn(head: Uint8Array): Omit<Values, 'items'> & { start: number } {
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  if (head.length < 12 || MAGIC.some((byte, k) => head[k] !== byte))
    throw wrong('.npy: the file does not begin like one')
  const short = head[6] === 1
  const start = short ? 10 + view.getUint16(8, true) : 12 + view.getUint32(8, true)
  if (start > head.length) throw wrong('.npy: the file ends in the header')
  const header = head.subarray(short ? 10 : 12, start)
  const text = head[6]! < 3 ? latin1(header) : new TextDecoder().decode(header)
  const dtype = descrIn(text)
  const order = /'fortran_order':\s*(True|False)/.exec(text)?.[1]
  const lengths = /'shape':\s*\(([\d\s,L]*)\)/.exec(text)?.[1]
  if (!dtype || !order || lengths === undefined) throw wrong('.npy: the header is damaged')
  if (/'[|<>=]?O\d*'/.test(dtype.startsWith('[') ? dtype : `'${dtype}'`))
    throw unsupported('.npy: the items are Python objects, which only Python can read')
  const shape = (lengths.match(/\d+/g) ?? []).map(Number)
  if (shape.length > MOST_AXES) throw unsupported(`.npy: ${shape.length} axes, and an array has at most ${MOST_AXES}`)
  for (const length of shape) if (!Number.isSafeInteger(length)) throw wrong(`.npy: an axis of ${length} items`)
  return { dtype, shape, start, isFortran: order === 'True' && shape.length > 1 }
}

/** The dtype in a header: a string without its quotes, or a list with balanced brackets. */
function descrIn(text: string): string | undefined {
  const rest = /'descr':\s*(.*)/s.exec(text)?.[1] ?? ''
  if (!rest.startsWith('[')) return /^'([^']+)'/.exec(rest)?.[1]
  let depth = 0
  // Names of fields may have brackets.
  for (const { 0: token, index } of rest.matchAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[[\]]/g)) {
    if (token === '[') depth++
    else if (token === ']' && --depth === 0) return rest.slice(0, index + 1)
  }
  return undefined
}

/** Items of `size` bytes in Fortran order, in C order. Fails as `format` if some are missing. */
export function inCOrder(
  bytes: Uint8Array<ArrayBuffer>,
  shape: readonly number[],
  size: number,
): Uint8Array<ArrayBuffer> {
  const length = size * product(shape)
  if (!(length <= bytes.length && size > 0)) throw wrong('.npy: the file ends early')
  const out = new Uint8Array(length)
  const steps = strides(shape.toReversed(), size).toReversed()
  const to = { bytes: out, start: 0, strides: strides(shape, size) }
  copyItems({ bytes, start: 0, strides: steps }, to, shape, size)
  return out
}
