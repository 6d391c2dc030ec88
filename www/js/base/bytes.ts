import { argument } from './errors.js'

/** The bytes of a view or buffer, without a copy. Fails as `argument` if they were transferred elsewhere. */
export function viewOf(bytes: ArrayBufferView | ArrayBufferLike): Uint8Array<ArrayBuffer> {
  try {
    return ArrayBuffer.isView(bytes)
      ? new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
      : new Uint8Array(bytes as ArrayBuffer)
  } catch {
    throw argument('the buffer is detached: it was transferred')
  }
}

/** The bytes of a value, if it is a view or buffer, without a copy. */
export function bytesIn(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  // Pages that are not cross-origin isolated have no SharedArrayBuffer.
  const Shared = globalThis.SharedArrayBuffer ?? ArrayBuffer
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Shared
    ? viewOf(value)
    : undefined
}

/** A copy of bytes. Unlike `slice`, this does not zero the memory first, which would take as long as decoding. */
export const copyOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

const DECODER = new TextDecoder()
export const textOf = (bytes: Uint8Array): string => DECODER.decode(bytes)
const ENCODER = /* @__PURE__ */ new TextEncoder()
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => ENCODER.encode(text)

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
