// The decoder of LZMA with the parameters lc = 3, lp = 0, pb = 2 and a known length, as build.mjs compresses the wasm.

/** Bytes of the header: the parameters, the size of the dictionary, and the length of the content in 8 bytes. */
const HEADER = 13

// Indices of the adaptive probabilities.
const IS_MATCH = 0
const IS_LONG = IS_MATCH + 192
const IS_REPEATED = IS_LONG + 192
const NOT_LAST = IS_REPEATED + 12
const NOT_SECOND = NOT_LAST + 12
const NOT_THIRD = NOT_SECOND + 12
const SLOTS = NOT_THIRD + 12
const DISTANCES = SLOTS + 256
const ALIGNED = DISTANCES + 128
const LENGTHS = ALIGNED + 16
const REPEATED_LENGTHS = LENGTHS + 514
const LITERALS = REPEATED_LENGTHS + 514
const ALL = LITERALS + 8 * 768

/** Decompresses bytes that the package contains: they are not checked. */
export function unpack(packed: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const header = new DataView(packed.buffer, packed.byteOffset)
  const out = new Uint8Array(header.getUint32(5, true))
  const chances = new Uint16Array(ALL).fill(1024)
  // The first byte of the stream is 0.
  const coder = Uint32Array.of(2 ** 32 - 1, header.getUint32(HEADER + 1))
  let at = HEADER + 5
  /** The last four distances − 1, the latest first. */
  const distances = [0, 0, 0, 0]
  let state = 0

  /** Takes what a decision leaves of the range. */
  function narrow(offset: number, rest: number): void {
    const code = coder[1]! - offset
    if (rest < 2 ** 24) {
      coder[0] = rest << 8
      coder[1] = (code << 8) | packed[at++]!
    } else {
      coder[0] = rest
      coder[1] = code
    }
  }
  function bit(chance: number): number {
    const value = chances[chance]!
    const range = coder[0]!
    const bound = (range >>> 11) * value
    if (coder[1]! < bound) {
      chances[chance] = value + ((2048 - value) >> 5)
      narrow(0, bound)
      return 0
    }
    chances[chance] = value - (value >> 5)
    narrow(bound, range - bound)
    return 1
  }
  /** A number of `count` bits, the highest first. */
  function tree(chance: number, count: number): number {
    let node = 1
    for (let k = 0; k < count; k++) node = 2 * node + bit(chance + node)
    return node - 2 ** count
  }
  /** A number of `count` bits, the lowest first. */
  function reversed(chance: number, count: number): number {
    let node = 1
    let number = 0
    for (let k = 0; k < count; k++) {
      const digit = bit(chance + node)
      node = 2 * node + digit
      number += digit << k
    }
    return number
  }
  /** The length of a match − 2. */
  function length(chance: number, phase: number): number {
    if (!bit(chance)) return tree(chance + 2 + 8 * phase, 3)
    return bit(chance + 1) ? 16 + tree(chance + 258, 8) : 8 + tree(chance + 130 + 8 * phase, 3)
  }
  /** The distance of a match of this length, − 1. */
  function distance(length: number): number {
    const slot = tree(SLOTS + 64 * Math.min(length, 3), 6)
    if (slot < 4) return slot
    let bits = (slot >> 1) - 1
    const start = (2 + (slot & 1)) << bits
    if (slot < 14) return start + reversed(DISTANCES + start - slot, bits)
    let middle = 0
    for (; bits > 4; bits--) {
      const half = coder[0]! >>> 1
      const digit = Number(coder[1]! >= half)
      narrow(digit * half, half)
      middle = 2 * middle + digit
    }
    return start + 16 * middle + reversed(ALIGNED, 4)
  }
  function literal(before: number, expected: number): number {
    const chance = LITERALS + 768 * (before >> 5)
    let symbol = 1
    // After a match the byte differs from the one that would continue the match.
    for (let k = 7; state > 6 && symbol < 256; k--) {
      const likely = (expected >> k) & 1
      const digit = bit(chance + 256 + 256 * likely + symbol)
      symbol = 2 * symbol + digit
      if (digit !== likely) break
    }
    while (symbol < 256) symbol = 2 * symbol + bit(chance + symbol)
    return symbol
  }

  for (let end = 0; end < out.length;) {
    const phase = end & 3
    let from = end - distances[0]! - 1
    if (!bit(IS_MATCH + 16 * state + phase)) {
      out[end] = literal(out[end - 1] ?? 0, out[from] ?? 0)
      end++
      state -= state < 4 ? state : state < 10 ? 3 : 6
      continue
    }
    const late = state < 7 ? 0 : 3
    let count = 1
    if (!bit(IS_REPEATED + state)) {
      count = length(LENGTHS, phase)
      distances.pop()
      distances.unshift(distance(count))
      count += 2
      state = 7 + late
    } else {
      const which = bit(NOT_LAST + state) && 1 + (bit(NOT_SECOND + state) && 1 + bit(NOT_THIRD + state))
      distances.unshift(...distances.splice(which, 1))
      if (which || bit(IS_LONG + 16 * state + phase)) {
        count = 2 + length(REPEATED_LENGTHS, phase)
        state = late ? 11 : 8
      } else state = late ? 11 : 9
    }
    // A copy may overlap itself.
    for (from = end - distances[0]! - 1; count > 0; count--) out[end++] = out[from++]!
  }
  return out
}
