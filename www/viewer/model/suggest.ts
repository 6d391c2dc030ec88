// Suitable views for an array, and adjustment of a state to it.
import type { Dataset, Piece } from './dataset.js'
import { axisName, channelsOf } from './names.js'
import { patchy } from './scale.js'
import { DEFAULTS, projectionOf, type State, type ViewName } from './state.js'
import { drawable, drawableFields, kindOf } from './values.js'

/** For arrays with more bytes than this, the first view is the one that needs the fewest requests. */
const FAR = 2 ** 25

/** The suitable views, the best first. */
export function views(dataset: Dataset): ViewName[] {
  const { shape, type } = dataset
  const long = shape.filter(length => length > 1).length
  const empty = shape.includes(0)
  if (shape.length === 0 || empty) return ['text']
  if (!long && type.kind !== 'struct') return ['text', 'table']
  if (type.kind === 'struct')
    return drawableFields(type).length
      ? ['table', 'line', ...(shape.length > 1 ? ['heatmap' as const] : [])]
      : ['table']
  if (!drawable(type)) return ['table', 'text']
  if (long <= 1) return shape.length === 1 ? ['line', 'table'] : ['line', 'table', 'heatmap']
  const rgb: ViewName[] = colourAxis(dataset) !== null ? ['rgb'] : []
  const deep = shape.filter((_, axis) => !isChannels(dataset, axis)).length
  const planes: ViewName[] = deep >= 3 ? ['planes'] : []
  const [rows, columns] = shape.slice(-2) as [number, number]
  if (shape.length === 2 && Math.min(rows, columns) <= MOST_LINES && Math.max(rows, columns) > 64)
    return ['line', 'heatmap', 'table']
  if (shape.length === 2 && rows * columns <= 64) return ['table', 'heatmap', 'line']
  const channels = channelAxis(dataset, null)
  const composite: ViewName[] = channels === null ? [] : ['composite']
  const named = channels !== null && channelsOf(dataset).length === shape[channels]
  // A view is where it stands first.
  return [
    ...new Set<ViewName>([
      ...(photograph(dataset) ? rgb : []),
      ...(named ? composite : []),
      'heatmap',
      ...planes,
      'line',
      'table',
      ...rgb,
      ...composite,
    ]),
  ]
}

/** An axis of colours: one of 3 or 4 items, preferably the last. */
export function colourAxis({ shape, type }: Dataset): number | null {
  if (shape.length < 3 || kindOf(type) !== 'number') return null
  for (let axis = shape.length - 1; axis >= 0; axis--) if (shape[axis] === 3 || shape[axis] === 4) return axis
  return null
}

/** The maximum number of channels of a composite. */
export const MAX_CHANNELS = 16
/** An axis of at most this length may be a channel axis, whatever its name. */
const FEW_CHANNELS = 8

const isChannels = (dataset: Dataset, axis: number): boolean =>
  /^(c|ch|channels?|bands?)$/i.test(axisName(dataset, axis))

/** An axis of depth besides `x` and `y`: not channels or time, and of others rather a long one. */
function depthAxis(dataset: Dataset, taken: ReadonlySet<number | null>): number | null {
  const free = dataset.shape.flatMap((length, axis) =>
    taken.has(axis) || length < 2 || isChannels(dataset, axis) ? [] : [axis],
  )
  const named = free.find(axis => /^(z|depth)$/i.test(axisName(dataset, axis)))
  return named ?? free.findLast(axis => dataset.shape[axis]! > FEW_CHANNELS) ?? free.at(-1) ?? null
}

/** The channel axis: `wanted` if possible, or one with such a name, or the shortest; null if none is short. */
export function channelAxis(dataset: Dataset, wanted: number | null): number | null {
  const { shape, type } = dataset
  if (shape.length < 3 || kindOf(type) !== 'number') return null
  const possible = shape.flatMap((length, axis) => (length <= MAX_CHANNELS ? [axis] : []))
  if (wanted !== null && possible.includes(wanted)) return wanted
  const named = possible.find(axis => isChannels(dataset, axis))
  const [shortest] = possible
    .filter(axis => shape[axis]! > 1 && shape[axis]! <= FEW_CHANNELS)
    .sort((a, b) => shape[a]! - shape[b]!)
  return named ?? shortest ?? null
}

/** Whether these are certainly colours: bytes with colours along the last axis. */
const photograph = (dataset: Dataset): boolean =>
  dataset.type.kind === 'uint' && dataset.type.size <= 2 && colourAxis(dataset) === dataset.shape.length - 1

const MOST_LINES = 8

export function suggest(dataset: Dataset): State {
  const { shape, type } = dataset
  const view = views(dataset)[0]!
  // The first chunk of a remote file starts in the bytes that were read on opening.
  const far = dataset.remote && dataset.opened.info.nbytes > FAR
  const state: State = {
    ...DEFAULTS,
    view,
    index: shape.map(length => (far ? 0 : Math.floor(Math.max(0, length - 1) / 2))),
    part: '',
  }
  if (kindOf(type) === 'complex') state.part = 'abs'
  if (type.kind === 'struct') state.part = drawableFields(type)[0]?.name ?? type.fields![0]!.name
  if (type.kind === 'bool') state.map = 'grey'
  return { ...state, ...axesFor(dataset, state, true) }
}

/** The axes that a view can show, as close to those of the state as possible. */
/** If `fresh`, the user has not chosen the number of lines. */
export function axesFor(dataset: Dataset, state: State, fresh: boolean): Pick<State, 'x' | 'y' | 'z'> {
  const { shape, type } = dataset
  const axes = shape.map((_, axis) => axis).reverse()
  const isAxis = (axis: number | null): boolean => axis !== null && axis < shape.length
  const colours =
    state.view === 'rgb' ? colourAxis(dataset) : state.view === 'composite' ? channelAxis(dataset, state.z) : null
  const taken = new Set<number | null>([colours])
  const pick = (wanted: number | null): number | null => {
    const free = (axis: number | null): axis is number => axis !== null && axis < shape.length && !taken.has(axis)
    const axis = free(wanted) ? wanted : (axes.find(axis => free(axis) && shape[axis]! > 1) ?? axes.find(free) ?? null)
    taken.add(axis)
    return axis
  }
  const x = pick(state.x)
  if (state.view === 'line') {
    if (!fresh) return { x, y: state.y === x || !isAxis(state.y) ? null : state.y, z: null }
    const few = axes.find(axis => axis !== x && shape[axis]! > 1 && shape[axis]! <= MOST_LINES && shape.length === 2)
    return { x, y: few ?? null, z: null }
  }
  // The fields of structures are columns.
  if (state.view === 'table' && type.kind === 'struct') return { x: null, y: isAxis(state.y) ? state.y : x, z: null }
  if (shape.length < 2 || state.view === 'text')
    return { x: state.view === 'table' ? null : x, y: state.view === 'table' ? x : null, z: null }
  const y = pick(state.y)
  return { x, y, z: state.view === 'planes' ? pick(state.z ?? depthAxis(dataset, taken)) : colours }
}

/** Adjusts a state from a link to the array. */
export function fitState(dataset: Dataset, wanted: Partial<State>): State {
  const state = { ...suggest(dataset), ...wanted }
  const { shape } = dataset
  if (!views(dataset).includes(state.view)) state.view = suggest(dataset).view
  const suggested = suggest(dataset).index
  state.index = suggested.map((position, axis) => clamp(Math.round(state.index[axis] ?? position), 0, shape[axis]! - 1))
  const over = projectionOf({ ...state, view: 'heatmap', x: null, y: null })
  if (over && over.axis >= shape.length) state.project = ''
  const fitting = { ...state, ...axesFor(dataset, state, wanted.y === undefined) }
  return isWindow(fitting, shape) ? fitting : { ...fitting, window: null }
}

/** Whether a window shows some of the plane. It may be larger than the plane. */
function isWindow({ window, x, y }: State, shape: readonly number[]): boolean {
  if (!window) return true
  const [x0, x1, y0, y1] = window
  const isSeen = (start: number, end: number, axis: number | null) => {
    // One line has no second axis.
    const length = axis === null ? 1 : shape[axis]!
    return start < end && end > 0 && start < length && end - start < WIDEST + 8 * length
  }
  return isSeen(x0, x1, x) && isSeen(y0, y1, y)
}

/** The items of a window around a plane with fewer. */
const WIDEST = 1e5

export const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value))

/** A map that the first values of a picture suggest, unless the user chose one: integers may look like labels, and phases are cyclic. */
export function mapFor(
  { type }: Dataset,
  state: State,
  base: State,
  { data, cells }: Piece,
  width: number,
): string | null {
  if (state.map !== base.map || (state.view !== 'heatmap' && state.view !== 'planes')) return null
  if (state.part === 'phase') return 'cyclic'
  const integers = type.kind === 'int' || type.kind === 'uint'
  return integers && !cells && patchy(data as ArrayLike<number | bigint>, width) ? 'labels' : null
}
