// What several modules do with lists and bytes.

/** The bytes that something has. They are not copied. */
export const viewOf = (bytes: ArrayBufferView | ArrayBufferLike): Uint8Array<ArrayBuffer> =>
  ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes as ArrayBuffer)

/** The bytes that a value has, if it has any. They are not copied. */
export function bytesIn(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  // Pages that are not isolated do not have the buffers of shared memory.
  const Shared = globalThis.SharedArrayBuffer ?? ArrayBuffer
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Shared ? viewOf(value) : undefined
}

/** Bytes in memory of their own. Unlike `slice` this does not fill it with zeros first, which takes as long as to decode. */
export const copyOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

const UTF8 = new TextDecoder()
export const textOf = (bytes: Uint8Array): string => UTF8.decode(bytes)

/** Each number at an even place with the next one. */
export function pairs(numbers: ArrayLike<number>): [number, number][] {
  const pairs: [number, number][] = []
  for (let k = 0; k < numbers.length; k += 2) pairs.push([numbers[k]!, numbers[k + 1]!])
  return pairs
}

/** How many elements of an ordered list come before the first one that lies `beyond` something. */
export function countBefore(length: number, beyond: (k: number) => boolean): number {
  let low = 0
  for (let high = length; low < high; ) {
    const middle = (low + high) >> 1
    if (beyond(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** How many numbers of an ordered list are not above `most`. Takes no memory, as it is called for each chunk. */
export function countUpTo(numbers: Float64Array, most: number): number {
  let low = 0
  for (let high = numbers.length; low < high; ) {
    const middle = (low + high) >> 1
    if (numbers[middle]! > most) high = middle
    else low = middle + 1
  }
  return low
}

/** Cuts lists anew, into groups that together weigh no more than 1, or of one item. */
export async function* grouped<T>(
  lists: AsyncIterable<readonly T[]>, weightOf: (item: T) => number,
): AsyncGenerator<T[], void, undefined> {
  let group: T[] = []
  let sum = 0
  for await (const list of lists) {
    for (const item of list) {
      const weight = weightOf(item)
      sum += weight
      if (sum > 1 && group.length) {
        yield group
        group = []
        sum = weight
      }
      group.push(item)
    }
  }
  if (group.length) yield group
}

/** All pieces in one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
