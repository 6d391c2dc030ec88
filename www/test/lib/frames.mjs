// Writes extreme frames: with very many chunks, or very large metadata.

const u16 = number => [0xcd, number >> 8, number & 255]
const i32 = (number, marker = 0xd2) => [marker, number >>> 24, (number >> 16) & 255, (number >> 8) & 255, number & 255]
const i64 = (number, marker = 0xd3) => [
  marker,
  ...i32(Math.floor(number / 2 ** 32)).slice(1),
  ...i32(number | 0).slice(1),
]
const text = string => [...Buffer.from(string)]

/** A chunk that holds `bytes` as they are, of items of 8 bytes. */
function stored(bytes) {
  const chunk = new Uint8Array(32 + bytes.length)
  const view = new DataView(chunk.buffer)
  chunk.set([5, 1, 7, 8])
  view.setInt32(4, bytes.length, true)
  view.setInt32(8, Math.max(bytes.length, 8), true)
  view.setInt32(12, chunk.length, true)
  chunk.set(bytes, 32)
  return chunk
}

/** Metalayers as header and trailer list them: a length, names with the offsets of their contents, the contents. */
function listed(metalayers, from, lengthFrom) {
  const names = Object.keys(metalayers)
  const map = 3 + names.reduce((sum, name) => sum + 6 + name.length, 0)
  let offset = from + 4 + map + 3
  const entries = names.flatMap(name => {
    const entry = [0xa0 | name.length, ...text(name), ...i32(offset)]
    offset += 5 + metalayers[name].length
    return entry
  })
  const head = [0x93, ...u16(lengthFrom + map), 0xde, 0, names.length, ...entries, 0xdc, 0, names.length]
  return Buffer.concat([
    Uint8Array.from(head),
    ...names.flatMap(name => [Uint8Array.from(i32(metalayers[name].length, 0xc6)), metalayers[name]]),
  ])
}

/**
 * A source with the frame of a super-chunk. Its chunks have 8 bytes each; `entries`, a `BigInt64Array`, is the index.
 * `meta` and `vlmeta` have contents of metalayers by their names. Where the chunks should be there are zeros.
 */
export function frameSource({ entries = new BigInt64Array(), meta = {}, vlmeta = {} }) {
  const nchunks = entries.length
  const cbytes = 40 * nchunks
  const index = stored(new Uint8Array(entries.buffer))
  const contents = Object.fromEntries(Object.entries(vlmeta).map(([name, bytes]) => [name, stored(bytes)]))
  const list = listed(contents, 2, 3)
  const trailer = Buffer.concat([
    Uint8Array.from([0x94, 1]),
    list,
    Uint8Array.from([...i32(2 + list.length + 23, 0xce), 0xd8, ...new Uint8Array(17)]),
  ])
  const layers = listed(meta, 87, 4)
  const length = 87 + layers.length
  const total = length + cbytes + index.length + trailer.length
  const fields = [
    [0x9e, 0xa8, ...text('b2frame\0')],
    i32(length),
    i64(total, 0xcf),
    [0xa4, 0x12, 0, 0x51, 3],
    i64(8 * nchunks),
    i64(cbytes),
    i32(8),
    i32(8),
    i32(8),
    [0xd1, 0, 1, 0xd1, 0, 1],
    [Object.keys(vlmeta).length ? 0xc3 : 0xc2, 0xd8, 6, ...new Uint8Array(16)],
  ]
  const parts = [
    { at: 0, bytes: Buffer.concat([Uint8Array.from(fields.flat()), layers]) },
    { at: length + cbytes, bytes: index },
    { at: total - trailer.length, bytes: trailer },
  ]
  return {
    read: (offset, count) => {
      const result = new Uint8Array(Math.max(0, Math.min(count, total - offset)))
      for (const { at, bytes } of parts) {
        const some = bytes.subarray(Math.max(0, offset - at), Math.max(0, offset + result.length - at))
        if (some.length) result.set(some, Math.max(0, at - offset))
      }
      return Promise.resolve(result)
    },
  }
}
