// Changes files as a fuzzer does, from a seed, in the same ways as tests/common/mutation.rs.

/** The most bytes of a file that is changed. */
export const MOST = 10_000

/** Random numbers that are the same everywhere. */
export class Random {
  #state

  constructor(seed) {
    this.#state = seed >>> 0
  }

  below(bound) {
    // Mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound)
  }

  pick(list) {
    return list[this.below(list.length)]
  }
}

/** A file with some changes: bits, extreme numbers, pieces that are copied, removed or taken from another file. */
export function mutated(random, seeds) {
  let bytes = new Uint8Array(random.pick(seeds))
  const splice = (at, removed, piece) =>
    (bytes = new Uint8Array([...bytes.subarray(0, at), ...piece, ...bytes.subarray(at + removed)]))
  for (let changes = 1 + random.below(4); changes > 0 && bytes.length > 0; changes--) {
    const at = place(random, bytes.length)
    const length = Math.min(random.pick([1, 2, 4, 8, 32, 200]), bytes.length - at)
    const way = random.below(12)
    if (way < 3) bytes[at] ^= 1 << random.below(8)
    else if (way < 6) bytes[at] = random.pick([0, 1, 2, 0x7f, 0x80, 0xfe, 0xff, 0x30, 0x22, 0xc0])
    else if (way === 6) bytes[at] = random.below(256)
    else if (way === 7) bytes.set(number(random, Math.min(length, 8)), at)
    else if (way === 8) splice(at, length, [])
    else if (way === 9) splice(random.below(bytes.length), 0, bytes.slice(at, at + length))
    else if (way === 10) bytes.copyWithin(random.below(bytes.length - length + 1), at, at + length)
    else {
      const other = random.pick(seeds)
      const from = random.below(Math.max(1, other.length))
      splice(at, length, other.subarray(from, from + length))
    }
  }
  if (random.below(12) === 0) bytes = bytes.subarray(0, random.below(bytes.length + 1))
  return bytes.slice(0, MOST)
}

/** Headers and trailers are changed as often as all that lies between. */
function place(random, length) {
  const where = random.below(4)
  if (where === 0) return random.below(Math.min(length, 200))
  return where === 1 ? length - 1 - random.below(Math.min(length, 200)) : random.below(length)
}

/** A number near a power of two, in either byte order. */
function number(random, length) {
  let value = (1n << BigInt(random.below(64))) + BigInt(random.below(3)) - 1n
  if (random.below(4) === 0) value = -value
  const view = new DataView(new ArrayBuffer(8))
  const isLittle = random.below(2) === 0
  view.setBigUint64(0, BigInt.asUintN(64, value), isLittle)
  return new Uint8Array(view.buffer, isLittle ? 0 : 8 - length, length)
}
