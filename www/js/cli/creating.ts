// `b2nd create` and `b2nd repack`: new arrays.

import { open as openHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { joined } from '../base/bytes.js'
import { argument, B2ndError } from '../base/errors.js'
import { product } from '../base/numbers.js'
import { inCOrder, parseNpyHeader, type NpyHeader } from '../data/npy.js'
import type { NDArray } from '../index.js'
import { arrayWriter, type ArrayOptions, type ArrayWriter, type CodecName } from '../write.js'
import { found } from '../write/new-file.js'
import { withArray } from './opened.js'
import { fromPipe, isPipe, isStandardOutput } from './pipe.js'
import { Progress } from './progress.js'

/** Bytes that are read at a time. */
const AT_ONCE = 2 ** 24
/** Headers of `.npy` files are shorter. */
const HEADER = 2 ** 20

/** What the options say of the new array. */
export interface Storage {
  readonly codec?: string | undefined
  readonly clevel?: string | undefined
  readonly filters?: string | undefined
  readonly chunks?: string | undefined
  readonly blocks?: string | undefined
}

/** The items of files that do not say what they hold. */
export interface RawItems {
  readonly shape?: string | undefined
  readonly dtype?: string | undefined
}

const lengthsOf = (name: string, words: string): number[] =>
  words.split(',').map(word => {
    if (/^\s*\d+\s*$/.test(word)) return Number(word)
    throw argument(`--${name}: ${words} is no list of lengths`)
  })

function optionsOf({ codec, clevel, filters, chunks, blocks }: Storage): ArrayOptions {
  if (clevel !== undefined && !/^\d+$/.test(clevel)) throw argument(`--clevel: ${clevel} is no number`)
  return {
    ...(codec !== undefined && { codec: codec as CodecName }),
    ...(clevel !== undefined && { clevel: Number(clevel) }),
    ...(filters !== undefined && { filters: filters.split(',').filter(Boolean) }),
    ...(chunks !== undefined && { chunks: lengthsOf('chunks', chunks) }),
    ...(blocks !== undefined && { blocks: lengthsOf('blocks', blocks) }),
  }
}

/** Bytes in order. */
type Bytes = AsyncIterable<Uint8Array<ArrayBuffer>>

/** Creates an array from a `.npy` file, or from raw items in C order. `-` is standard input. */
export async function create(from: string, to: string, raw: RawItems, storage: Storage): Promise<void> {
  const options = optionsOf(storage)
  const input = from === '-' ? (process.stdin as Bytes) : isPipe(from) ? fromPipe(from) : fileBytes(from)
  const { head, rest } = await split(input, raw.shape === undefined && raw.dtype === undefined ? HEADER : 0)
  const header = head.length ? parseNpyHeader(head) : headerOf(raw)
  const { dtype, shape, isFortran, start } = header
  const items = concatenated(head.subarray(start), rest)
  await written(to, { codec: 'zstd', ...options, shape, dtype }, async (writer, advance) => {
    if (isFortran || shape.length === 0) return writeWhole(writer, await collected(items), header)
    const row = writer.type.size * product(shape.slice(1))
    const wanted = row * shape[0]!
    let done = 0
    for await (const rows of rowsOf(items, row, Math.max(row, AT_ONCE - (AT_ONCE % (row * writer.chunks[0]! || 1))))) {
      const used = rows.subarray(0, Math.min(rows.length, wanted - done))
      if (used.length) await writer.append(used)
      done += used.length
      advance(used.length)
    }
    if (done < wanted) throw new B2ndError('format', `${from}: the items end before byte ${wanted}`)
  })
}

async function writeWhole(
  writer: ArrayWriter,
  bytes: Uint8Array<ArrayBuffer>,
  { shape, isFortran }: NpyHeader,
): Promise<void> {
  const ordered = isFortran ? inCOrder(bytes, shape, writer.type.size) : bytes.subarray(0, writer.type.size)
  await writer.write(null, ordered)
}

function headerOf({ shape, dtype }: RawItems): NpyHeader {
  if (shape === undefined || dtype === undefined) throw argument('raw items need --shape and --dtype')
  return { shape: shape.trim() ? lengthsOf('shape', shape) : [], dtype, isFortran: false, start: 0 }
}

async function* fileBytes(path: string): Bytes {
  const file = await openHandle(path)
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(AT_ONCE))
      if (!bytesRead) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** The first bytes, at least so many if there are, and the rest. */
async function split(
  bytes: Bytes,
  least: number,
): Promise<{ head: Uint8Array<ArrayBuffer>; rest: AsyncIterator<Uint8Array<ArrayBuffer>> }> {
  const rest = bytes[Symbol.asyncIterator]()
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let length = 0; length < least; length += parts.at(-1)!.length) {
    const next = await rest.next()
    if (next.done) break
    parts.push(next.value)
  }
  return { head: joined(parts, Uint8Array), rest }
}

async function* concatenated(head: Uint8Array<ArrayBuffer>, rest: AsyncIterator<Uint8Array<ArrayBuffer>>): Bytes {
  if (head.length) yield head
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/** Bytes in parts of at most `most` bytes, each of whole rows. The last one may be cut. */
async function* rowsOf(bytes: Bytes, row: number, most: number): Bytes {
  let [buffer, filled] = [new Uint8Array(most), 0]
  for await (let part of bytes) {
    while (part.length) {
      const taken = part.subarray(0, most - filled)
      buffer.set(taken, filled)
      filled += taken.length
      part = part.subarray(taken.length)
      if (filled === most) {
        yield buffer
        ;[buffer, filled] = [new Uint8Array(most), 0]
      }
    }
  }
  if (filled) yield buffer.subarray(0, filled - (filled % row))
}

async function collected(bytes: Bytes): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const part of bytes) parts.push(part)
  return joined(parts, Uint8Array)
}

/** Copies an array with other parameters. */
export const repack = (from: string, to: string, storage: Storage): Promise<void> =>
  withArray(from, async array => {
    const { shape, chunks, blocks, info } = array
    const { b2nd: _, caterva: __, ...meta } = array.meta
    const { codec, clevel } = info
    const options = {
      chunks,
      ...(blocks && { blocks }),
      ...(codec.name && codec.name !== 'snappy' && { codec: codec.name as CodecName }),
      clevel,
      filters: info.filters.map(({ id, name, meta }) => (name ?? String(id)) + (meta ? `:${meta}` : '')),
      meta,
      attrs: await array.attrs(),
      ...optionsOf(storage),
      shape,
      dtype: (array.type && array.dtype) ?? `|V${array.itemsize}`,
    }
    await written(to, options, (writer, advance) => copy(array, writer, advance))
  })

/** Copies chunk by chunk of the new array. */
async function copy(array: NDArray, writer: ArrayWriter, advance: (bytes: number) => void): Promise<void> {
  for (const box of boxesOf(array.shape, writer.chunks)) {
    await writer.write(box, (await array.get(box)).data)
    advance(product(box.map(({ start, stop }) => stop - start)) * array.itemsize)
  }
}

/** A part of an axis. */
interface Part {
  readonly start: number
  readonly stop: number
  readonly step: null
}

/** The chunks of a shape, in C order. */
function* boxesOf([length, ...shape]: readonly number[], [each, ...chunks]: readonly number[]): Generator<Part[]> {
  if (length === undefined) {
    yield []
    return
  }
  for (let start = 0; start < length; start += each!) {
    const stop = Math.min(start + each!, length)
    for (const rest of boxesOf(shape, chunks)) yield [{ start, stop, step: null }, ...rest]
  }
}

/** Writes an array to a path, where it appears when it is complete, and tells its size. */
async function written(
  to: string,
  options: ArrayOptions & { shape: readonly number[]; dtype: string },
  fill: (writer: ArrayWriter, advance: (bytes: number) => void) => Promise<void>,
): Promise<void> {
  const isStandard = isStandardOutput(to)
  const writer = await arrayWriter(isStandard ? Writable.toWeb(process.stdout) : to, options)
  const progress = new Progress('writing', product(options.shape) * writer.type.size)
  try {
    await fill(writer, bytes => progress.advance(bytes))
    await writer.close()
  } catch (error) {
    await writer.abort(error)
    throw error
  } finally {
    progress.end()
  }
  const there = isStandard ? undefined : await found(to)
  if (there?.isFile()) console.log(`${to}: ${there.size} bytes`)
}
