// What data were in the file, for their digests.

/** The bytes that `data` of a type were, in the file's order; null where data no longer tell. */
export function bytesOf(data, type) {
  if (Array.isArray(data)) return null
  if (!ArrayBuffer.isView(data)) return data.bytes ?? null
  // Items that came as other numbers than the file has.
  if (type?.kind === 'float' && type.size === 2 && data.BYTES_PER_ELEMENT !== 2) return null
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
  const item = innermost(type)
  if (item?.order === '>' && data.BYTES_PER_ELEMENT > 1) {
    for (let at = 0; at < bytes.length; at += data.BYTES_PER_ELEMENT) bytes.subarray(at, at + data.BYTES_PER_ELEMENT).reverse()
  }
  return bytes
}

const innermost = type => (type?.kind === 'subarray' ? innermost(type.item) : type)
