// Arrays of NumPy (.npy).
import { parseNpyHeader } from '../../js/data/npy.js'
import { unsupported, wrong, type Values } from './values.js'

/** The maximum length of a header to read. */
export const HEAD = 2 ** 20

export const bytesOf = async (file: Blob, start: number, end?: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await file.slice(start, end).arrayBuffer())

/** The items stay in the file. */
export async function readNpy(file: Blob): Promise<Values> {
  const { start, ...values } = npyHeaderIn(await bytesOf(file, 0, HEAD))
  return { ...values, items: file.slice(start) }
}

const MOST_AXES = 16

/** What the first bytes of a file tell. */
export function npyHeaderIn(head: Uint8Array): Omit<Values, 'items'> & { start: number } {
  const { dtype, shape, isFortran, start } = parseNpyHeader(head)
  if (shape.length > MOST_AXES) throw unsupported(`.npy: ${shape.length} axes, and an array has at most ${MOST_AXES}`)
  for (const length of shape) if (!Number.isSafeInteger(length)) throw wrong(`.npy: an axis of ${length} items`)
  return { dtype, shape, start, isFortran: isFortran && shape.length > 1 }
}
