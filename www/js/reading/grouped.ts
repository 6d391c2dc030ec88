/** Cuts lists of rows anew, `width` numbers each, into groups that together weigh no more than 1, or of one row. */
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
        yield joined([...group, list.subarray(first, at)])
        group = []
        first = at
        sum = weight
      }
    }
    if (first < list.length) group.push(list.subarray(first))
  }
  if (group.length) yield joined(group)
}

function joined(lists: readonly Float64Array[]): Float64Array {
  if (lists.length === 1) return lists[0]!
  const all = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  return all
}
