// The way back from data to the bytes that a file has of them: what digests are of.

/** The bytes of items of `type` as they are stored. */
export function bytesOf(type, data) {
  const item = base(type)
  if (item?.kind === 'struct') return data.bytes
  if (item?.kind === 'bytes') return Buffer.concat(data.map(text => pad(Buffer.from(text, 'latin1'), item.size)))
  if (item?.kind === 'str') return Buffer.concat(data.map(text => pad(utf32(text, item.order), item.size)))
  const array = item?.kind === 'float' && item.size === 2 ? Uint16Array.from(data, half) : data
  const bytes = Buffer.from(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  return item?.order === '>' ? swapped(bytes, array.BYTES_PER_ELEMENT) : bytes
}

const base = type => (type?.kind === 'subarray' ? base(type.item) : type)
const pad = (bytes, size) => Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])

function utf32(text, order) {
  const points = Array.from(text, char => char.codePointAt(0))
  const bytes = Buffer.alloc(4 * points.length)
  points.forEach((point, at) => (order === '>' ? bytes.writeUInt32BE(point, 4 * at) : bytes.writeUInt32LE(point, 4 * at)))
  return bytes
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
