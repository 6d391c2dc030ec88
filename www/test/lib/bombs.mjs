// Small files of other formats that claim or become much, and what is said of each.
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

const concat = (...parts) =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
const u32 = (...values) => Buffer.concat(values.map(value => Buffer.from(Uint32Array.of(value).buffer)))
const u16 = (...values) => Buffer.from(Uint16Array.from(values).buffer)
const big32 = value => u32(value).toReversed()
/** So many zeros, deflated: a thousandth. */
const zeros = (count, raw = false) => (raw ? deflateRawSync : deflateSync)(Buffer.alloc(count), { level: 9 })

const chunk = (name, data) => concat(big32(data.length), name, data, big32(crc(concat(name, data))))

function crc(bytes) {
  if (crc32) return crc32(bytes)
  let value = -1
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (0xedb88320 & -(value & 1))
  }
  return (value ^ -1) >>> 0
}

function png({ width, height, depth = 8, kind = 0, interlace = 0 }, stream, ...others) {
  const header = concat(big32(width), big32(height), Buffer.from([depth, kind, 0, 0, interlace]))
  return concat(
    '\x89PNG\r\n\x1a\n',
    chunk('IHDR', header),
    ...others,
    chunk('IDAT', stream),
    chunk('IEND', Buffer.alloc(0)),
  )
}

/** A TIFF with one directory: tags are [tag, type, values], or [tag, type, [count, offset]] with `true`. */
function tiff(tags, data = Buffer.alloc(0)) {
  const entries = [...tags].sort(([a], [b]) => a - b)
  let end = 8 + 6 + 12 * entries.length
  const parts = []
  const rows = entries.map(([tag, type, values, isClaimed]) => {
    if (isClaimed) return concat(u16(tag, type), u32(...values))
    const bytes = type === 3 ? u16(...values) : u32(...values)
    if (bytes.length <= 4) return concat(u16(tag, type), u32(values.length), bytes, Buffer.alloc(4 - bytes.length))
    parts.push(bytes)
    end += bytes.length
    return concat(u16(tag, type), u32(values.length), u32(end - bytes.length))
  })
  return concat('II*\0', u32(8), u16(entries.length), ...rows, u32(0), ...parts, data)
}

/** Tags of an image of bytes, in strips. */
const grey = (width, height, { rows = height, compression = 8, strips = [[0, 0]] } = {}) => [
  [256, 4, [width]],
  [257, 4, [height]],
  [258, 3, [8]],
  [259, 3, [compression]],
  [262, 3, [1]],
  [273, 4, strips.map(([start]) => start)],
  [277, 3, [1]],
  [278, 4, [rows]],
  [279, 4, strips.map(([, length]) => length)],
]

/** The same with strips that are all the same bytes, behind the directory. */
function shared(count, width, height, data, options = {}) {
  const place = strips => grey(width, height, { ...options, strips })
  const start = tiff(place(Array.from({ length: count }, () => [0, 0]))).length
  return tiff(place(Array.from({ length: count }, () => [start, data.length])), data)
}

function npy(descr, shape, items = Buffer.alloc(0)) {
  const text = `{'descr': ${descr}, 'fortran_order': False, 'shape': ${shape}, }\n`
  return concat('\x93NUMPY\x02\0', u32(text.length), text, items)
}

/** An archive of members: [name, stored bytes, their length as it claims to be, method]. */
function npz(members) {
  const [parts, directory] = [[], []]
  let at = 0
  for (const [name, data, plain, method = 8] of members) {
    const common = concat(u16(20, 0, method, 0, 0), u32(0, data.length, plain), u16(name.length, 0))
    parts.push(concat('PK\x03\x04', common, name, data))
    directory.push(concat('PK\x01\x02', u16(20), common, u16(0, 0, 0), u32(0, at), name))
    at += parts.at(-1).length
  }
  const list = concat(...directory)
  const count = Math.min(members.length, 65535)
  return concat(...parts, list, 'PK\x05\x06', u16(0, 0, count, count), u32(list.length, at), u16(0))
}

const webp = concat('RIFF', u32(30), 'WEBPVP8L', u32(18), '\x2f', u32(16383 | (16383 << 14)), Buffer.alloc(13))
const jpeg = concat('\xff\xd8\xff\xc0\0\x0b\x08\xff\xff\xff\xff\x01\x01\x11\0', Buffer.alloc(64))
const gif = concat('GIF89a', u16(65535, 65535), '\0\0\0', Buffer.alloc(40))

/** Files by their names, with a pattern of what is said. */
export const BOMBS = {
  'large.png': [png({ width: 100_000, height: 100_000 }, zeros(1000)), /large\.png: .*100000 × 100000 pixels/],
  'wide.png': [png({ width: 11_000, height: 11_000 }, zeros(1000)), /wide\.png: .*11000 × 11000.*cannot have/],
  'early.png': [
    png({ width: 8000, height: 8000 }, zeros(1000)),
    /early\.png: PNG: the pixels end after 1000 of 64008000 bytes/,
  ],
  'long.png': [png({ width: 1, height: 1 }, zeros(9e6)), /long\.png: PNG: there are more pixels than 1 × 1/],
  'longer.png': [png({ width: 1, height: 1 }, zeros(2 ** 29)), /longer\.png: PNG: there are more pixels than 1 × 1/],
  'bits.png': [
    png({ width: 24_000, height: 3000, depth: 1, kind: 3 }, zeros(3001 * 3000), chunk('PLTE', Buffer.alloc(6))),
    /bits\.png: .*cannot have/,
  ],
  'chunk.png': [
    concat(png({ width: 1, height: 1 }, zeros(2)).subarray(0, 33), big32(2 ** 31), 'IDATxx'),
    /chunk\.png: PNG: the file ends at byte 43/,
  ],
  'huge.tif': [tiff(grey(2 ** 31, 2 ** 31, { strips: [[8, 8]] })), /huge\.tif: .*2147483648 × 2147483648/],
  'counts.tif': [
    tiff([...grey(10, 10).filter(([tag]) => tag !== 273), [273, 4, [2 ** 32 - 1, 8], true]]),
    /counts\.tif: TIFF: page 0: 4294967295 values of tag 273/,
  ],
  'beyond.tif': [
    tiff(grey(10, 10, { strips: [[2 ** 32 - 9, 8]] })),
    /beyond\.tif: TIFF: strip 0 is at byte 4294967287/,
  ],
  'far.tif': [concat('II*\0', u32(2 ** 32 - 2), Buffer.alloc(8)), /far\.tif: TIFF: page 0 is at byte 4294967294/],
  'inflates.tif': [shared(900, 10, 900, zeros(2e6), { rows: 1 }), null],
  'overlap.tif': [shared(500, 20_000, 20_000, zeros(4e6), { rows: 40 }), /overlap\.tif: .*cannot have/],
  'lzw.tif': [shared(400, 10, 400, lzwOf(3000), { rows: 1, compression: 5 }), null],
  'tiles.tif': [
    tiff([
      ...grey(8000, 8000).filter(([tag]) => ![273, 278, 279].includes(tag)),
      [322, 4, [1]],
      [323, 4, [1]],
      [324, 4, [8]],
      [325, 4, [8]],
    ]),
    /tiles\.tif: TIFF: 64000000 tiles, and the places of 1/,
  ],
  'tile.tif': [
    tiff([
      ...grey(1, 1).filter(([tag]) => ![273, 278, 279].includes(tag)),
      [322, 4, [65536]],
      [323, 4, [65536]],
      [324, 4, [8]],
      [325, 4, [8]],
    ]),
    /tile\.tif: TIFF: tiles of 65536 × 65536 pixels in an image of 1 × 1/,
  ],
  'frame.tif': [shared(1, 8, 8, jpeg, { compression: 7 }), /frame\.tif: TIFF: tile 0 is an image of 65535 × 65535/],
  'claims.webp': [webp, /claims\.webp: .*16384 × 16384/],
  'claims.jpg': [jpeg, /claims\.jpg: .*65535 × 65535/],
  'claims.gif': [gif, /claims\.gif: .*65535 × 65535/],
  'many.npy': [npy("'|u1'", `(${2 ** 40}, ${2 ** 20})`), /many\.npy: /],
  'more.npy': [npy("'<f8'", `(${2n ** 60n},)`), /more\.npy: \.npy: an axis of 1152921504606847000 items/],
  'deep.npy': [
    npy(`${"[('a', ".repeat(1000)}'<f8'${')]'.repeat(1000)}`, '(1,)', Buffer.alloc(8)),
    /deep\.npy: nested 33 levels deep/,
  ],
  'dims.npy': [npy("'|u1'", `(${'1, '.repeat(3000)})`, Buffer.alloc(1)), /dims\.npy: \.npy: 3000 axes/],
  'wide.npy': [npy(`'|V${2 ** 31}'`, '(1,)'), /wide\.npy: /],
  'header.npy': [concat('\x93NUMPY\x02\0', u32(2 ** 32 - 1), '{'), /header\.npy: /],
  'bomb.npz': [
    npz([['a.npy', zeros(2 ** 23, true), 2 ** 32 - 2]]),
    /bomb\.npz\/a: \.npy: the file does not begin like one/,
  ],
  'claims.npz': [
    npz([['a.npy', deflateRawSync(npy("'|u1'", `(${2 ** 30 - 1},)`)), 100]]),
    /claims\.npz\/a: the file ends early: 1073741823 bytes/,
  ],
  'rest.npz': [
    npz([['a.npy', deflateRawSync(concat(npy("'|u1'", '(3,)', Buffer.from([1, 2, 3])), Buffer.alloc(9e6))), 9e6]]),
    null,
  ],
  'deep.npz': [npz([[`${'a/'.repeat(490)}a.npy`, deflateRawSync(npy("'|u1'", '(3,)', Buffer.alloc(3))), 9]]), null],
  'names.csv': [Buffer.from(`${'a,'.repeat(2400)}a\n${'1,'.repeat(2400)}b\n`), null],
  'commas.csv': [Buffer.from(','.repeat(9999)), null],
  'quotes.csv': [Buffer.from(`a\n"${'""'.repeat(4500)}`), null],
  'row.csv': [Buffer.from(`${'x'.repeat(5000)}\n${'y\n'.repeat(2490)}`), null],
}

/** LZW of a long run: each code is the text before and one more. */
function lzwOf(codes) {
  let [bits, width, next] = ['100000000000000000', 9, 258]
  for (let k = 0; k < codes; k++) {
    if (next >= 4094) {
      bits += (256).toString(2).padStart(width, '0') + '000000000'
      ;[width, next] = [9, 258]
    }
    bits += next.toString(2).padStart(width, '0')
    next++
    if (next + 1 >= 2 ** width && width < 12) width++
  }
  bits += (257).toString(2).padStart(width, '0')
  return Buffer.from(bits.match(/.{1,8}/g).map(byte => parseInt(byte.padEnd(8, '0'), 2)))
}
