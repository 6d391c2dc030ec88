import { linked } from './abort.js'
import { quiet } from './cache.js'
import type { Box } from './job.js'
import { copyOf, grouped } from './lists.js'
import { readChunks, shareOf, type Reading } from './reading.js'

/** Results are held up to about this many bytes: what is being used, and as much again that comes next. */
const GROUP = 2 ** 24

/** A box of a result, with bytes of its own. */
type Part = Box & { bytes: Uint8Array<ArrayBuffer> }

/** Reads chunks in order. The next ones come while the last are in use. */
export async function* partsOf(reading: Reading): AsyncGenerator<Part, void, undefined> {
  const { abort, leave } = linked(reading.signal)
  const { signal } = abort
  const groups = grouped(reading.chunks, GROUP, chunk => chunk.nbytes * shareOf(chunk))
  const read = () => {
    const chunks = groups.shift()
    return chunks && quiet(readGroup({ ...reading, signal, chunks }))
  }
  try {
    for (let next = read(); next; ) {
      const parts = await next
      next = read()
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

async function readGroup(reading: Reading): Promise<Part[]> {
  const parts: Part[] = []
  await readChunks(reading, (box, k) => {
    const { bytes } = box
    const own = bytes.length === bytes.buffer.byteLength ? bytes as Uint8Array<ArrayBuffer> : copyOf(bytes)
    parts[k] = { ...box, bytes: own }
  })
  return parts
}
