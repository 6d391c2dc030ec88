// Zip archives: the directory at their end. Members are read where they are, so only stored ones can be.

import { B2ndError } from '../base/errors.js'

/** The bytes at the end in which the end record is: its largest comment, and the records of large archives. */
export const TAIL = 65_535 + 22 + 20 + 56
/** The length of a member's own header before its name. */
export const LOCAL = 30
const ENTRY = 46

/** A member of an archive. */
export interface Member {
  readonly name: string
  /** The offset of its own header. */
  readonly header: number
  /** The length of its bytes. */
  readonly length: number
  /** The end of its bytes, if nothing lies between them and what follows. */
  end: number
  /** Whether it is neither compressed nor encrypted. */
  readonly isStored: boolean
}

const wrong = (what: string, offset: number): B2ndError => new B2ndError('format', `zip: ${what}`, { offset })

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

const isAt = (view: DataView, at: number, signature: number): boolean =>
  at >= 0 && at + 4 <= view.byteLength && view.getUint32(at, true) === signature

/** Finds the directory: where it starts and ends. `tail` ends at byte `size` of the archive. */
export function directoryIn(tail: Uint8Array, size: number): readonly [start: number, end: number] {
  const view = viewOf(tail)
  let at = tail.length - 22
  while (at >= 0 && !(isAt(view, at, 0x06054b50) && at + 22 + view.getUint16(at + 20, true) === tail.length)) at--
  if (at < 0) throw wrong('the end of the archive is missing', size)
  let length = view.getUint32(at + 12, true)
  let start = view.getUint32(at + 16, true)
  if (isAt(view, at - 20, 0x07064b50) && isAt(view, at - 76, 0x06064b50)) {
    at -= 76
    length = Number(view.getBigUint64(at + 40, true))
    start = Number(view.getBigUint64(at + 48, true))
  }
  if (!(start + length <= size - tail.length + at)) throw wrong('the directory is not in the archive', start)
  return [start, start + length]
}

/** The members in the directory, which starts at byte `start` of the archive, by the offsets of their headers. */
export function membersIn(bytes: Uint8Array, start: number): Member[] {
  const view = viewOf(bytes)
  const members: Member[] = []
  // A mark of the byte order is a part of the name.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for (let at = 0; at < bytes.length;) {
    if (at + ENTRY > bytes.length || !isAt(view, at, 0x02014b50)) throw wrong('a damaged directory', start + at)
    const [nameLength, extra, comment] = [28, 30, 32].map(field => view.getUint16(at + field, true)) as [
      number,
      number,
      number,
    ]
    const after = at + ENTRY + nameLength
    if (after + extra + comment > bytes.length) throw wrong('a directory that was cut', start + at)
    const name = decoded(decoder, bytes.subarray(at + ENTRY, after), start + at)
    const [plain, length, header] = sizes(view, at, after, extra)
    const isStored = view.getUint16(at + 10, true) === 0 && !(view.getUint16(at + 8, true) & 1)
    if (!name.endsWith('/')) {
      if (!isRelative(name)) throw wrong(`the name ${JSON.stringify(name)}`, start + at)
      if (isStored && plain !== length) throw wrong(`${name} has two lengths`, start + at)
      members.push({ name, header, length, end: header + LOCAL + nameLength + length, isStored })
    }
    at = after + extra + comment
  }
  members.sort((a, b) => a.header - b.header)
  members.reduceRight((next, member) => {
    if (!(member.end <= next)) throw wrong(`${member.name} overlaps what follows`, member.header)
    member.end = next
    return member.header
  }, start)
  return members
}

function decoded(decoder: TextDecoder, name: Uint8Array, offset: number): string {
  try {
    return decoder.decode(name)
  } catch {
    throw wrong('a name that is no UTF-8', offset)
  }
}

/** The plain and the stored length, and the offset; from the extra field if they do not fit in 32 bits. */
function sizes(view: DataView, at: number, extra: number, length: number): [number, number, number] {
  const values = [24, 20, 42].map(field => view.getUint32(at + field, true)) as [number, number, number]
  for (let field = extra; field + 4 <= extra + length; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== 1) continue
    const end = Math.min(extra + length, field + 4 + view.getUint16(field + 2, true))
    let next = field + 4
    for (const index of values.keys())
      if (values[index] === 0xffff_ffff && next + 8 <= end) {
        values[index] = Number(view.getBigUint64(next, true))
        next += 8
      }
    break
  }
  return values
}

/** Whether a name stays in its folder. */
const isRelative = (name: string): boolean =>
  !/[\0:]/.test(name) && name.split(/[/\\]/).every(part => part !== '' && part !== '.' && part !== '..')

/** The start of a member's bytes by its own header. */
export function dataStart(header: Uint8Array, member: Member): number {
  const view = viewOf(header)
  if (header.length < LOCAL || !isAt(view, 0, 0x04034b50)) throw wrong(`${member.name} has no header`, member.header)
  const start = member.header + LOCAL + view.getUint16(26, true) + view.getUint16(28, true)
  if (start + member.length > member.end) throw wrong(`${member.name} overlaps what follows`, start)
  return start
}
