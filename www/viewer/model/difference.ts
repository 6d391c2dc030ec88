// The difference of two arrays, item by item, computed on demand.
import { viewOf } from '../../js/base/bytes.js'
import { product } from '../../js/base/numbers.js'
import { statsOf } from '../../js/data/stats.js'
import { createEngine } from '../../js/engine/engine.js'
import type { Stats } from '../../js/index.js'
import { lengthOf, type Cut } from './cuts.js'
import { Dataset, type Box, type Piece, type ReadOptions } from './dataset.js'
import { kindOf, type Numbers } from './values.js'

/** Items to read at a time if not all are kept. */
const BATCH = 2 ** 21

export class Difference extends Dataset {
  override readonly computed = true
  readonly #arrays: readonly [Dataset, Dataset]

  /** The arrays stay open; their owners close them. */
  constructor(first: Dataset, second: Dataset) {
    const { remote, url } = first
    super({ name: `${first.name} − ${second.name}`, remote, ...(url && { url }) }, first.opened)
    if (first.shape.join() !== second.shape.join())
      throw new Error(
        `the shapes are (${first.shape.join(', ')}) and (${second.shape.join(', ')}), so that there is no difference`,
      )
    if ([first, second].some(({ type }) => kindOf(type) !== 'number')) throw new Error('only numbers have a difference')
    this.#arrays = [first, second]
    this.type = { kind: 'float', size: 8, order: '<' }
  }

  override get parts(): readonly Dataset[] {
    return this.#arrays
  }

  override facts(): [name: string, value: string][] {
    const { shape, type } = this
    return [
      ['shape', `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`],
      ['dtype', `${type.kind}${8 * type.size}, computed as it is looked at`],
      ...this.#arrays.map(({ name, array }, k): [string, string] => [
        k ? 'minus' : 'first',
        `${name}, ${array?.dtype ?? 'of an unknown dtype'}`,
      ]),
    ]
  }

  override async read(cuts: readonly Cut[], options: ReadOptions = {}): Promise<Piece> {
    if (cuts.some(cut => typeof cut !== 'number' && cut.cells !== undefined)) return super.read(cuts, options)
    const [first, second] = this.#arrays
    const [a, b] = await Promise.all([first.read(cuts, options), second.read(cuts, options)])
    const [x, y] = [numbersIn(first, a), numbersIn(second, b)]
    // Numbers drawn for large integers have an offset subtracted.
    const offset = Number(first.offset - second.offset)
    const data = new Float64Array(x.length)
    for (let k = 0; k < data.length; k++) data[k] = x[k]! - y[k]! + offset
    return { cuts, shape: a.shape, data, width: 1 }
  }

  /** Splits a slice into slabs along its first axis, as thick as the chunks unless these are large. */
  protected override async *boxes(cuts: readonly Cut[], signal: AbortSignal | undefined): AsyncGenerator<Box> {
    const axis = cuts.findIndex(cut => typeof cut !== 'number' && lengthOf(cut) > 1)
    const cut = cuts[axis]
    const shape = cuts.flatMap(cut => (typeof cut === 'number' ? [] : [lengthOf(cut)]))
    if (cut === undefined || typeof cut === 'number') {
      yield { ...(await this.read(cuts, { signal })), start: shape.map(() => 0) }
      return
    }
    const place = cuts.slice(0, axis).filter(cut => typeof cut !== 'number').length
    const across = product(shape) / shape[place]!
    const thick = cut.step * Math.max(1, Math.floor(BATCH / across))
    const chunk = this.chunks?.[axis] ?? 1
    for (let from = cut.start; from < cut.stop;) {
      // Ends at a chunk boundary, so that no chunk is decoded twice.
      const end = thick < chunk ? from + thick : Math.floor((from + thick) / chunk) * chunk
      const stop = Math.min(cut.stop, from + Math.ceil((end - from) / cut.step) * cut.step)
      const piece = await this.read(cuts.with(axis, { ...cut, start: from, stop }), { signal })
      yield { ...piece, start: shape.map((_, k) => (k === place ? (from - cut.start) / cut.step : 0)) }
      from = stop
    }
  }

  override stats(
    cuts: readonly Cut[] | null,
    { signal, bins, onProgress }: Parameters<Dataset['stats']>[1],
  ): Promise<Stats> {
    const all = cuts ?? this.shape.map(stop => ({ start: 0, stop, step: 1 }))
    // The first pass finds the range of the histogram, the second counts.
    const total = 2 * all.reduce((n: number, cut) => n * (typeof cut === 'number' ? 1 : lengthOf(cut)), 1)
    let seen = 0
    const parts = async function* (boxes: AsyncIterable<Box>) {
      for await (const { data } of boxes) yield { data, bytes: viewOf(data as Float64Array<ArrayBuffer>) }
    }
    return statsOf(
      createEngine,
      { dtype: '<f8', type: this.type, itemsize: 8 },
      () => parts(this.boxes(all, signal)),
      async ({ data }) => data,
      { bins, progress: bytes => onProgress((seen += bytes / 8) / total) },
    )
  }

  override async plan(...asked: Parameters<Dataset['plan']>): ReturnType<Dataset['plan']> {
    const [a, b] = await Promise.all(this.#arrays.map(array => array.plan(...asked)))
    const sum = (name: 'requests' | 'bytes' | 'requestsMax' | 'bytesMax' | 'decodedBytes' | 'chunks' | 'blocks') =>
      a![name] + b![name]
    return {
      requests: sum('requests'),
      bytes: sum('bytes'),
      requestsMax: sum('requestsMax'),
      bytesMax: sum('bytesMax'),
      decodedBytes: sum('decodedBytes'),
      chunks: sum('chunks'),
      blocks: sum('blocks'),
      exact: a!.exact && b!.exact,
    }
  }

  override async close(): Promise<void> {}
}

const numbersIn = (array: Dataset, { data, cells }: Piece): Numbers =>
  cells ? (data as unknown as Numbers) : array.numbers(data, '')
