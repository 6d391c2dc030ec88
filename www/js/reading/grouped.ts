import { joined } from '../base/bytes.js'

/** Regroups rows of `width` numbers into groups with a weight of at most 1, or of one row. */
export async function* grouped(
  lists: AsyncIterable<Float64Array>,
  width: number,
  weightOf: (rows: Float64Array, at: number) => number,
): AsyncGenerator<Float64Array, void, undefined> {
  let group: Float64Array[] = []
  let sum = 0
  for await (const list of lists) {
    let first = 0
    for (let at = 0; at < list.length; at += width) {
      const weight = weightOf(list, at)
      sum += weight
      if (sum > 1 && (at > first || group.length)) {
        yield joined([...group, list.subarray(first, at)], Float64Array)
        group = []
        first = at
        sum = weight
      }
    }
    if (first < list.length) group.push(list.subarray(first))
  }
  if (group.length) yield joined(group, Float64Array)
}
