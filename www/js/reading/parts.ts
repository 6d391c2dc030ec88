import { linked } from '../base/abort.js'
import { copyOf } from '../base/bytes.js'
import { BYTES, TOUCHED, type Box } from '../engine/protocol.js'
import { markHandled } from './cache.js'
import { grouped } from './grouped.js'
import { readChunks } from './read-chunks.js'
import { CHUNKS, touchedBy, type Reading } from './waves.js'

/** Bytes of results per group. Two groups are in memory: one in use and the next. */
const GROUP = 2 ** 24

/** A box of a result that owns its bytes. */
type Part = Box & { bytes: Uint8Array<ArrayBuffer> }

/** Reads chunks in order, one group ahead. */
export async function* partsOf(outer: Reading): AsyncGenerator<Part, void, undefined> {
  const { abort, leave } = linked(outer.signal)
  const { signal } = abort
  const reading = { ...outer, signal }
  const groups = grouped(touchedBy(reading), TOUCHED, (rows, at) => Math.max(rows[at + BYTES]! / GROUP, 1 / CHUNKS))
  const read = async () => {
    const { value } = await groups.next()
    if (!value) return undefined
    const parts: Part[] = []
    const use = ({ start, count, bytes }: Box, k: number) => {
      const own = bytes.length === bytes.buffer.byteLength ? (bytes as Uint8Array<ArrayBuffer>) : copyOf(bytes)
      parts[k] = { start, count, bytes: own }
    }
    await readChunks({ ...reading, use }, [value])
    return parts
  }
  try {
    for (let next = markHandled(read()), parts; (parts = await next);) {
      next = markHandled(read())
      for (const part of parts) {
        yield part
        signal.throwIfAborted()
      }
    }
  } finally {
    leave()
    abort.abort()
  }
}
