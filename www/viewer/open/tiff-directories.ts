// The directories of a TIFF file, checked before a decoder trusts what they claim.
import { bytesOf } from './npy.js'
import { wrong } from './values.js'

/** A file may have more pages. */
export const MOST_PAGES = 65_536

/** The bytes of a value by its type. */
const SIZES: Record<number, number | undefined> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
}

/** The widths of the numbers in a directory. */
interface Form {
  isLittle: boolean
  isBig: boolean
}

/** Fails unless the directories of all pages, and the values that they refer to, are in the file, and do not repeat each other. */
export async function checkDirectories(file: Blob): Promise<void> {
  const head = new DataView((await bytesOf(file, 0, 16)).buffer)
  if (head.byteLength < 16) throw wrong('TIFF: the file ends in the header')
  const isLittle = head.getUint16(0) === 0x4949
  const form = { isLittle, isBig: head.getUint16(2, isLittle) === 43 }
  const seen = new Set<number>()
  let [at, directories, values] = [form.isBig ? long(head, 8, form) : head.getUint32(4, isLittle), 0, 0]
  while (at && seen.size < MOST_PAGES) {
    if (seen.has(at)) throw wrong(`TIFF: the pages refer to each other: page ${seen.size} continues at byte ${at}`)
    seen.add(at)
    const page = await directoryAt(file, at, form, seen.size - 1)
    directories += page.length
    values += page.values
    // Pages may share some values.
    if (directories > file.size || values > 16 * file.size + 2 ** 20)
      throw wrong(`TIFF: page ${seen.size - 1} overlaps others`)
    at = page.next
  }
}

const long = (view: DataView, at: number, { isLittle }: Form): number => Number(view.getBigUint64(at, isLittle))

/** The bytes of a directory and of the values it refers to, and the offset of the next one. */
async function directoryAt(file: Blob, at: number, form: Form, page: number) {
  const { isLittle, isBig } = form
  const [lead, entry, word] = isBig ? ([8, 20, 8] as const) : ([2, 12, 4] as const)
  const start = new DataView((await bytesOf(file, at, at + lead)).buffer)
  if (start.byteLength < lead) throw wrong(`TIFF: page ${page} is at byte ${at}, and the file has ${file.size}`)
  const count = isBig ? long(start, 0, form) : start.getUint16(0, isLittle)
  const length = lead + count * entry + word
  if (at + length > file.size)
    throw wrong(`TIFF: page ${page} has ${count} entries at byte ${at}, after which the file ends`)
  const view = new DataView((await bytesOf(file, at + lead, at + length)).buffer)
  let values = 0
  for (let k = 0; k < count; k++) {
    const tag = view.getUint16(k * entry, isLittle)
    const items = isBig ? long(view, k * entry + 4, form) : view.getUint32(k * entry + 4, isLittle)
    const size = (SIZES[view.getUint16(k * entry + 2, isLittle)] ?? 1) * items
    if (size <= word) continue
    const place = k * entry + entry - word
    const from = isBig ? long(view, place, form) : view.getUint32(place, isLittle)
    if (!(from + size <= file.size))
      throw wrong(
        `TIFF: page ${page}: ${items} values of tag ${tag} at byte ${from}, and the file has ${file.size} bytes`,
      )
    values += size
  }
  const next = count * entry
  return { length, values, next: isBig ? long(view, next, form) : view.getUint32(next, isLittle) }
}
