// Converts data back to the bytes of the file, for digests. Runs in browsers, too.

/** The bytes of items of `type` as they are stored. */
export function bytesOf(type, data) {
  const item = base(type)
  if (item?.kind === 'struct') return data.bytes
  if (item?.kind === 'bytes') return strings(data, item, latin1)
  if (item?.kind === 'str') return strings(data, item, utf32)
  // Where float16 comes as it is, it is bytes like others.
  const widened = item?.kind === 'float' && item.size === 2 && data instanceof Float32Array
  const array = widened ? Uint16Array.from(data, half) : data
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength).slice()
  return item?.order === '>' ? swapped(bytes, array.BYTES_PER_ELEMENT) : bytes
}

/** All pieces in one. */
export function concat(pieces) {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

const base = type => (type?.kind === 'subarray' ? base(type.item) : type)

function strings(texts, { size, order }, encode) {
  const bytes = new Uint8Array(texts.length * size)
  texts.forEach((text, at) => bytes.set(encode(text, order), at * size))
  return bytes
}

const latin1 = text => Uint8Array.from(text, char => char.charCodeAt(0))

function utf32(text, order) {
  const points = Array.from(text, char => char.codePointAt(0))
  const view = new DataView(new ArrayBuffer(4 * points.length))
  points.forEach((point, at) => view.setUint32(4 * at, point, order !== '>'))
  return new Uint8Array(view.buffer)
}

function swapped(bytes, size) {
  for (let at = 0; at < bytes.length && size > 1; at += size) bytes.subarray(at, at + size).reverse()
  return bytes
}

/** The bits of a value that a float16 has. */
function half(value) {
  const negative = value < 0 || Object.is(value, -0) ? 0x8000 : 0
  const size = Math.abs(value)
  if (Number.isNaN(size)) return 0x7e00
  if (size === Infinity) return negative | 0x7c00
  const exponent = Math.max(-14, Math.floor(Math.log2(size)))
  if (size < 2 ** -14) return negative | (size * 2 ** 24)
  return negative | (((exponent + 15) << 10) + (size / 2 ** exponent - 1) * 1024)
}
