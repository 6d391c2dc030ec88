// Arrays with random parameters. Runs in browsers, too.

/** Random numbers from a seed. */
export function randomOf(seed) {
  let state = seed
  /** A number from 0 up to but excluding `end`. */
  const below = end => {
    state = (state + 0x6d2b79f5) | 0
    let x = Math.imul(state ^ (state >>> 15), 1 | state)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return Math.floor((((x ^ (x >>> 14)) >>> 0) / 2 ** 32) * end)
  }
  return { below, pick: list => list[below(list.length)] }
}

const STRUCT = "[('a', '<i4'), ('b', '<f8'), ('c', '|S3')]"
/** Dtypes with the size of an item. */
const DTYPES = [
  ['|u1', 1],
  ['|i1', 1],
  ['|b1', 1],
  ['<i2', 2],
  ['<f2', 2],
  ['<u4', 4],
  ['<f4', 4],
  ['>i4', 4],
  ['<f8', 8],
  ['<i8', 8],
  ['>u8', 8],
  ['<c8', 8],
  ['<c16', 16],
  ['<M8[ns]', 8],
  ['<m8[s]', 8],
  ['|S5', 5],
  ['<U3', 12],
  ['|V7', 7],
  [STRUCT, 15],
]
/** Filters with their ids. */
const FILTERS = [
  [[], []],
  [['shuffle'], [1]],
  [['shuffle'], [1]],
  [['bitshuffle'], [2]],
  [
    ['delta', 'shuffle'],
    [3, 1],
  ],
]
const CODECS = ['blosclz', 'lz4', 'lz4hc', 'zlib', 'zstd']
const SPLIT_MODES = ['auto', 'always', 'never', 'forward_compat']
const MOST = [1, 2000, 50, 14, 7, 5]

/** An array: its options, and the bytes of its items. */
export function randomArray(seed) {
  const random = randomOf(seed)
  const { below, pick } = random
  const ndim = pick([0, 1, 1, 2, 2, 2, 3, 3, 4, 5])
  const lengths = length => Array.from({ length: ndim }, (_, axis) => length(axis))
  const shape = lengths(() => (below(40) ? 1 + below(MOST[ndim]) : 0))
  const chunks = lengths(axis => 1 + below(Math.max(1, shape[axis])))
  const blocks = lengths(axis => 1 + below(chunks[axis]))
  const [dtype, itemsize] = pick(DTYPES)
  const [filters, ids] = pick(FILTERS)
  const options = {
    shape,
    dtype,
    chunks,
    blocks,
    codec: pick(CODECS),
    clevel: pick([0, 1, 3, 5, 9, 10]),
    filters,
    splitMode: pick(SPLIT_MODES),
    caterva: below(12) === 0,
    metalayers: below(3) ? {} : { m0: below(1000), m1: { k: [1, -2.5, 'x', null] } },
    attrs: below(3) ? {} : { units: 'K', long: 'y'.repeat(below(300)) },
  }
  const count = shape.reduce((product, length) => product * length, 1)
  return { options, itemsize, ids, items: itemsOf(random, count, dtype, itemsize) }
}

/** The bytes of items of several kinds, among them runs and zeros. */
function itemsOf({ below }, count, dtype, itemsize) {
  const kind = below(5)
  const bytes = new Uint8Array(count * itemsize)
  let walk = 1000
  for (let n = 0; n < count; n++) {
    walk += below(5) - 2
    let value = [n, below(2 ** 32), walk, Math.floor(n / 40) % 3, 0][kind]
    for (let k = 0; k < itemsize; k++) {
      bytes[n * itemsize + k] =
        dtype === '|b1' ? value & 1 : dtype.includes('U') ? (k % 4 ? 0 : 97 + (value % 26)) : value
      if (k % 8 < 7) value = Math.floor(value / 256)
    }
  }
  return bytes
}
