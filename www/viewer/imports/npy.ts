// Arrays of NumPy (.npy).
import { parseNpyHeader } from '../../js/data/npy.js'
import type { Values } from './values.js'

/** The maximum length of a header to read. */
const HEAD = 2 ** 20
export const bytesOf = async (file: Blob, start: number, end?: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await file.slice(start, end).arrayBuffer())

/** The items stay in the file. */
export async function readNpy(file: Blob): Promise<Values> {
  const { dtype, shape, isFortran, start } = parseNpyHeader(await bytesOf(file, 0, HEAD))
  return { dtype, shape, items: file.slice(start), isFortran: isFortran && shape.length > 1 }
}
