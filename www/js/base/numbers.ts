import { inSteps } from './turns.js'

/** Each number at an even place with the next one. */
export function pairs(numbers: ArrayLike<number>): [number, number][] {
  const pairs: [number, number][] = []
  for (let k = 0; k < numbers.length; k += 2) pairs.push([numbers[k]!, numbers[k + 1]!])
  return pairs
}

/** How many elements of an ordered list come before the first one that lies `beyond` something. */
export function countBefore(length: number, beyond: (k: number) => boolean): number {
  let low = 0
  for (let high = length; low < high;) {
    const middle = (low + high) >> 1
    if (beyond(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Counts the numbers of an ascending list that are at most `most`. */
export const countUpTo = (numbers: Float64Array, most: number): number =>
  countBefore(numbers.length, k => numbers[k]! > most)

/** Values of a digit of 16 bits. */
const DIGITS = 2 ** 16

/**
 * Whole numbers from 0 up to `most` in order, in their own memory or in other. A radix sort, which can be cut into short steps
 * wherever it is.
 */
export async function sorted(numbers: Float64Array<ArrayBuffer>, most: number): Promise<Float64Array<ArrayBuffer>> {
  const { length } = numbers
  let from = numbers
  let to = new Float64Array(length)
  for (let unit = 1; unit <= most; unit *= DIGITS) {
    const digit = (k: number) => Math.floor(from[k]! / unit) % DIGITS
    /** For each digit how many numbers come before, once they are counted. */
    const places = new Uint32Array(DIGITS + 1)
    await inSteps(length, DIGITS, (k, end) => {
      for (; k < end; k++) places[digit(k) + 1]!++
    })
    for (let k = 1; k < DIGITS; k++) places[k]! += places[k - 1]!
    await inSteps(length, DIGITS, (k, end) => {
      for (; k < end; k++) to[places[digit(k)]!++] = from[k]!
    })
    ;[from, to] = [to, from]
  }
  return from
}
