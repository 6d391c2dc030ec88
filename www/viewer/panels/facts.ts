// Information about a file.
import { product } from '../../js/base/numbers.js'
import { bytes, fill, h, plural } from '../dom.js'
import type { Cut } from '../model/cuts.js'
import type { Dataset } from '../model/dataset.js'
import type { ChunkMap } from './chunkmap.js'

export class Facts {
  /** Busy until attributes and chunks are known, or cannot be read. */
  readonly element = h('aside', { class: 'facts', 'aria-label': 'facts about the array', 'aria-busy': 'true' })
  readonly #dataset: Dataset
  readonly #attrs = h('div', { class: 'tree' }, h('p', { class: 'hint' }, '…'))
  readonly #layers = h('div', { class: 'tree' })
  readonly #chunks = h('div', {}, h('p', { class: 'hint' }, '…'))
  readonly #abort = new AbortController()
  #map: ChunkMap | undefined
  #cuts: (readonly Cut[])[] = []

  readonly #learned: () => void

  /** `learned` is called if the file has names for its axes, or chunks without values. */
  constructor(dataset: Dataset, learned: () => void) {
    this.#dataset = dataset
    this.#learned = learned
    const { metalayers, info } = dataset.opened
    const computed = dataset.facts()
    if (computed) {
      this.element.append(h('h2', {}, dataset.name), list(computed))
      return
    }
    const names = Object.keys(metalayers)
    if (!names.length) fill(this.#layers, h('p', { class: 'hint' }, 'none'))
    if (!info.hasAttrs) fill(this.#attrs, h('p', { class: 'hint' }, 'none'))
    this.element.append(
      h('h2', {}, dataset.name),
      ...this.#list(),
      section('Attributes', this.#attrs, info.hasAttrs),
      section('Chunks', this.#chunks, true),
      section('Metalayers', this.#layers, false),
    )
  }

  /** Reads attributes and the index after the first picture was drawn. */
  async load(): Promise<void> {
    const { opened } = this.#dataset
    const options = { signal: this.#abort.signal }
    const failed = (place: Element) => (error: unknown) =>
      this.#abort.signal.aborted ||
      fill(place, h('p', { class: 'hint' }, `cannot be read: ${(error as Error).message}`))
    const trees = import('./tree.js')
    const layers = Object.entries(opened.metalayers)
    await Promise.all([
      layers.length &&
        trees
          .then(({ tree }) => fill(this.#layers, ...layers.map(([name, value]) => tree(name, value))))
          .catch(failed(this.#layers)),
      opened.info.hasAttrs &&
        Promise.all([
          opened
            .attrs(options)
            .then(async attrs =>
              'mlarray' in attrs ? (await import('../model/mlarray.js')).withMlarray(attrs) : attrs,
            ),
          import('../model/coordinates.js'),
          trees,
        ])
          .then(([attrs, { learnAxes }, { tree }]) => {
            if (learnAxes(this.#dataset, attrs)) this.#learned()
            fill(this.#attrs, ...Object.entries(attrs).map(([name, value]) => tree(name, value, true)))
          })
          .catch(failed(this.#attrs)),
      !this.#dataset.computed &&
        Promise.all([opened.chunkMap(options), import('./chunkmap.js')])
          .then(async ([places, { ChunkMap }]) => {
            if (await this.#dataset.learnMissing(places)) this.#learned()
            const map = await ChunkMap.of(this.#dataset, places)
            if (this.#abort.signal.aborted) return map.close()
            this.#map = map
            fill(this.#chunks, places.length ? map.element : h('p', { class: 'hint' }, 'none'))
            map.show(this.#cuts)
          })
          .catch(failed(this.#chunks)),
    ])
    this.element.removeAttribute('aria-busy')
  }

  show(cuts: (readonly Cut[])[]): void {
    this.#cuts = cuts
    this.#map?.show(cuts)
  }

  draw(): void {
    this.#map?.draw()
  }

  close(): void {
    this.#abort.abort()
    this.#map?.close()
  }

  /** The main properties, and the others, which can be expanded. */
  #list(): HTMLElement[] {
    const {
      shape,
      chunks,
      blocks,
      array,
      guessed,
      type,
      opened: { info },
    } = this.#dataset
    const tuple = (list: readonly number[] | null) =>
      list ? `(${list.join(', ')}${list.length === 1 ? ',' : ''})` : 'differ from chunk to chunk'
    const codec = info.codec.name ?? `unknown codec ${info.codec.id}`
    const kind = info.kind === 'array' ? 'array' : info.kind === 'schunk' ? 'super-chunk' : 'chunk'
    const summary: Row[] = [
      ['shape', array ? tuple(shape) : `${shape[0]} of ${plural(info.typesize, 'byte')}`],
      [
        'dtype',
        array?.dtype ??
          (guessed
            ? `not in the file; shown as ${type.kind === 'void' ? 'bytes' : type.kind + type.size * 8}`
            : 'unknown'),
      ],
      [
        'size',
        `${bytes(info.nbytes)} in ${bytes(info.cbytes)}, ${Number.isFinite(info.ratio) ? `${info.ratio.toFixed(2)} : 1` : 'nothing is stored'}`,
      ],
      ['codec', `${codec}, level ${info.clevel}`],
    ]
    const rest: Row[] = [
      ['kind', `${kind}${info.sparse ? ', sparse: a file for each chunk' : ''}`],
      ['items', array ? product(shape).toLocaleString('en') : false],
      ['chunks', tuple(chunks)],
      ['blocks', array ? tuple(blocks) : bytes(info.blocksize)],
      [
        'filters',
        info.filters
          .map(({ name, id, meta }) => `${name ?? `unknown filter ${id}`}${meta ? ` (${meta})` : ''}`)
          .join(', ') || 'none',
      ],
      ['frame', info.version ? `version ${info.version}` : false],
      ['from', this.#dataset.url ?? 'this device; nothing is uploaded'],
    ]
    return [list(summary), h('details', { class: 'more' }, h('summary', {}, 'More'), list(rest))]
  }
}

type Row = [name: string, value: string | false]

const list = (rows: Row[]) =>
  h('dl', {}, ...rows.flatMap(([name, value]) => (value === false ? [] : [h('dt', {}, name), h('dd', {}, value)])))

function section(title: string, content: HTMLElement, open: boolean): HTMLElement {
  return h('details', { class: 'section', open }, h('summary', {}, title), content)
}
