/** The bytes that something has. They are not copied. */
export const viewOf = (bytes: ArrayBufferView | ArrayBufferLike): Uint8Array<ArrayBuffer> =>
  ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes as ArrayBuffer)

/** The bytes that a value has, if it has any. They are not copied. */
export function bytesIn(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  // Pages that are not isolated do not have the buffers of shared memory.
  const Shared = globalThis.SharedArrayBuffer ?? ArrayBuffer
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Shared
    ? viewOf(value)
    : undefined
}

/** Bytes in memory of their own. Unlike `slice` this does not fill it with zeros first, which takes as long as to decode. */
export const copyOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

const UTF8 = new TextDecoder()
export const textOf = (bytes: Uint8Array): string => UTF8.decode(bytes)

/** All pieces in one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
