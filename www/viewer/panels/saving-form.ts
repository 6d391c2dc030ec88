// The form in the dialog that saves arrays.

import { button, choice, fill, h } from '../dom.js'
import type { Dataset } from '../model/dataset.js'
import type { Extract } from '../model/extract.js'
import type { Choice, Estimate } from '../model/saving.js'

/** The contents that can be saved, by their names. */
export interface Savable {
  extract: Extract
  /** Whether it has the positions of the file, so that attributes still apply. */
  isWhole: boolean
  /** The proposed name of the file. */
  name: string
  /** The attributes of a part. */
  attrs?: Record<string, unknown>
}

const CODECS = { zstd: 'zstd', lz4: 'LZ4', lz4hc: 'LZ4HC', zlib: 'zlib', blosclz: 'BloscLZ' }
type Codec = keyof typeof CODECS
const FILTERS = {
  shuffle: 'shuffle',
  bitshuffle: 'bitshuffle',
  'delta,shuffle': 'delta, shuffle',
  'shuffle,bytedelta': 'shuffle, bytedelta',
  '': 'none',
}
type Filters = keyof typeof FILTERS
/** Filters that keep some bits of the mantissa of floats, and what that means in decimal digits. */
const PRECISION = {
  '': 'all bits',
  'trunc_prec:16': '16 bits, 5 digits',
  'trunc_prec:12': '12 bits, 4 digits',
  'trunc_prec:9': '9 bits, 3 digits',
  'trunc_prec:6': '6 bits, 2 digits',
}
type Precision = keyof typeof PRECISION

export class SavingForm {
  readonly element = h('div', { class: 'form' })
  readonly #dataset: Dataset
  readonly #savable: Record<string, Savable>
  readonly #changed: () => void
  #what: string
  #codec: Codec = 'zstd'
  #clevel = 5
  #filters: Filters = 'shuffle'
  #precision: Precision = ''
  readonly #shapes: Record<'chunks' | 'blocks', HTMLInputElement>

  constructor(dataset: Dataset, savable: Record<string, Savable>, isWhole: boolean, changed: () => void) {
    this.#dataset = dataset
    this.#savable = savable
    this.#changed = changed
    this.#what = Object.keys(savable).at(isWhole ? -1 : 0)!
    this.#shapes = { chunks: this.#lengths('chunks'), blocks: this.#lengths('blocks') }
    if (!dataset.imported) this.#keepParameters()
    this.#draw()
  }

  /** The content that is to be saved. */
  get savable(): Savable {
    return this.#savable[this.#what]!
  }

  get choice(): Choice {
    const lengths = (text: string) =>
      text.trim()
        ? text
            .split(/[^\d.-]+/)
            .filter(Boolean)
            .map(Number)
        : undefined
    const filters = this.#filters ? this.#filters.split(',') : []
    const chunks = lengths(this.#shapes.chunks.value)
    // A copy of a file keeps its shapes.
    const isCopy = this.savable.isWhole && !this.#dataset.imported
    const own = isCopy && !chunks ? this.#dataset.array : null
    return {
      codec: this.#codec,
      clevel: this.#clevel,
      filters: this.#precision && this.#isPrecise ? [this.#precision, ...filters] : filters,
      chunks: chunks ?? own?.chunks,
      blocks: lengths(this.#shapes.blocks.value) ?? own?.blocks ?? undefined,
    }
  }

  /** Shows the shapes that are chosen by themselves. */
  suggest(shapes: Pick<Estimate, 'chunks' | 'blocks'>): void {
    for (const name of ['chunks', 'blocks'] as const)
      this.#shapes[name].placeholder = shapes[name].join(', ') || 'automatic'
  }

  /** Begins with the parameters of the file, as far as there are encoders for them. */
  #keepParameters(): void {
    const { codec, clevel, filters } = this.#dataset.opened.info
    if (codec.name && codec.name in CODECS) this.#codec = codec.name as Codec
    if (clevel) this.#clevel = clevel
    const names = filters.map(({ name }) => name).join(',')
    if (names in FILTERS) this.#filters = names as Filters
  }

  #draw(): void {
    const change =
      <T>(set: (value: T) => void) =>
      (value: T) => {
        set(value)
        this.#changed()
      }
    const level = h('output', {}, String(this.#clevel))
    fill(
      this.element,
      this.#whats(),
      choice(
        'codec',
        CODECS,
        this.#codec,
        change(value => (this.#codec = value)),
      ),
      h(
        'label',
        { class: 'field' },
        h('span', {}, 'level'),
        h('input', {
          type: 'range',
          min: '0',
          max: '9',
          value: String(this.#clevel),
          'aria-label': 'level',
          input: (event: Event) => {
            this.#clevel = Number((event.target as HTMLInputElement).value)
            level.textContent = String(this.#clevel)
            this.#changed()
          },
        }),
        level,
      ),
      choice(
        'filters',
        FILTERS,
        this.#filters,
        change(value => (this.#filters = value)),
      ),
      this.#isPrecise &&
        choice(
          'precision',
          PRECISION,
          this.#precision,
          change(value => (this.#precision = value)),
        ),
      ...Object.entries(this.#shapes).map(([name, input]) =>
        h('label', { class: 'field' }, h('span', {}, name), input),
      ),
    )
  }

  #whats(): HTMLElement | false {
    const names = Object.keys(this.#savable)
    return (
      names.length > 1 &&
      h(
        'div',
        { class: 'tabs small', role: 'group', 'aria-label': 'what' },
        ...names.map(name =>
          button(
            name,
            () => {
              this.#what = name
              this.#draw()
              this.#changed()
              this.element.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
            },
            { 'aria-pressed': String(name === this.#what) },
          ),
        ),
      )
    )
  }

  #lengths(name: string): HTMLInputElement {
    return h('input', { type: 'text', 'aria-label': name, placeholder: 'automatic', input: () => this.#changed() })
  }

  /** Whether bits of the items can be left out. */
  get #isPrecise(): boolean {
    const { kind, size } = this.savable.extract.type
    return kind === 'float' && size >= 4
  }
}
