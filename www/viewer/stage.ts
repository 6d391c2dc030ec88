// The layout around a view: controls, dimensions, file information, panels, and the status line.

import { atFrame, bytes, button, fill, h, nowAndThen, onScheme, plural, say } from './dom.js'
import { find, type Shortcut } from './keys.js'
import { whereIs } from './model/names.js'
import type { Events, Session } from './model/session.js'
import { views } from './model/suggest.js'
import { Controls, VIEW_NAMES } from './panels/controls.js'
import { Dimensions } from './panels/dims.js'
import { showError } from './panels/error-box.js'
import type { ExportPanel } from './panels/export.js'
import { Facts } from './panels/facts.js'
import type { Statistics } from './panels/statistics.js'
import { shortcuts } from './shortcuts.js'
import type { Labelling } from './views/labelling.js'
import type { View } from './views/view.js'
import { viewNamed } from './views/views.js'

/** The panels next to the view. */
interface Panel {
  element: HTMLElement
  /** The view has changed. */
  update?(): void
  /** The array is closed. */
  leave?(): void
}
type PanelName = 'contrast' | 'labels' | 'statistics' | 'export'
interface Opened {
  name: PanelName
  /** Once it is there. */
  panel?: Panel
}

/** Reads that take longer can be cancelled, in milliseconds. */
const LONG = 1000
/** A width in pixels, as in the style sheet. */
const NARROW = 900

export class Stage {
  readonly element: HTMLElement
  readonly session: Session
  readonly controls: Controls
  readonly dims: Dimensions
  readonly facts: Facts
  /** Rarely used panels are loaded on demand. */
  readonly #panels: Record<PanelName, () => Panel | Promise<Panel>>
  #panel: Opened | null = null
  #help: HTMLDialogElement | undefined
  view: View | null = null
  #shown = ''
  /** How many slices were shown. */
  #seen = 0
  #closed = false
  #statistics: Promise<Statistics> | undefined
  #loaded = false
  readonly #area = h('div', { class: 'area' })
  readonly #reference = h('div')
  readonly #notice = h('div', { class: 'notice' })
  readonly #readout = h('output', { class: 'readout', role: 'status', 'aria-label': 'value' })
  readonly #meter = h('span', { class: 'meter' })
  readonly #where = h('span', { class: 'where' })
  readonly #note = h('span', { class: 'note' })
  readonly #progress = h('progress', { max: 1, class: 'reading', 'aria-label': 'reading', hidden: true })
  readonly #cancel = button('Cancel', () => this.session.cancel(), { hidden: true, class: 'cancel' })
  #long = 0
  #percent: number | null = null
  #asked: Events['costly'] = null
  #narrow: boolean | undefined
  readonly #observer = new ResizeObserver(atFrame(() => this.#fit()))
  readonly #side = h('div', { class: 'side' })
  readonly #unwatchScheme = onScheme(() => {
    this.view?.update()
    this.facts.draw()
  })
  readonly #shortcuts: readonly Shortcut[]

  constructor(session: Session, link: () => string, labelling: () => Promise<Labelling>, recover?: () => void) {
    this.session = session
    const statistics = () =>
      (this.#statistics ??= import('./panels/statistics.js').then(
        ({ Statistics }) => new Statistics(session, () => this.view),
      ))
    this.controls = new Controls(session, this.#tools(), () => void statistics().then(panel => panel.compute(true)))
    this.dims = new Dimensions(session)
    this.facts = new Facts(session.dataset, () => {
      session.learned()
      this.controls.update()
      this.dims.update()
      this.view?.update()
    })
    let exporting: Promise<Panel> | undefined
    let contrast: Promise<Panel> | undefined
    let labels: Promise<Panel> | undefined
    this.#panels = {
      contrast: () => (contrast ??= import('./panels/contrast.js').then(({ Contrast }) => new Contrast(session))),
      labels: () =>
        (labels ??= Promise.all([import('./panels/labels.js'), labelling()]).then(
          ([{ LabelsPanel }, labelling]) => new LabelsPanel(labelling),
        )),
      statistics,
      export: () =>
        (exporting ??= import('./panels/export.js').then(
          ({ ExportPanel }) => new ExportPanel(session, () => this.view, link),
        )),
    }
    this.#shortcuts = shortcuts(this)
    this.element = h(
      'div',
      { class: 'stage' },
      this.facts.element,
      h(
        'div',
        { class: 'middle' },
        this.controls.element,
        this.#reference,
        this.#notice,
        h('div', { class: 'work' }, this.#area, this.#side),
        this.dims.element,
        h(
          'footer',
          { class: 'status' },
          this.#readout,
          this.#where,
          this.#note,
          this.#progress,
          this.#cancel,
          this.#meter,
        ),
      ),
    )
    if (session.dataset.imported)
      fill(
        this.#reference,
        h(
          'div',
          { class: 'reference imported' },
          session.dataset.imported,
          button('Save as .b2nd…', () => void this.#save()),
        ),
      )
    if (session.dataset.opened.info.reference)
      void import('./panels/reference.js').then(({ reference }) => fill(this.#reference, reference(session.dataset)))
    session.on('state', changed => this.#update(changed))
    session.on('readout', text => say(this.#readout, text))
    session.on('where', index => say(this.#where, index ? whereIs(session.dataset, index) : ''))
    session.on('busy', share => this.#busy(share))
    session.on('shown', shown => this.#wasShown(shown))
    session.on('costly', costly => this.#costly(costly))
    session.on('error', error => {
      void showError(this.#notice, error, { close: () => fill(this.#notice), retry: () => this.#again(), recover })
      this.#busy(null)
      this.#loadFacts()
    })
  }

  /** Shows the first view. */
  start(): void {
    this.#observer.observe(this.element)
    this.#fit()
    this.controls.reveal()
    this.#update(['view'])
    this.meter()
  }

  /** Hides the file information, unless the user asks for it at this width. */
  #fit(): void {
    const narrow = this.element.clientWidth < NARROW
    if (narrow === this.#narrow) return
    this.#narrow = narrow
    this.element.classList.add('no-facts')
  }

  close(): void {
    this.#closed = true
    this.#observer.disconnect()
    clearTimeout(this.#long)
    this.#unwatchScheme()
    this.view?.close()
    this.#panel?.panel?.leave?.()
    this.facts.close()
    this.#statistics?.then(
      statistics => statistics.close(),
      () => {},
    )
    this.session.close()
  }

  /** The traffic so far, and the size of the caches. */
  readonly meter = nowAndThen(() => {
    const { requests, bytes: read } = this.session.dataset.opened.traffic
    this.#meter.textContent = `${plural(requests, this.session.dataset.remote ? 'request' : 'read')}, ${bytes(read)} · ${bytes(this.session.loader.held)} in memory`
  })

  toggleFacts(): void {
    this.element.classList.toggle('no-facts')
  }

  /** Shows a panel, or hides it if it is shown. */
  async panel(name: PanelName): Promise<void> {
    const opened: Opened | null = (this.#panel = this.#panel?.name === name ? null : { name })
    for (const tool of this.element.querySelectorAll<HTMLElement>('[data-panel]'))
      tool.setAttribute('aria-expanded', String(tool.dataset['panel'] === opened?.name))
    if (opened) opened.panel = await this.#panels[name]()
    if (this.#panel !== opened) return
    fill(this.#side, opened?.panel?.element)
    opened?.panel?.update?.()
  }

  /** Opens the dialog that saves the array. */
  async #save(): Promise<void> {
    if (this.#panel?.name !== 'export') await this.panel('export')
    await (this.#panel?.panel as ExportPanel | undefined)?.saveArray(true)
  }

  /** The list of keys. */
  async help(): Promise<void> {
    const { help } = await import('./panels/help.js')
    if (!this.#help) this.element.append((this.#help = help(this.#shortcuts)))
    if (!this.#help.open) this.#help.showModal()
  }

  /** Retries after a failure. */
  #again(): void {
    fill(this.#notice)
    this.#shown = ''
    this.#update([])
  }

  choose(k: number): void {
    const view = views(this.session.dataset)[k]
    if (view) this.session.set({ view })
  }

  #tools(): HTMLElement {
    const panel = (label: string, name: PanelName, key: string) =>
      button(label, () => void this.panel(name), {
        'data-panel': name,
        'aria-expanded': 'false',
        title: `${label} (${key})`,
      })
    return h(
      'div',
      { class: 'tools', role: 'group', 'aria-label': 'tools' },
      h(
        'span',
        { class: 'zooming' },
        button('−', () => this.view?.zoom?.(1.5), { 'aria-label': 'zoom out', title: 'zoom out (-)' }),
        button('+', () => this.view?.zoom?.(1 / 1.5), { 'aria-label': 'zoom in', title: 'zoom in (+)' }),
        button('Fit', () => this.view?.zoom?.(0), { title: 'all of it (0)' }),
        button('1:1', () => this.view?.actual?.(), { class: 'actual', title: 'a pixel for each item (9)' }),
      ),
      button('Profile', () => this.view?.profile?.(), { title: 'values along a line (p); or shift + drag' }),
      panel('Contrast', 'contrast', 'h'),
      panel('Labels', 'labels', 'b'),
      h(
        'span',
        { class: 'of-file' },
        panel('Statistics', 'statistics', 's'),
        panel('Export', 'export', 'e'),
        button('Info', () => this.toggleFacts(), { title: 'about the file (f)' }),
      ),
      button('?', () => void this.help(), { 'aria-label': 'keys', title: 'keys (?)' }),
    )
  }

  #update(changed: Events['state']): void {
    const {
      session,
      session: { state, dataset },
    } = this
    this.controls.update()
    this.dims.update()
    const view = `${state.view} ${state.as}`
    if (view !== this.#shown) {
      this.#shown = view
      this.view?.close()
      this.view = null
      const make = viewNamed(state.view)
      // The user may have chosen another panel before this one was loaded.
      const place = (view: View) => fill(this.#area, (this.view = view).element)
      if (make instanceof Promise) {
        make.then(
          make => {
            if (this.#shown !== view || this.#closed) return
            place(make(session))
            this.view!.update()
          },
          (error: unknown) => session.emit('error', error),
        )
      } else place(make(session))
      this.element.dataset['view'] = state.view
      this.#area.setAttribute('aria-label', `${VIEW_NAMES[state.view]} of ${dataset.name}`)
      this.#area.setAttribute('role', 'region')
      this.#readout.textContent = ''
    }
    fill(this.#notice)
    const before = this.#seen
    this.view?.update(changed)
    // A view that has shown something has told the panel.
    if (this.#seen === before) this.#panel?.panel?.update?.()
  }

  #busy(share: number | null): void {
    // Shows frequent events in whole percents.
    const percent = share === null ? null : Math.floor(share * 100)
    if (percent === this.#percent) return
    this.#percent = percent
    this.dims.waiting = share !== null
    this.#progress.hidden = share === null
    if (share === null) {
      clearTimeout(this.#long)
      this.#long = 0
      this.#cancel.hidden = true
    } else this.#long ||= window.setTimeout(() => (this.#cancel.hidden = false), LONG)
    if (share === null || share === 0) this.#progress.removeAttribute('value')
    else this.#progress.value = share
    this.element.setAttribute('aria-busy', String(share !== null))
  }

  #wasShown({ cuts, others = [], note }: Events['shown']): void {
    this.#seen++
    this.#panel?.panel?.update?.()
    say(this.#note, note ?? '')
    this.facts.show([cuts, ...others])
    this.meter()
    this.#loadFacts()
  }

  /** Shows the first picture before the rest of the file information. */
  #loadFacts(): void {
    if (this.#loaded) return
    this.#loaded = true
    void this.facts.load().then(() => this.meter())
  }

  #costly(costly: Events['costly']): void {
    this.#asked = costly
    if (!costly) return fill(this.#notice)
    import('./panels/costly.js').then(
      ({ costlyNotice }) => this.#asked === costly && fill(this.#notice, costlyNotice(costly)),
      (error: unknown) => this.session.emit('error', error),
    )
  }

  key(event: KeyboardEvent): void {
    if (this.#help?.open) return
    this.view?.key?.(event)
    const shortcut = find(this.#shortcuts, event)
    if (!shortcut) return
    event.preventDefault()
    shortcut.run(event)
  }
}
