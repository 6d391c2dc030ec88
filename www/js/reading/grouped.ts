/** Cuts lists anew, into groups that together weigh no more than 1, or of one item. */
export async function* grouped<T>(
  lists: AsyncIterable<readonly T[]>,
  weightOf: (item: T) => number,
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
