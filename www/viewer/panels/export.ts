// Export of the visible slice as a file, a figure, code or a link.
import { B2ndError } from '../../js/index.js'
import { button, bytes, choice, fill, h, saveAs, typed } from '../dom.js'
import type { Recipe } from '../model/code-recipe.js'
import { code, type Language } from '../model/code.js'
import { lengthOf } from '../model/cuts.js'
import type { Format } from '../model/formats.js'
import { axisName } from '../model/names.js'
import { projected } from '../model/projected.js'
import type { Session } from '../model/session.js'
import { clamp } from '../model/suggest.js'
import type { View } from '../views/view.js'
import { showError } from './error-box.js'
import { drawFigure, drawSvg, record } from './figure.js'
import './panel.js'

const LANGUAGES: Language[] = ['JavaScript', 'Python', 'Rust']
const FIGURES: Record<string, string | undefined> = {
  PNG: 'with axes, colours and a title',
  SVG: 'lines, to be edited',
  WebM: 'a film along the axis that is stepped through',
}
const FILES: Record<Format, string> = {
  CSV: 'text/csv',
  JSON: 'application/json',
  NDJSON: 'application/x-ndjson',
  NPY: 'application/octet-stream',
}
/** How bytes are written in CSV and JSON, and in JSON NaN and infinities, in the order of the engine's numbers. */
const BYTES = { escapes: 'bytes as \\xC3', utf8: 'bytes as UTF-8', base64: 'bytes as base64', hex: 'bytes as hex' }
const NAN = { string: 'NaN as "NaN"', null: 'NaN as null', literal: 'NaN as NaN' }
/** Widths of figures in pixels, and frame rates of videos. */
const [MIN_WIDTH, MAX_WIDTH] = [200, 8000]
const FPS = 10
/** The maximum size of text that a page can handle well. */
const MAX_TEXT_BYTES = 512e6

export class ExportPanel {
  readonly element = h('div', { class: 'panel' })
  readonly #session: Session
  readonly #view: () => View | null
  readonly #link: () => string
  readonly #message = h('div', { 'aria-live': 'polite' })
  readonly #code = h('pre', { tabIndex: 0, 'aria-label': 'code' })
  readonly #size = h('p', { class: 'hint' })
  readonly #width = typed('width in pixels', 1200, () => {}, 5)
  readonly #figures = h(
    'div',
    {},
    h(
      'div',
      { class: 'buttons' },
      ...['PNG', 'SVG', 'WebM'].map(format =>
        button(format, () => void this.save(format), { 'data-format': format, title: FIGURES[format] }),
      ),
      h('label', { class: 'field' }, h('span', {}, 'width'), this.#width, h('span', {}, 'px')),
    ),
  )
  #language: Language = 'Python'
  /** The numbers of how bytes and NaN are written. */
  readonly #style: [number, number] = [0, 0]

  constructor(session: Session, view: () => View | null, link: () => string) {
    this.#session = session
    this.#view = view
    this.#link = link
    const languages = h(
      'div',
      { class: 'tabs small', role: 'group', 'aria-label': 'language' },
      ...LANGUAGES.map(language =>
        button(
          language,
          () => {
            this.#language = language
            this.update()
          },
          { 'aria-pressed': 'false' },
        ),
      ),
    )
    fill(
      this.element,
      h('h2', {}, 'Export'),
      this.#size,
      h(
        'div',
        { class: 'buttons' },
        ...Object.keys(FILES).map(format => button(format, () => void this.save(format))),
        button('B2ND…', () => void this.saveArray(), {
          title: 'the slice or the whole array, compressed as you choose',
        }),
      ),
      h('div', { class: 'buttons' }, this.#choice('In text', BYTES, 0), this.#choice('In JSON', NAN, 1)),
      this.#figures,
      h('h2', {}, 'The code for this slice'),
      languages,
      this.#code,
      h(
        'div',
        { class: 'buttons' },
        button('Copy code', () => void this.#copy(this.#code.textContent, 'The code')),
        button('Copy link', () => void this.#copy(this.#link(), 'The link')),
      ),
      this.#message,
    )
  }

  update(): void {
    const view = this.#view()
    if (!view) return
    const figure = view.figure?.()
    this.#figures.hidden = !figure
    const possible: Record<string, boolean> = {
      SVG: Boolean(figure?.chart),
      WebM: Boolean(figure?.picture) && this.#session.active !== null,
    }
    for (const button of this.#figures.querySelectorAll<HTMLElement>('button'))
      button.hidden = possible[button.dataset['format']!] === false
    const cuts = view.cuts()
    const recipe: Recipe = view.recipe?.() ?? { projection: null }
    this.#code.textContent = code(this.#language, this.#session.dataset, cuts, recipe, this.#session.state)
    for (const tab of this.element.querySelectorAll('[aria-pressed]'))
      tab.setAttribute('aria-pressed', String(tab.textContent === this.#language))
    const text = cuts.map(cut => (typeof cut === 'number' ? cut : `${cut.start}:${cut.stop}`)).join(', ')
    this.#size.textContent = `What is shown: ${this.#projected(view)}[${text}]`
  }

  #choice(label: string, options: Record<string, string>, place: 0 | 1): HTMLElement {
    const keys = Object.keys(options)
    return choice(label, options, keys[0]!, key => (this.#style[place] = keys.indexOf(key)))
  }

  /** Ends what is being saved. */
  leave(): void {
    this.element.querySelector('dialog')?.close()
  }

  async save(format: string): Promise<void> {
    const view = this.#view()
    if (!view) return
    try {
      const blob = FIGURES[format] ? await this.#figure(format, view) : await this.#file(format as Format, view)
      const [stem] = this.#session.dataset.name.split(/\.(?=[^.]*$)/)
      const name = `${stem}.${format.toLowerCase()}`
      saveAs(blob, name)
      fill(this.#message, h('p', { class: 'hint' }, `${name}: ${bytes(blob.size)}`))
    } catch (error) {
      void showError(this.#message, error, { close: () => fill(this.#message) })
    }
  }

  async #file(format: Format, view: View): Promise<Blob> {
    const { dataset, drawn, state } = this.#session
    const cuts = view.cuts()
    const projection = view.recipe?.().projection
    // Checked first, because the size may exceed the memory of any computer.
    const size = cuts.reduce(
      (product: number, cut, axis) =>
        product * (typeof cut === 'number' || axis === projection?.axis ? 1 : lengthOf(cut)),
      dataset.itemsize,
    )
    if (size > MAX_TEXT_BYTES)
      throw new B2ndError('limit', `this is ${bytes(size)}: look at a part of it, or use the code below`)
    const { bytes: stored } = await dataset.plan(cuts)
    fill(this.#message, h('p', { class: 'hint' }, `Reading ${bytes(stored)} …`))
    const { piece, type, dtype } = projection
      ? { ...(await projected(dataset, drawn, cuts, projection, state.part)), dtype: null }
      : { piece: await dataset.read(cuts), type: dataset.type, dtype: dataset.array?.dtype ?? null }
    const { parts } = await import('../model/formats.js')
    return new Blob(await parts(format, dtype, type, piece, this.#style), { type: FILES[format] })
  }

  /** Opens the dialog for .b2nd files: for what is shown, or for the whole array. */
  async saveArray(isWhole = false): Promise<void> {
    const view = this.#view()
    if (!view) return
    const { dataset, drawn, state } = this.#session
    try {
      const [{ SavingDialog }, { everything, holding, slicing }, { attributesOf, nameFor }] = await Promise.all([
        import('./saving.js'),
        import('../model/extract.js'),
        import('../model/described.js'),
      ])
      const cuts = view.cuts()
      const projection = view.recipe?.().projection
      const made = projection && (await projected(dataset, drawn, cuts, projection, state.part))
      const shown = made ? holding(made.piece, made.type) : slicing(dataset, cuts)
      const isAll = !made && cuts.every((cut, axis) => typeof cut !== 'number' && lengthOf(cut) === dataset.shape[axis])
      const [stem] = dataset.name.split(/\.(?=[^.]*$)/)
      const all = { extract: slicing(dataset, everything(dataset)), isWhole: true, name: `${stem}.b2nd` }
      const whole = { 'The whole array': all }
      const axis = projection?.axis
      const described = { name: nameFor(dataset, cuts, axis), attrs: attributesOf(dataset, cuts, axis) }
      const part = { 'What is shown': { extract: shown, isWhole: false, ...described } }
      const dialog = new SavingDialog(dataset, isAll ? whole : { ...part, ...whole }, isWhole)
      dialog.element.addEventListener('close', () => dialog.element.remove())
      this.element.append(dialog.element)
      dialog.show()
    } catch (error) {
      void showError(this.#message, error, { close: () => fill(this.#message) })
    }
  }

  async #figure(format: string, view: View): Promise<Blob> {
    const width = clamp(Math.round(Number(this.#width.value)) || 1200, MIN_WIDTH, MAX_WIDTH)
    const figure = () => {
      const figure = view.figure?.()
      if (!figure) throw new Error('this view is no picture: choose another')
      return figure
    }
    if (format === 'SVG')
      return new Blob([drawSvg(figure(), this.#title(view), width, this.element)], { type: 'image/svg+xml' })
    // Some players do not support videos with odd sizes.
    const draw = (width: number) => drawFigure(figure(), this.#title(view), width, this.element)
    if (format === 'WebM')
      return record(
        this.#frames(() => draw(2 * Math.floor(width / 2))),
        FPS,
      )
    return new Promise((resolve, reject) =>
      draw(width).toBlob(blob => (blob ? resolve(blob) : reject(new Error('no picture could be made'))), 'image/png'),
    )
  }

  /** The file name, with the slice. */
  #title(view: View): string {
    const text = view
      .cuts()
      .map((cut, axis) =>
        typeof cut === 'number'
          ? cut
          : cut.start === 0 && cut.stop === this.#session.dataset.shape[axis]
            ? ':'
            : `${cut.start}:${cut.stop}`,
      )
    return `${this.#projected(view)}${this.#session.dataset.name}[${text.join(', ')}]`
  }

  #projected(view: View): string {
    const projection = view.recipe?.().projection
    return projection ? `the ${projection.how} over ${axisName(this.#session.dataset, projection.axis)} of ` : ''
  }

  /** Yields a picture for each position along the active axis, and restores the position. */
  async *#frames(draw: () => HTMLCanvasElement): AsyncGenerator<HTMLCanvasElement> {
    const session = this.#session
    const axis = session.active!
    const [before, length] = [session.state.index[axis]!, session.dataset.shape[axis]!]
    try {
      for (let k = 0; k < length; k++) {
        fill(this.#message, h('p', { class: 'hint' }, `Frame ${k + 1} of ${length} …`))
        const shown = session.next('shown')
        if (session.state.index[axis] === k) session.emit('state', ['index'])
        else session.go(axis, k)
        await shown
        yield draw()
      }
    } finally {
      session.go(axis, before)
    }
  }

  async #copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      fill(this.#message, h('p', { class: 'hint' }, `${what} is in the clipboard.`))
    } catch {
      fill(
        this.#message,
        h('p', { class: 'hint' }, 'The browser allows no copying here; this is it:'),
        h('pre', { tabIndex: 0 }, text),
      )
    }
  }
}
