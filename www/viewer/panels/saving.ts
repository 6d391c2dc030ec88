// The dialog that saves a slice or the whole array as a .b2nd file.
import { isB2ndError, type Attributes } from '../../js/index.js'
import { button, bytes, fill, h, saveAs } from '../dom.js'
import type { Dataset } from '../model/dataset.js'
import { dtypeName } from '../model/dtype-names.js'
import type { Extract } from '../model/extract.js'
import { Newest } from '../model/loader.js'
import { inMemory, MAX_MEMORY_BYTES, Saving, type Estimate } from '../model/saving.js'
import { addRules } from '../rules.js'
import type { Words } from './advice.js'
import { showError } from './error-box.js'
import { SavingForm, type Savable } from './saving-form.js'
import rules from './saving.css'
import './dialog.js'

addRules(rules)

type Picker = (options: object) => Promise<FileSystemFileHandle>

export class SavingDialog {
  readonly element: HTMLDialogElement
  readonly #dataset: Dataset
  readonly #form: SavingForm
  readonly #estimate = h('div', { class: 'estimate', role: 'status' })
  readonly #message = h('div', { 'aria-live': 'polite' })
  readonly #progress = h('progress', { max: 1, hidden: true, 'aria-label': 'progress' })
  readonly #save = button('Save…', () => void this.#run(), { class: 'primary' })
  readonly #stop = button('Close', () => this.#leave())
  readonly #newest = new Newest()
  readonly #kept = new Map<Extract, Saving>()
  #running: AbortController | undefined

  constructor(dataset: Dataset, savable: Record<string, Savable>, isWhole: boolean) {
    this.#dataset = dataset
    this.#form = new SavingForm(dataset, savable, isWhole, () => void this.#measure())
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
      this.#form.element,
      this.#estimate,
      this.#progress,
      this.#message,
      h('div', { class: 'buttons' }, this.#save, this.#stop),
    )
    // The browser closes a dialog with Escape, which also stops.
    this.element.addEventListener('close', () => this.#end())
  }

  show(): void {
    this.element.showModal()
    void this.#measure()
  }

  get #extract(): Extract {
    return this.#form.savable.extract
  }

  get #saving(): Saving {
    const saving = this.#kept.get(this.#extract) ?? new Saving(this.#extract)
    this.#kept.set(this.#extract, saving)
    return saving
  }

  /** Shows what the choice costs. */
  async #measure(): Promise<void> {
    this.#save.disabled = true
    this.#estimate.classList.add('coming')
    fill(this.#message)
    await this.#newest
      .run(async signal => {
        const estimate = await this.#saving.estimate(this.#form.choice, signal)
        signal.throwIfAborted()
        this.#save.disabled = false
        this.#tell(estimate)
      })
      .catch((error: unknown) => {
        fill(this.#estimate)
        void showError(this.#message, error)
      })
  }

  #tell({ nbytes, cbytes, seconds, chunks, blocks }: Estimate): void {
    this.#estimate.classList.remove('coming')
    this.#form.suggest({ chunks, blocks })
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
        `ratio ${(nbytes / cbytes || 0).toPrecision(3)} · about ${duration(seconds)}, by samples · ${dtype.startsWith('[') ? 'structures' : dtypeName(dtype)} (${shape.join(', ')})`,
      ),
      this.#dataset.missing?.unwritten &&
        h('p', { class: 'hint' }, 'Values that were never written are saved as zeros.'),
      !picker() &&
        h(
          'p',
          { class: 'hint' },
          `This browser keeps the file in memory until it is complete: ${bytes(MAX_MEMORY_BYTES)} at most.`,
        ),
    )
  }

  async #run(): Promise<void> {
    const { name } = this.#form.savable
    const { signal } = (this.#running = new AbortController())
    fill(this.#message)
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
      if ((error as Error).name !== 'AbortError') void showError(this.#message, error, { words: wordsFor(error) })
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
    saveAs(blob, name)
    return blob.size
  }

  async #write(sink: Parameters<Saving['write']>[0], signal: AbortSignal): Promise<void> {
    const { isWhole, attrs } = this.#form.savable
    const described = isWhole ? await describing(this.#dataset, signal) : { attrs: attrs as Attributes }
    await this.#saving.write(sink, { ...this.#form.choice, ...described }, signal, share => this.#busy(share))
  }

  #busy(share: number | null): void {
    this.#progress.hidden = share === null
    this.#progress.value = share ?? 0
    this.#save.disabled = share !== null
    this.#form.element.inert = share !== null
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

/** A remedy that may help against an error of the place; `null` for others. */
function wordsFor(error: unknown): Words | null {
  const isOfPlace = isB2ndError(error)
    ? error.message.startsWith('the file cannot be written')
    : error instanceof DOMException
  if (!isOfPlace) return null
  return [
    'The file cannot be written',
    'The device may be full, or the browser may not write there: choose another place.',
  ]
}

/** The metalayers and attributes of a file, for a copy of it. */
async function describing(
  { array }: Dataset,
  signal: AbortSignal,
): Promise<{ metalayers?: Attributes; attrs?: Attributes }> {
  if (!array || array.info.reference) return {}
  const { b2nd: _, caterva: __, ...metalayers } = array.metalayers
  return { metalayers, attrs: await array.attrs({ signal }) }
}

function duration(seconds: number): string {
  if (seconds < 1) return `${Math.max(0.1, seconds).toFixed(1)} s`
  return seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}
