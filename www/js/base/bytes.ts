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

/** Concatenates arrays of a type. A single array is not copied. */
export function joined<T extends Uint8Array | Float64Array>(pieces: readonly T[], type: new (length: number) => T): T {
  if (pieces.length === 1) return pieces[0]!
  const whole = new type(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
