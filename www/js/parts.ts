import { onAbort } from './abort.js'
import type { Touched } from './job.js'
import { grouped } from './lists.js'
import { copyOf } from './memory.js'
import { readChunks, type Reading } from './reading.js'

/** Results are held up to about this many bytes: what is being used, and as much again that comes next. */
const GROUP = 2 ** 24

/** A box of a result, with bytes of its own. */
interface Part {
  start: number[]
  count: number[]
  bytes: Uint8Array<ArrayBuffer>
}

/** Reads chunks in order. The next ones come while the last are in use. */
export async function* partsOf(reading: Reading, chunks: readonly Touched[]): AsyncGenerator<Part, void, undefined> {
  const abort = new AbortController()
  const leave = onAbort(reading.signal, () => abort.abort(reading.signal!.reason))
  const inner = { ...reading, signal: abort.signal }
  try {
    reading.signal?.throwIfAborted()
    const groups = grouped(chunks, GROUP, wantedOf)
    let next = groups.length ? read(inner, groups[0]!) : undefined
    for (let k = 1; next; k++) {
      const parts: Part[] = await next
      next = k < groups.length ? read(inner, groups[k]!) : undefined
      // Failures are met when they are awaited, if that comes to pass.
      next?.catch(() => {})
      for (const part of parts) {
        yield part
        reading.signal?.throwIfAborted()
      }
    }
  } finally {
    leave()
    abort.abort()
  }
}

async function read(reading: Reading, chunks: readonly Touched[]): Promise<Part[]> {
  const parts = new Map<Touched, Part>()
  await readChunks(reading, chunks, ({ start, count, bytes }, touched, owned) => {
    parts.set(touched, { start, count, bytes: owned ? bytes as Uint8Array<ArrayBuffer> : copyOf(bytes) })
  })
  return chunks.flatMap(chunk => parts.get(chunk) ?? [])
}

/** Bytes of what is wanted of a chunk. */
const wantedOf = ({ nbytes, wanted, blocks }: Touched): number => nbytes * (blocks ? Math.min(wanted / blocks, 1) : 1)
