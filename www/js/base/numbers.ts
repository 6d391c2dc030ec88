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

/** How many numbers of an ordered list are not above `most`. Takes no memory, as it is called for each chunk. */
export function countUpTo(numbers: Float64Array, most: number): number {
  let low = 0
  for (let high = numbers.length; low < high;) {
    const middle = (low + high) >> 1
    if (numbers[middle]! > most) high = middle
    else low = middle + 1
  }
  return low
}
