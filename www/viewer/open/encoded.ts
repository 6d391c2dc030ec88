// Encodes the array of a file in another format.
import { product } from '../../js/base/numbers.js'
import { B2ndError } from '../../js/index.js'
import type { Items } from '../../js/write.js'
import { workers } from '../model/workers.js'
import { writing } from '../model/writing.js'
import { checkSize, MAX_FILE_BYTES, wrong, type Values } from './values.js'

export interface Options {
  signal?: AbortSignal | undefined
  onProgress: (share: number) => void
}

/** Encodes an array fast, as the bytes of a frame. */
export async function encoded(
  { dtype, shape, items, attrs, isFortran }: Values,
  options: Options,
): Promise<Uint8Array> {
  const { arrayWriter, memoryFile } = await writing()
  const { signal, onProgress } = options
  const file = memoryFile()
  const write = (offset: number, bytes: Uint8Array) => {
    checkSize(offset + bytes.length, 'the compressed array')
    file.write(offset, bytes)
  }
  const writer = await arrayWriter(
    { read: file.read, write, truncate: file.truncate },
    {
      dtype,
      shape,
      attrs,
      codec: 'lz4',
      clevel: 1,
      encoder: workers,
      signal,
      onProgress: ({ loaded, total }) => onProgress(loaded / total),
    },
  )
  try {
    const { size } = writer.type
    const stored = typeof items === 'function' ? await items(product(shape) * size) : items
    if (!(stored instanceof Blob)) await writer.write(null, stored)
    else if (isFortran) await writer.write(null, await reordered(stored, shape, size, options))
    else await copyRows(stored, shape, size, rows => writer.write(...rows))
    await writer.close()
  } catch (error) {
    await writer.abort(error)
    throw error
  }
  return file.bytes
}

function checkLength(file: Blob, needed: number): void {
  if (file.size < needed) throw wrong(`the file ends early: ${needed} bytes of items needed, ${file.size} there`)
}

/** Items of a file in Fortran order, in C order. */
async function reordered(
  file: Blob,
  shape: readonly number[],
  size: number,
  { signal = new AbortController().signal, onProgress }: Options,
): Promise<Items> {
  const length = product(shape) * size
  checkLength(file, length)
  checkSize(2 * length, 'an array in Fortran order')
  onProgress(0)
  const { decoded } = await import('./decoded.js')
  const { items } = await decoded({ kind: 'fortran', file, shape, size }, { signal, onProgress })
  return items as Items
}

type Rows = [selection: { start: number; stop: number; step: null }[], bytes: Uint8Array<ArrayBuffer>]

/** Bytes to read at a time. */
const PIECE = 2 ** 24

/** Reads the items of a file, some rows at a time. */
async function copyRows(
  file: Blob,
  shape: readonly number[],
  size: number,
  write: (rows: Rows) => Promise<void>,
): Promise<void> {
  checkLength(file, product(shape) * size)
  const [count = 1, ...inner] = shape
  const row = product(inner) * size
  if (!count || !row) return
  if (row > MAX_FILE_BYTES) throw new B2ndError('limit', `a row has ${row} bytes`)
  const step = Math.max(1, Math.floor(PIECE / (row || 1)))
  for (let start = 0; start < count; start += step) {
    const stop = Math.min(count, start + step)
    const bytes = new Uint8Array(await file.slice(start * row, stop * row).arrayBuffer())
    await write([shape.length ? [{ start, stop, step: null }] : [], bytes])
  }
}
