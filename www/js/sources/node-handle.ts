/** The part of Node.js's `FileHandle` that is used. */
export interface ReadableHandle {
  read(
    buffer: Uint8Array<ArrayBuffer>,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>
  stat(): Promise<{ size: number; dev?: number; ino?: number }>
}

/** Bytes that are allocated without a look at the size of the file. */
const TRUSTED = 2 ** 16

/** Reads bytes of a file in Node.js; fewer at its end. */
export async function readHandle(
  handle: ReadableHandle,
  offset: number,
  length: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  signal?.throwIfAborted()
  // Bounded by the file size: a damaged file may claim more.
  const most = length > TRUSTED ? (await handle.stat()).size - offset : length
  const bytes = new Uint8Array(Math.max(0, Math.min(length, most)))
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, offset + filled)
    signal?.throwIfAborted()
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
