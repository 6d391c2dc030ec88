// Decompression that stops where no more bytes are wanted: what follows is neither decoded nor kept.
import { bytesOf } from './npy.js'

/** Bytes to read at a time, and to decompress at a time: one may become a thousand. */
const [READ, PIECE] = [2 ** 20, 2 ** 13]

async function* piecesOf(stored: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let start = 0; start < stored.size; start += READ) {
    const bytes = await bytesOf(stored, start, start + READ)
    for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
  }
}

/** The first `most` bytes of a compressed stream, in parts. Throws what the browser throws if the stream is damaged before. */
export async function* inflated(
  stored: Blob,
  format: CompressionFormat,
  most: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const pieces = piecesOf(stored)
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const next = await pieces.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
    },
    { highWaterMark: 0 },
  )
  const reader = source.pipeThrough(new DecompressionStream(format)).getReader()
  try {
    for (let left = most; left > 0;) {
      const { value, done } = await reader.read()
      if (done) return
      yield value.subarray(0, left)
      left -= value.length
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

/** Inflates in one piece; shorter if the stream ends before. */
export async function inflatedBytes(
  stored: Blob,
  format: CompressionFormat,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const part of inflated(stored, format, most)) parts.push(part)
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}
