// What one array has more than another, item by item: an array that is computed as it is looked at.
import { Dataset, type Cut, type Piece } from './dataset.js'
import { kindOf, type Numbers } from './values.js'

type Options = Parameters<Dataset['read']>[1]

export class Difference extends Dataset {
  override readonly computed = true
  readonly #arrays: readonly [Dataset, Dataset]

  /** The arrays stay open, and are closed by others. */
  constructor(first: Dataset, second: Dataset) {
    super({ name: `${first.name} − ${second.name}`, ...(first.url && { url: first.url }) }, first.opened)
    if (first.shape.join() !== second.shape.join())
      throw new Error(
        `the shapes are (${first.shape.join(', ')}) and (${second.shape.join(', ')}), so that there is no difference`,
      )
    if ([first, second].some(({ type }) => kindOf(type) !== 'number')) throw new Error('only numbers have a difference')
    this.#arrays = [first, second]
    this.type = { kind: 'float', size: 8, order: '<' }
  }

  /** Overviews are of the mean of each cell: the mean of differences is the difference of means. */
  override async read(cuts: readonly Cut[], options: Options = {}): Promise<Piece> {
    const [first, second] = this.#arrays
    const [a, b] = await Promise.all([first.read(cuts, options), second.read(cuts, options)])
    const [x, y] = [numbersIn(first, a), numbersIn(second, b)]
    // Numbers that are drawn of large integers are less an offset.
    const offset = Number(first.offset - second.offset)
    const data = new Float64Array(x.length)
    for (let k = 0; k < data.length; k++) data[k] = x[k]! - y[k]! + offset
    return { cuts, shape: a.shape, data, width: 1 }
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
