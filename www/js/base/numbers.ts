import { inSteps } from './yielding.js'

/** The number of items of a shape, and other products. */
export const product = (numbers: readonly number[]): number => numbers.reduce((product, number) => product * number, 1)

/** All choices of one item of each list, in order. */
export function* choices<T>(lists: readonly (readonly T[])[], ...chosen: T[]): Generator<T[], void, undefined> {
  const list = lists[chosen.length]
  if (!list) yield chosen
  else for (const item of list) yield* choices(lists, ...chosen, item)
}

/** Groups numbers in pairs. */
export function pairs(numbers: ArrayLike<number>): [number, number][] {
  const pairs: [number, number][] = []
  for (let k = 0; k < numbers.length; k += 2) pairs.push([numbers[k]!, numbers[k + 1]!])
  return pairs
}

/** Counts the elements of a sorted list before the first for which `beyond` holds, by bisection. */
export function countBefore(length: number, beyond: (k: number) => boolean): number {
  let low = 0
  for (let high = length; low < high;) {
    const middle = (low + high) >> 1
    if (beyond(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The number of values of a 16-bit digit. */
const DIGITS = 2 ** 16

/**
 * Sorts integers from 0 to `most`, in place or into new memory. A radix sort can be split into short steps.
 */
export async function sorted(numbers: Float64Array<ArrayBuffer>, most: number): Promise<Float64Array<ArrayBuffer>> {
  const { length } = numbers
  let from = numbers
  let to = new Float64Array(length)
  for (let unit = 1; unit <= most; unit *= DIGITS) {
    const digit = (k: number) => Math.floor(from[k]! / unit) % DIGITS
    /** First the count of each digit, then the position of the next number with that digit. */
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
