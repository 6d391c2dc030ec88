// Positions along an axis, as a link and a field name them: numbers and ranges as in Python, such as `0, 5, 10:20:5`.

/** The maximum number of lines in one plot. */
export const MAX_LINES = 8

/** The positions in a text that the axis has, in order, each once; null if there are none. */
export function positionsIn(text: string, length: number): number[] | null {
  const found = new Set<number>()
  for (const part of text.split(',')) {
    for (const at of rangeOf(part.trim(), length)) {
      if (found.size >= MAX_LINES) break
      found.add(at)
    }
  }
  return found.size ? [...found] : null
}

function* rangeOf(part: string, length: number): Generator<number> {
  const [, start, stop, step] = /^(-?\d*)(?::(-?\d*)(?::(\d*))?)?$/.exec(part) ?? []
  if (!part || start === undefined) return
  const place = (text: string) => (text.startsWith('-') ? length + Number(text) : Number(text))
  const first = place(start || '0')
  if (stop === undefined) {
    if (first >= 0 && first < length) yield first
    return
  }
  const end = Math.min(length, stop === '' ? length : place(stop))
  for (let at = Math.max(0, first); at < end; at += Math.max(1, Number(step ?? 1))) yield at
}
