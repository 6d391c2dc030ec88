// The slice that lines need, and the lines in a slice.
import { product } from '../../js/base/numbers.js'
import { Cells } from './cells.js'
import { lengthOf, type Cut } from './cuts.js'
import type { Dataset } from './dataset.js'
import { MAX_LINES, positionsIn } from './lines.js'
import { Slab } from './loader.js'
import { axisName } from './names.js'
import { strideOf } from './plane.js'
import type { Range } from './scale.js'
import type { Session } from './session.js'
import type { State } from './state.js'
import { summarize, type Summary } from './summary.js'
import { drawableFields, type Numbers, type Part } from './values.js'

type Along = Exclude<Cut, number>

/** The maximum number of items of all lines that are read completely, whatever the window. */
const MAX_WHOLE_ITEMS = 2 ** 22
/** Items of a longer line that are read at a time. */
const FINE = 2 ** 18
/** The maximum number of cells of an overview. */
const MAX_CELLS = 2 ** 13

/** The slices for lines along `x`: one for each line that was chosen, or one with some of all lines along `y`. */
export function tracesFor(dataset: Dataset, state: State): Cut[][] {
  const { y, lines, index } = state
  const chosen = y === null ? null : positionsIn(lines, dataset.shape[y]!)
  return (
    chosen?.map(at => traceFor(dataset, { ...state, index: index.with(y!, at) }, false)) ?? [
      traceFor(dataset, state, y !== null),
    ]
  )
}

/** A slice for lines: every item, or an overview of cells if there are too many. More lines than fit are every second, third, … */
function traceFor({ shape }: Dataset, { x, y, index, window, part }: State, isMany: boolean): Cut[] {
  const lines: Along | null =
    y === null || !isMany ? null : { start: 0, stop: shape[y]!, step: Math.max(1, Math.ceil(shape[y]! / MAX_LINES)) }
  const length = shape[x!]!
  const [from, to] = window
    ? [Math.max(0, Math.floor(window[0])), Math.min(length, Math.ceil(window[1]) + 1)]
    : [0, length]
  let step = 1
  if (to - from > FINE) while ((to - from) / step > MAX_CELLS) step *= 2
  const tile = step === 1 ? FINE : step * MAX_CELLS
  const all = length * (lines ? lengthOf(lines) : 1) <= MAX_WHOLE_ITEMS
  const along: Along = all
    ? { start: 0, stop: length, step: 1 }
    : {
        start: Math.floor(from / tile) * tile,
        stop: Math.min(length, Math.ceil(to / tile) * tile),
        step,
        ...(step > 1 && { cells: part }),
      }
  return shape.map((_, axis): Cut => (axis === x ? along : axis === y && lines ? lines : index[axis]!))
}

/** A line. */
export interface Series {
  name: string
  /** The value at each position, or the minimum of each cell. */
  values: Numbers
  /** The maximum of each cell. */
  high?: Numbers
  /** The distance between values. */
  stride: number
  offset: number
}

/** The lines of a slab. Lines of an overview extend from the minimum to the maximum of each cell. */
export function seriesOf({ dataset, state: { x, y, part } }: Session, slab: Slab): Series[] {
  const {
    piece,
    piece: { cells, cuts },
  } = slab
  const [values, high] = cells ? [cells.min, cells.max] : [withGaps(slab, part), undefined]
  const stride = strideOf(piece, x!)
  const cut = y === null ? 0 : cuts[y]!
  const make = (name: string, offset: number): Series => ({ name, values, ...(high && { high }), stride, offset })
  if (typeof cut !== 'number') {
    return Array.from({ length: lengthOf(cut) }, (_, k) =>
      make(`${axisName(dataset, y!)} = ${cut.start + k * cut.step}`, k * strideOf(piece, y!)),
    )
  }
  const field =
    dataset.type.kind === 'struct' ? drawableFields(dataset.type).find(({ name }) => name === part)?.name : undefined
  return [make(field ?? (y === null ? dataset.name : `${axisName(dataset, y)} = ${cut}`), 0)]
}

/** The numbers, with NaN for missing values. */
function withGaps(slab: Slab, part: Part): Numbers {
  const { blank } = slab
  const numbers = slab.numbers(part)
  return blank
    ? slab.memo(`gaps ${part}`, () => Float64Array.from(numbers, (value, k) => (blank[k] ? NaN : value)))
    : numbers
}

/** The range of the values of lines in a window. */
export function rangeOfLines(
  { state, whole, dataset }: Session,
  series: readonly Series[],
  from: number,
  to: number,
): Range {
  const offset = Number(dataset.offset)
  if (state.range === 'fixed') return { min: state.min - offset, max: state.max - offset }
  if (state.range === 'whole' && whole) return { min: whole.min - offset, max: whole.max - offset }
  if (state.part === 'phase') return { min: -Math.PI, max: Math.PI }
  const finite = series
    .flatMap(({ values, high = values, stride, offset }): Summary[] =>
      [values, high].map(numbers => {
        const part = new Float64Array(Math.max(0, to - from))
        for (let k = from; k < to; k++) part[k - from] = numbers[offset + k * stride]!
        return summarize(part)
      }),
    )
    .filter(({ min }) => !Number.isNaN(min))
  if (!finite.length) return { min: 0, max: 1 }
  const [min, max] = [Math.min(...finite.map(({ min }) => min)), Math.max(...finite.map(({ max }) => max))]
  const positive = Math.min(...finite.map(({ leastPositive }) => leastPositive))
  if (state.scale !== 'linear') return { min: state.scale === 'log' && min <= 0 ? positive : min, max }
  const margin = (max - min) * 0.04
  const { MAX_VALUE } = Number
  return { min: Math.max(-MAX_VALUE, min - margin), max: Math.min(MAX_VALUE, max + margin) }
}

/** The number of parts of a long line that are read instead of all, and their total bytes. */
const PARTS = 12
const AFFORDABLE = 2e6

/** An overview of a few parts of a line along `axis`, if reading all of it takes too long. */
export async function sample(
  { dataset, loader }: Session,
  cuts: readonly Cut[],
  axis: number,
  signal: AbortSignal,
): Promise<Slab> {
  const along = cuts[axis] as Along
  const ranges = cuts.filter(cut => typeof cut !== 'number')
  const length = along.stop - along.start
  const cells = new Cells(
    ranges.map(cut => (cut === along ? length : lengthOf(cut))),
    ranges.map(cut => (cut === along ? along.step : 1)),
    false,
  )
  const block = (dataset.blocks ?? dataset.chunks)?.[axis] ?? FINE
  const lines = product(cells.shape) / Math.ceil(length / along.step)
  const affordable = ((AFFORDABLE / PARTS) * (dataset.opened.info.ratio || 1)) / dataset.itemsize / lines
  const size = Math.min(FINE, Math.max(1, Math.floor(affordable / block)) * block)
  await Promise.all(
    Array.from({ length: PARTS }, async (_, k) => {
      const start = along.start + Math.floor(((k + 0.5) * length) / PARTS / block) * block
      const { piece } = await loader.load(
        cuts.map((cut, at): Cut => (at === axis ? { start, stop: Math.min(along.stop, start + size), step: 1 } : cut)),
        signal,
      )
      cells.add(
        dataset.numbers(piece.data, along.cells!),
        ranges.map(cut => (cut === along ? start - along.start : 0)),
        piece.shape,
      )
    }),
  )
  return new Slab(dataset, { cuts, shape: cells.shape, data: cells.values('mean'), width: 1, cells })
}
