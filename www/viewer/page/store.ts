// Stores of several arrays: a ZIP archive (.b2z) or a folder (.b2d). Each array in them opens as a separate file.
import type { Found } from './dropped.js'

/** The maximum number of arrays of a store to open. */
const MOST = 50
const ARRAY = /\.(b2nd|b2frame|b2f|blosc2|caterva)$/i

/** The files of a directory that can be opened, by their relative paths. */
export function arraysOf(files: Iterable<[name: string, file: Blob]>): Found[] {
  return [...files]
    .filter(([name]) => ARRAY.test(name))
    .slice(0, MOST)
    .map(([name, file]) => ({ name, openable: file }))
}

/** The arrays in an archive; none if it is not an archive, or if its entries are compressed. */
export async function unzipped(file: Blob): Promise<Found[]> {
  const tail = new DataView(await file.slice(-22 - 0xffff).arrayBuffer())
  let end = tail.byteLength - 22
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end--
  if (end < 0) return []
  const start = tail.getUint32(end + 16, true)
  const list = new DataView(await file.slice(start, start + tail.getUint32(end + 12, true)).arrayBuffer())
  const members: [name: string, file: Blob][] = []
  for (let at = 0; at + 46 <= list.byteLength && list.getUint32(at, true) === 0x02014b50;) {
    const [name, extra, comment] = [28, 30, 32].map(offset => list.getUint16(at + offset, true)) as [
      number,
      number,
      number,
    ]
    const text = new TextDecoder().decode(
      new Uint8Array(list.buffer, at + 46, Math.min(name, list.byteLength - at - 46)),
    )
    const [method, size, local] = [
      list.getUint16(at + 10, true),
      list.getUint32(at + 24, true),
      list.getUint32(at + 42, true),
    ]
    if (method === 0 && ARRAY.test(text)) members.push([text, await member(file, local, size)])
    at += 46 + name + extra + comment
  }
  return arraysOf(members)
}

async function member(file: Blob, local: number, size: number): Promise<Blob> {
  const head = new DataView(await file.slice(local, local + 30).arrayBuffer())
  const start = head.byteLength < 30 ? local : local + 30 + head.getUint16(26, true) + head.getUint16(28, true)
  return file.slice(start, start + size)
}
