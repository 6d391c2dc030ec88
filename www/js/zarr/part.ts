// The part of a chunk that a slice takes, by ranges of its bytes.

import { joined } from '../base/bytes.js'
import { B2ndError } from '../base/errors.js'
import { createLimit } from '../base/limit.js'
import { pairs } from '../base/numbers.js'
import { NO_FRAME, numbersOf } from '../engine/engine.js'
import { drive } from '../engine/exchange.js'
import type { Box } from '../engine/protocol.js'
import { cutOf, decodeBy, firstBox } from './calls.js'
import type { Place } from './metadata.js'
import type { Reading } from './reading.js'

/** The bytes that are read of a chunk at first: of most chunks the header and the places of all blocks. */
const HEAD_BYTES = 8192
/** Requests for blocks of one chunk at the same time. */
const REQUESTS = 8

/** Reads a part of a chunk; `undefined` if the chunk is missing, and `whole` if only zarrita can read it. */
export async function readPart(
  reading: Reading,
  nchunk: number,
  position: number[],
): Promise<Box | 'whole' | undefined> {
  const { array, storing, options } = reading
  if (!storing.blosc) return 'whole'
  const place = await storing.find(position, options)
  if (!place) return undefined
  const segments =
    (array.store.getRange && (await readBlocks(reading, nchunk, place))) ?? (await readAll(reading, place))
  return segments.length ? decode(reading, nchunk, segments) : undefined
}

/** Bytes of a chunk. */
interface Segment {
  readonly start: number
  readonly bytes: Uint8Array
}

/** Reads the needed blocks: none if the chunk is missing; `undefined` if the store cannot tell where the chunk ends. */
async function readBlocks(reading: Reading, nchunk: number, place: Place): Promise<Segment[] | undefined> {
  const { array, options, engine, cut, indices } = reading
  const { key, start: base, end = Infinity } = place
  let isPadded = false
  const read = async (start: number, stop: number): Promise<Uint8Array | undefined> => {
    const length = Math.min(stop, end - base) - start
    if (length <= 0) return new Uint8Array()
    const bytes = await array.store.getRange!(key, { offset: base + start, length }, options)
    // A server that knows no ranges sends the whole file.
    if (bytes && bytes.length > length) return notRanged(start, end, bytes)
    isPadded ||= end === Infinity && !!bytes?.length && bytes.subarray(-PADDING_BYTES).every(byte => byte === 0)
    return bytes
  }
  const head = await read(0, HEAD_BYTES)
  if (!head) return []
  if (isPadded) return undefined
  const section = cutOf(cut)
  const heads: Uint8Array[] = []
  const requests = await drive(
    answers => engine.ask(NO_FRAME, 'zarr_requests', [section, indices, head, ...answers], numbersOf, nchunk),
    async needs =>
      Promise.all(needs.map(async ({ start, end: stop }) => (await read(start, stop)) ?? new Uint8Array())),
    heads,
  )
  const turns = createLimit(REQUESTS)
  const one = async ([start, stop]: [number, number]) => ({
    start,
    bytes: (await read(start, stop)) ?? new Uint8Array(),
  })
  const blocks = await Promise.all(pairs(requests).map(range => turns(() => one(range))))
  return isPadded ? undefined : continued(heads[0] ?? head, blocks)
}

/** The segments of a chunk. What continues the head is joined to it: a block may begin in one and end in the other. */
function continued(head: Uint8Array, [first, ...others]: readonly Segment[]): Segment[] {
  if (!first) return [{ start: 0, bytes: head }]
  if (first.start !== head.length) return [{ start: 0, bytes: head }, first, ...others]
  return [{ start: 0, bytes: joined([head, first.bytes], Uint8Array) }, ...others]
}

/** Some stores, such as `FileSystemStore`, add zeros to what a file has less than they are asked for. No chunk ends with so many. */
const PADDING_BYTES = 16

/** The bytes of a whole file, in the answer to the first request for a range. */
function notRanged(start: number, end: number, bytes: Uint8Array): Uint8Array {
  if (start === 0 && end === Infinity) return bytes
  throw new B2ndError('not-ranged', 'the store sends more bytes than it is asked for')
}

/** Reads the bytes of the whole chunk; nothing if it is missing. */
async function readAll({ array, options }: Reading, { key, start, end }: Place): Promise<Segment[]> {
  const bytes =
    end === undefined
      ? await array.store.get(key, options)
      : await array.store.getRange!(key, { offset: start, length: end - start }, options)
  return bytes ? [{ start: 0, bytes }] : []
}

async function decode(reading: Reading, nchunk: number, segments: readonly Segment[]): Promise<Box> {
  const { pool, cut, indices, unit, options } = reading
  const starts = Float64Array.from(segments, ({ start }) => start)
  const input = [cutOf(cut), indices, starts, ...segments.map(({ bytes }) => bytes)]
  const job = { call: 'zarr_part', numbers: [nchunk, unit], input }
  return firstBox(await decodeBy(pool, job, options.signal))
}
