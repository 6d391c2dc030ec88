// Texts as one array of bytes. In a file of its own, because what a page loads first does not need it.

const ENCODER = /* @__PURE__ */ new TextEncoder()

/** Texts one behind the other as UTF-8, and the length of each in bytes. */
export function joinedTexts(texts: readonly string[]): { bytes: Uint8Array<ArrayBuffer>; lengths: Float64Array } {
  // A unit of a text takes at most three bytes.
  const bytes = new Uint8Array(3 * texts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  const lengths = Float64Array.from(texts, text => {
    const { written } = ENCODER.encodeInto(text, bytes.subarray(at))
    at += written
    return written
  })
  return { bytes: bytes.subarray(0, at), lengths }
}
