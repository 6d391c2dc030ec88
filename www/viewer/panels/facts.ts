// Information about a file.
import { fill, h } from '../dom.js'
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
  }

  /** Reads attributes and the index after the first picture was drawn. */
  async load(): Promise<void> {
    const { opened, inherited } = this.#dataset
    const options = { signal: this.#abort.signal }
    const failed = (place: Element) => (error: unknown) =>
      this.#abort.signal.aborted ||
      fill(place, h('p', { class: 'hint' }, `cannot be read: ${(error as Error).message}`))
    const trees = import('./tree.js')
    const layers = Object.entries(opened.metalayers)
    const none = (place: Element) => fill(place, h('p', { class: 'hint' }, 'none'))
    if (!layers.length) none(this.#layers)
    if (!opened.info.hasAttrs) none(this.#attrs)
    await Promise.all([
      import('./fact-list.js')
        .then(({ factsOf }) =>
          fill(
            this.element,
            ...factsOf(this.#dataset, { attrs: this.#attrs, chunks: this.#chunks, layers: this.#layers }),
          ),
        )
        .catch(failed(this.element)),
      layers.length &&
        trees
          .then(({ tree }) => fill(this.#layers, ...layers.map(([name, value]) => tree(name, value))))
          .catch(failed(this.#layers)),
      (opened.info.hasAttrs || Object.keys(inherited).length > 0) &&
        Promise.all([
          opened
            .attrs(options)
            .then(async attrs =>
              'mlarray' in attrs ? (await import('../model/mlarray.js')).withMlarray(attrs) : attrs,
            ),
          import('../model/coordinates.js'),
          trees,
        ])
          .then(async ([attrs, { learnAxes }, { tree }]) => {
            if (opened.info.hasAttrs)
              fill(this.#attrs, ...Object.entries(attrs).map(([name, value]) => tree(name, value, true)))
            if (await learnAxes(this.#dataset, { ...inherited, ...attrs })) this.#learned()
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
}
