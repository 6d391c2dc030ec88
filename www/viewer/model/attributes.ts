// The attributes of the element that are parts of a state: `slice`, `colormap` and `range`.

/** Gets an attribute. */
type Get = (name: string) => string | null

/** The parameters of a state for an array of this shape, with those of the attributes that they do not have. */
export function withAttributes(state: string, get: Get, shape: readonly number[], mayReplace = false): string {
  const params = new URLSearchParams(state)
  const own = [...slice(get('slice'), shape), ...colours(get('colormap')), ...range(get('range'))]
  for (const [name, value] of own) if (mayReplace || !params.has(name)) params.set(name, value)
  return params.toString()
}

type Params = [name: string, value: string][]

const colours = (text: string | null): Params => (text ? [['map', text]] : [])

/** `least, greatest`, or how limits are found. */
function range(text: string | null): Params {
  if (!text) return []
  const [min, max] = text.split(',').map(part => part.trim())
  return max === undefined
    ? [['range', text]]
    : [
        ['range', 'fixed'],
        ['min', min!],
        ['max', max],
      ]
}

/** A selection as in Python: `7, :, 100:200` is a position and two ranges, which are rows and columns. */
function slice(text: string | null, shape: readonly number[]): Params {
  if (!text) return []
  const parts = text
    .replace(/[[\]\s]/g, '')
    .split(',')
    .slice(0, shape.length)
  const ends = shape.map((length, axis) => {
    const [from, to] = (parts[axis] || ':').split(':')
    const at = (text: string | undefined, otherwise: number) => {
      const position = text ? Number(text) : otherwise
      return position < 0 ? position + length : position
    }
    return to === undefined ? at(from, 0) : ([at(from, 0), at(to, length)] as const)
  })
  const index = ends.map((end, axis) => (typeof end === 'number' ? end : Math.floor(shape[axis]! / 2)))
  const [y, x] = ends.flatMap((end, axis) => (typeof end === 'number' ? [] : [axis])).slice(-2)
  if (y === undefined || x === undefined) return [['index', index.join()]]
  const window = [x, y].flatMap(axis => ends[axis]! as readonly [number, number])
  const isPart = [x, y].some(axis => String(ends[axis]) !== `0,${shape[axis]}`)
  return [
    ['index', index.join()],
    ['x', String(x)],
    ['y', String(y)],
    ...(isPart ? [['window', window.join()] as [string, string]] : []),
  ]
}
