// Parts of a source as sources of their own.

import type { SChunk } from '../arrays/schunk.js'
import type { ByteSource } from '../sources/source.js'

/** A range of a source. The source stays open when this one is closed. */
export const windowOf = (source: ByteSource, start: number, size: number): ByteSource => ({
  size,
  live: source.live,
  read: async (offset, length, options) => {
    const wanted = Math.min(length, size - offset)
    return wanted > 0 ? source.read(start + offset, wanted, options) : new Uint8Array()
  },
})

/** Items of a super-chunk of bytes, decoded when they are read. */
export const itemsOf = (schunk: SChunk, start: number, end: number): ByteSource => ({
  size: end - start,
  read: (offset, length, options) => schunk.get(start + offset, Math.min(start + offset + length, end), options),
})

/** A source of which the bytes from `at` on are known. */
export const withKnown = (source: ByteSource, at: number, known: Uint8Array, size = source.size): ByteSource => ({
  size,
  live: source.live,
  async read(offset, length, options) {
    const end = Math.min(offset + length, size ?? Infinity)
    const isKnown = !source.live && at <= offset && end <= at + known.length
    return isKnown ? known.slice(offset - at, Math.max(offset, end) - at) : source.read(offset, length, options)
  },
})

/** The size of a source that does not tell it: the least offset at which nothing can be read. */
export async function sizeOf(source: ByteSource, signal: AbortSignal | undefined): Promise<number> {
  const isBehind = async (offset: number): Promise<boolean> => (await source.read(offset, 1, { signal })).length === 0
  let [low, high] = [0, 1]
  while (!(await isBehind(high - 1))) [low, high] = [high, high * 2]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await isBehind(middle)) high = middle
    else low = middle + 1
  }
  return low
}
