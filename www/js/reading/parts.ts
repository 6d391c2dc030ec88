import { linked } from '../base/abort.js'
import { copyOf } from '../base/bytes.js'
import type { Box } from '../engine/protocol.js'
import { markHandled } from './cache.js'
import { readWave } from './read-chunks.js'
import { shareOf, waves, type Reading } from './waves.js'

/** Bytes of the result that are read at a time. Twice as many are in memory: those in use and the next ones. */
const PARTS_BYTES = 2 ** 24

/** A box of a result that owns its bytes. */
type Part = Box & { bytes: Uint8Array<ArrayBuffer> }

/** Reads chunks in order, one wave ahead. */
export async function* partsOf(outer: Reading): AsyncGenerator<Part, void, undefined> {
  const { abort, leave } = linked(outer.signal)
  const { signal } = abort
  let parts: Part[]
  const use = ({ start, count, bytes }: Box, k: number) => {
    const own = bytes.length === bytes.buffer.byteLength ? (bytes as Uint8Array<ArrayBuffer>) : copyOf(bytes)
    parts[k] = { start, count, bytes: own }
  }
  const groups = waves([{ ...outer, signal, use }], batch => Math.max(shareOf(batch), batch.bytes / PARTS_BYTES))
  const read = async () => {
    const { value } = await groups.next()
    if (!value) return undefined
    const all = (parts = [])
    await readWave(value)
    // In their order: the numbers of the chunks are keys.
    return Object.values<Part>(all)
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
