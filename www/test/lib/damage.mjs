// Damages files, in the same ways as tests/common/damage.rs.

/** At the start of a file, where a frame's header, its metalayers and a chunk's header are. */
const HEADERS = 192
/** At the end of a file, where a frame's trailer is. */
const TRAILER = 128
/** Between them a file is cut at every so many bytes: in turn at each place of a word. */
const STRIDE = 7
/** The values that a length is least likely to have. A file takes two of them for a byte, the next file the others. */
const EXTREMES = [
  [0, 0x7f],
  [0x80, 0xff],
]

/** Cut anywhere in headers and trailers, and at a sample of places between them. */
export function* cut(bytes) {
  const headers = headersOf(bytes)
  for (let length = bytes.length - 1; length >= 0; length--) {
    if (length < headers || length + TRAILER >= bytes.length || length % STRIDE === 0) yield bytes.subarray(0, length)
  }
}

/** Bytes of a frame's header and of the header of a chunk after it, or of a chunk's own. */
function headersOf(bytes) {
  const frame = new TextDecoder('latin1').decode(bytes.subarray(2, 9)) === 'b2frame'
  const { buffer, byteOffset } = bytes
  return Math.max(HEADERS, frame ? new DataView(buffer, byteOffset).getUint32(11) + 32 : 0)
}

/** `count` flipped bits, half of them where the headers are: always the same ones. */
export function* flip(bytes, count) {
  let seed = 1
  const below = limit => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * limit)
  }
  for (let k = 0; k < count; k++) {
    const at = below(k % 2 ? bytes.length : Math.min(HEADERS, bytes.length))
    yield changed(bytes, at, bytes[at] ^ (1 << below(8)))
  }
}

/** Bytes of headers at their extremes, of which each file takes half: `number` is the file's. */
export function* exaggerate(bytes, number, headers = HEADERS) {
  for (let at = 0; at < Math.min(headers, bytes.length); at++) {
    for (const value of EXTREMES[(number + at) % 2]) yield changed(bytes, at, value)
  }
}

function changed(bytes, at, value) {
  const copy = new Uint8Array(bytes)
  copy[at] = value
  return copy
}
