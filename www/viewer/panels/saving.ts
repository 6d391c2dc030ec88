// The dialog that saves a slice or the whole array as a .b2nd file.
import type { Attributes } from '../../js/index.js'
import type { Dataset } from '../data/dataset.js'
import type { Extract } from '../data/extract.js'
import { Newest } from '../data/loader.js'
import { inMemory, MOST, Saving, type Choice, type Estimate } from '../data/saving.js'
import { bytes, button, choice, fill, h } from '../dom.js'
import { trouble } from './trouble.js'

/** What can be saved, by its name. */
export interface Savable {
  extract: Extract
  /** Whether it has the positions of the file, so that attributes still apply. */
  isWhole: boolean
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

type Picker = (options: object) => Promise<FileSystemFileHandle>

export class SavingDialog {
  readonly element: HTMLDialogElement
  readonly #dataset: Dataset
  readonly #savable: Record<string, Savable>
  readonly #form = h('div', { class: 'form' })
  readonly #estimate = h('div', { class: 'estimate', role: 'status' })
  readonly #message = h('div', { 'aria-live': 'polite' })
  readonly #progress = h('progress', { max: 1, hidden: true, 'aria-label': 'progress' })
  readonly #save = button('Save…', () => void this.#run(), { class: 'primary' })
  readonly #stop = button('Close', () => this.#leave())
  readonly #newest = new Newest()
  readonly #kept = new Map<string, Saving>()
  #what: string
  #codec: Codec = 'zstd'
  #clevel = 5
  #filters: Filters = 'shuffle'
  #precision: Precision = ''
  readonly #shapes: Record<'chunks' | 'blocks', HTMLInputElement>
  #running: AbortController | undefined

  constructor(dataset: Dataset, savable: Record<string, Savable>, isWhole: boolean) {
    this.#dataset = dataset
    this.#savable = savable
    this.#what = Object.keys(savable).at(isWhole ? -1 : 0)!
    this.#shapes = { chunks: this.#lengths('chunks'), blocks: this.#lengths('blocks') }
    if (!dataset.isImported) this.#keepParameters()
    this.element = h(
      'dialog',
      {
        class: 'saving',
        'aria-label': 'Save as .b2nd',
        // Keys are for the dialog and not for the view.
        keydown: (event: Event) => event.stopPropagation(),
      },
      h(
        'header',
        {},
        h('h2', {}, 'Save as .b2nd'),
        button('×', () => this.#leave(), { 'aria-label': 'close', class: 'quiet' }),
      ),
      this.#form,
      this.#estimate,
      this.#progress,
      this.#message,
      h('div', { class: 'buttons' }, this.#save, this.#stop),
    )
    // The browser closes a dialog with Escape, which also stops.
    this.element.addEventListener('close', () => this.#end())
    this.#draw()
  }

  show(): void {
    this.element.showModal()
    void this.#measure()
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
        void this.#measure()
      }
    const level = h('output', {}, String(this.#clevel))
    fill(
      this.#form,
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
            void this.#measure()
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
              void this.#measure()
              this.#form.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
            },
            { 'aria-pressed': String(name === this.#what) },
          ),
        ),
      )
    )
  }

  #lengths(name: string): HTMLInputElement {
    return h('input', { type: 'text', 'aria-label': name, placeholder: 'automatic', input: () => void this.#measure() })
  }

  get #extract(): Extract {
    return this.#savable[this.#what]!.extract
  }

  /** Whether bits of the items can be left out. */
  get #isPrecise(): boolean {
    const { kind, size } = this.#extract.type
    return kind === 'float' && size >= 4
  }

  get #saving(): Saving {
    const saving = this.#kept.get(this.#what) ?? new Saving(this.#extract)
    this.#kept.set(this.#what, saving)
    return saving
  }

  get #choice(): Choice {
    const lengths = (text: string) =>
      text.trim()
        ? text
            .split(/[^\d.-]+/)
            .filter(Boolean)
            .map(Number)
        : undefined
    const filters = this.#filters ? this.#filters.split(',') : []
    return {
      codec: this.#codec,
      clevel: this.#clevel,
      filters: this.#precision && this.#isPrecise ? [this.#precision, ...filters] : filters,
      chunks: lengths(this.#shapes.chunks.value),
      blocks: lengths(this.#shapes.blocks.value),
    }
  }

  /** Shows what the choice costs. */
  async #measure(): Promise<void> {
    this.#save.disabled = true
    this.#estimate.classList.add('coming')
    fill(this.#message)
    await this.#newest
      .run(async signal => {
        const estimate = await this.#saving.estimate(this.#choice, signal)
        signal.throwIfAborted()
        this.#save.disabled = false
        this.#tell(estimate)
      })
      .catch((error: unknown) => {
        fill(this.#estimate)
        fill(this.#message, trouble(error))
      })
  }

  #tell({ nbytes, cbytes, seconds, chunks, blocks }: Estimate): void {
    this.#estimate.classList.remove('coming')
    for (const [name, lengths] of Object.entries({ chunks, blocks }))
      this.#shapes[name as 'chunks'].placeholder = lengths.join(', ') || 'automatic'
    const { shape, dtype } = this.#extract
    const share = nbytes ? Math.min(1, cbytes / nbytes) : 1
    const bar = h('i')
    bar.style.inlineSize = `${100 * share}%`
    fill(
      this.#estimate,
      h('p', { class: 'large' }, h('b', {}, `about ${bytes(cbytes)}`), ` of ${bytes(nbytes)}`),
      h('div', { class: 'share', 'aria-hidden': 'true' }, bar),
      h(
        'p',
        { class: 'hint' },
        `ratio ${(nbytes / cbytes || 0).toPrecision(3)} · about ${duration(seconds)}, by samples · ${dtype.startsWith('[') ? 'structures' : dtype} (${shape.join(', ')})`,
      ),
      !picker() &&
        h(
          'p',
          { class: 'hint' },
          `This browser keeps the file in memory until it is complete: ${bytes(MOST)} at most.`,
        ),
    )
  }

  async #run(): Promise<void> {
    const [stem] = this.#dataset.name.split(/\.(?=[^.]*$)/)
    const name = `${stem}.b2nd`
    const { signal } = (this.#running = new AbortController())
    try {
      // Browsers ask for a place only right after a click.
      const handle = await picker()?.({
        suggestedName: name,
        types: [{ description: 'Blosc2 array', accept: { 'application/octet-stream': ['.b2nd'] } }],
      })
      this.#busy(0)
      const isNew = handle && !(await handle.getFile()).size
      try {
        const size = handle ? await this.#toHandle(handle, signal) : await this.#toDownload(name, signal)
        fill(this.#message, h('p', { class: 'hint' }, `${handle?.name ?? name}: ${bytes(size)}`))
      } catch (error) {
        // The browser creates an empty file when it is chosen.
        if (isNew) await (handle as { remove?(): Promise<void> }).remove?.().catch(() => {})
        throw error
      }
    } catch (error) {
      if ((error as Error).name !== 'AbortError') fill(this.#message, trouble(error))
      else if (signal.aborted) fill(this.#message, h('p', { class: 'hint' }, 'Stopped. Nothing was written.'))
    } finally {
      this.#running = undefined
      this.#busy(null)
    }
  }

  async #toHandle(handle: FileSystemFileHandle, signal: AbortSignal): Promise<number> {
    await this.#write(handle, signal)
    return (await handle.getFile()).size
  }

  async #toDownload(name: string, signal: AbortSignal): Promise<number> {
    const { sink, bytes } = await inMemory()
    await this.#write(sink, signal)
    const blob = new Blob([bytes()], { type: 'application/octet-stream' })
    const link = h('a', { href: URL.createObjectURL(blob), download: name })
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
    return blob.size
  }

  async #write(sink: Parameters<Saving['write']>[0], signal: AbortSignal): Promise<void> {
    const described = this.#savable[this.#what]!.isWhole ? await describing(this.#dataset, signal) : {}
    await this.#saving.write(sink, { ...this.#choice, ...described }, signal, share => this.#busy(share))
  }

  #busy(share: number | null): void {
    this.#progress.hidden = share === null
    this.#progress.value = share ?? 0
    this.#save.disabled = share !== null
    this.#form.inert = share !== null
    this.#stop.textContent = share === null ? 'Close' : 'Stop'
  }

  /** Stops saving, or else closes the dialog. */
  #leave(): void {
    if (this.#running) this.#end()
    else this.element.close()
  }

  #end(): void {
    this.#newest.stop()
    this.#running?.abort(new DOMException('it was not waited for', 'AbortError'))
  }
}

const picker = (): Picker | undefined => (globalThis as { showSaveFilePicker?: Picker }).showSaveFilePicker

/** The metalayers and attributes of a file, for a copy of it. */
async function describing({ array }: Dataset, signal: AbortSignal): Promise<{ meta?: Attributes; attrs?: Attributes }> {
  if (!array || array.info.reference) return {}
  const { b2nd: _, caterva: __, ...meta } = array.meta
  return { meta, attrs: await array.attrs({ signal }) }
}

function duration(seconds: number): string {
  if (seconds < 1) return `${Math.max(0.1, seconds).toFixed(1)} s`
  return seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}
