// <b2nd-viewer> shows an array, or the members of a store.
//
// Attributes: `src`, a URL to open; `state`, the parameters of a link: member, view, axes, index, …; `member`, `slice`,
// `colormap`, `range`; `controls`: none, minimal or full.
// Properties: these, `open(source)`, `subtract(first, second)`, `close()`, `state`, `session`.
// It handles keys and the wheel while it has the focus.
// Events, all bubbling: `b2nd-open` when a file is open, `b2nd-state` when the view changes (detail: the
// parameters that restore it), `b2nd-error` (detail: the error), `b2nd-shown` after each drawing, `b2nd-hover` and
// `b2nd-select` for what is under the pointer and what was chosen.

import { isB2ndError, type OpenOptions } from '../js/index.js'
import { button, h, fill } from './dom.js'
import { Dataset, type Source } from './model/dataset.js'
import type { Members } from './model/members.js'
import type { Rows } from './model/rows.js'
import { Session } from './model/session.js'
import { fromParams, toParams } from './model/state.js'
import { fitState } from './model/suggest.js'
import { loadPrinter } from './model/texts.js'
import { needsTexts } from './model/values.js'
import { workers } from './model/workers.js'
import { showError } from './panels/error-box.js'
import type { MembersPanel } from './panels/members.js'
import type { Records } from './panels/records.js'
import { addRules, sheet } from './rules.js'
import { Stage } from './stage.js'
import type { Labelling } from './views/labelling.js'
import rules from './viewer.css'

addRules(rules)

/** The size of the cache of decoded slices in bytes. */
const budget = () => Math.min(512e6, ((navigator as { deviceMemory?: number }).deviceMemory ?? 4) * 64e6)

/** Files in other formats, as frames in memory: another tab does not encode them again. */
const frames = new WeakMap<Source, Source>()

/** How a file is opened. */
interface Opening extends OpenOptions {
  signal: AbortSignal
}

/** Gets the share of a file in another format that was converted. */
type OnProgress = (share: number) => void

/** An open store. */
interface OpenStore {
  source: Source
  members: Members
  panel: MembersPanel
  /** The key of the member that is shown. */
  key: string
}

/** Attributes that are parts of the state. */
const PARTS = ['member', 'slice', 'colormap', 'range'] as const

export class B2ndViewer extends HTMLElement {
  static readonly observedAttributes = ['src', 'state', ...PARTS]
  /** These properties have the values of the attributes. */
  declare src: string | null
  declare controls: string | null
  declare member: string | null
  declare slice: string | null
  declare colormap: string | null
  declare range: string | null
  readonly #root = this.attachShadow({ mode: 'open' })
  readonly #main = h('div', { class: 'viewer' })
  #stage: Stage | undefined
  #records: Records | undefined
  #store: OpenStore | undefined
  #opening: AbortController | undefined
  #timer = 0
  /** Whether a file was opened already, perhaps by a link in `state`. */
  #wanted = ''
  /** Returns a link to the view, if the surrounding page supports that. */
  link: () => string = () => location.href

  constructor() {
    super()
    this.#root.adoptedStyleSheets = [sheet]
    this.#root.append(this.#main)
    // Only the viewer with the focus handles keys.
    this.addEventListener('keydown', event => this.#stage?.key(event))
  }

  get session(): Session | undefined {
    return this.#stage?.session
  }

  get stage(): Stage | undefined {
    return this.#stage
  }

  /** The parameters that restore the view. */
  get state(): string {
    const { session } = this
    if (!session && !this.#records) return this.#wanted
    const member = this.#store ? { member: this.#store.key } : {}
    const view = session ? toParams(session.state, session.base) : []
    return new URLSearchParams([...Object.entries(member), ...view]).toString()
  }

  set state(text: string) {
    this.#wanted = text
    const { session } = this
    const key = memberIn(text)
    if (this.#store && key !== null && key !== this.#store.key) void this.#showMember(key, text)
    else if (session && text !== this.state)
      session.set(fitState(session.dataset, fromParams(new URLSearchParams(text))))
  }

  attributeChangedCallback(name: string, before: string | null, text: string | null): void {
    if (before === text) return
    if (name === 'state') this.state = text ?? ''
    else if (name === 'member') void (text !== null && this.#store && this.#showMember(text))
    else if (name !== 'src')
      void (
        this.session && this.#withAttributes(this.state, this.session.dataset, true).then(state => (this.state = state))
      )
    // The other attribute may come next.
    else queueMicrotask(() => this.getAttribute('src') === text && this.#follow(text))
  }

  /** A state with what the attributes say. */
  async #withAttributes(state: string, { shape }: Dataset, mayReplace = false): Promise<string> {
    if (!PARTS.some(name => this.hasAttribute(name))) return state
    const { withAttributes } = await import('./model/attributes.js')
    return withAttributes(state, name => this.getAttribute(name), shape, mayReplace)
  }

  #follow(src: string | null): void {
    if (!src) return this.close()
    let url = src
    try {
      url = new URL(src, document.baseURI).href
    } catch {
      // Whoever opens it will say so.
    }
    void this.open({ name: nameOf(url), openable: url, url })
  }

  connectedCallback(): void {
    const own = { tabindex: '0', role: 'group', 'aria-label': 'array viewer' }
    for (const [name, value] of Object.entries(own)) if (!this.hasAttribute(name)) this.setAttribute(name, value)
  }

  disconnectedCallback(): void {
    this.close()
  }

  /** Opens a file and shows it according to `state`. Closes the previous one. */
  async open(source: Source, state = this.#wanted): Promise<void> {
    this.close()
    this.#wanted = state
    const opening = (this.#opening = new AbortController())
    const again = () => void this.open(source, state)
    const open = (options: Opening, onProgress: OnProgress) => this.#dataset(source, state, options, onProgress)
    return this.#showing(source.name, opening, state, open, again, source)
  }

  /** The content of a file; of a store the member that `state` names, or the first. */
  async #dataset(source: Source, state: string, options: Opening, onProgress: OnProgress): Promise<Dataset | Rows> {
    let dataset: Dataset | undefined
    // What a large plane needs comes while its file is opened.
    const ahead = source.url ? import('./model/ahead.js').catch(() => null) : null
    if (ahead) import('./model/refine.js').catch(() => {})
    if (!source.folder) {
      try {
        dataset = await this.#datasetOf(source, options, onProgress)
        void ahead?.then(loaded => loaded?.hurry(dataset!, options.signal))
        const { metalayers } = dataset.opened
        if ('vlarray' in metalayers || 'batcharray' in metalayers) {
          const { rowsOfObjects } = await import('./model/rows.js')
          return (await rowsOfObjects(dataset.opened, options.signal)) ?? dataset
        }
        if (!('b2embed' in metalayers)) return dataset
      } catch (error) {
        // At the address of a server there is no frame.
        if (!isB2ndError(error, source.url?.endsWith('/') ? 'http' : 'unsupported')) throw error
        const { mayHaveMembers } = await import('./open/stores.js')
        if (!(await mayHaveMembers(source, error))) throw error
      }
    }
    const { membersOf } = await import('./open/stores.js')
    const members = await membersOf(source, options)
    if (!members) return dataset ?? Dataset.open(source, options)
    await dataset?.close()
    return this.#member(await this.#enter(source, members, memberIn(state) ?? this.member, options.signal), options)
  }

  /** Shows the tree of a store. Returns the key of the member to show. */
  async #enter(source: Source, members: Members, wanted: string | null, signal: AbortSignal): Promise<string> {
    const { MembersPanel } = await import('./panels/members.js')
    const panel = new MembersPanel(
      source.name,
      members,
      key => void this.#showMember(key),
      () => void this.open(source),
    )
    if (signal.aborted) await members.close()
    signal.throwIfAborted()
    const key = wanted ?? panel.first
    this.#store = { source, members, panel, key: key ?? '' }
    this.#root.replaceChildren(h('div', { class: 'store' }, panel.element, this.#main))
    if (key === undefined) throw new Error('this store is empty')
    panel.current = key
    return key
  }

  async #member(key: string, options: OpenOptions): Promise<Dataset | Rows> {
    const { members, source } = this.#store!
    const [{ openMember }, { withLevels }] = await Promise.all([
      import('./model/members.js'),
      import('./open/levels.js'),
    ])
    const member = await openMember(members, key, source, options)
    return member instanceof Dataset ? withLevels(member, members, key, options) : member
  }

  /** Shows another member of the store. */
  async #showMember(key: string, state = ''): Promise<void> {
    const store = this.#store!
    this.#leave()
    this.#wanted = state
    store.key = store.panel.current = key
    const opening = (this.#opening = new AbortController())
    const open = (options: OpenOptions) => this.#member(key, options)
    await this.#showing(key, opening, state, open, () => void this.#showMember(key, state))
    this.#changed()
  }

  /** The dataset of a file, also of one in another format. */
  async #datasetOf(source: Source, options: Opening, onProgress: OnProgress): Promise<Dataset> {
    let frame = frames.get(source)
    let failure: unknown
    if (frame || !source.isCut)
      try {
        return await Dataset.open(frame ?? source, options)
      } catch (error) {
        if (!isB2ndError(error, 'format', 'not-ranged')) throw error
        failure = error
      }
    const { imported } = await import('./open/imported.js')
    frame = (await imported(source, { signal: options.signal, onProgress })) ?? undefined
    if (!frame) throw failure
    frames.set(source, frame)
    return Dataset.open(frame, options)
  }

  /** Shows the difference of the arrays in two other viewers. */
  async subtract(first: B2ndViewer, second: B2ndViewer, state = ''): Promise<void> {
    this.close()
    this.#wanted = state
    const [a, b] = [first.session?.dataset, second.session?.dataset]
    if (!a || !b) return
    const { Difference } = await import('./model/difference.js')
    return this.#showing(
      'difference',
      (this.#opening = new AbortController()),
      state,
      async () => new Difference(a, b),
      () => void this.subtract(first, second, state),
    )
  }

  async #showing(
    name: string,
    opening: AbortController,
    state: string,
    open: (options: Opening, onProgress: OnProgress) => Promise<Dataset | Rows>,
    again: () => void,
    source?: Source,
  ): Promise<void> {
    const { signal } = opening
    const cancel = () => {
      opening.abort()
      void showError(this.#main, new DOMException('it was not waited for', 'AbortError'), { retry: again })
    }
    const progress = h('progress', { max: 1, hidden: true, 'aria-label': 'progress' })
    fill(
      this.#main,
      h(
        'div',
        { class: 'opening' },
        h('p', { role: 'status' }, `Opening ${name} …`),
        progress,
        button('Cancel', cancel),
      ),
    )
    try {
      const meter = { use: () => {} }
      const onProgress = (share: number) => {
        progress.hidden = false
        // Some decoders do not tell how far they are.
        if (share) progress.value = share
      }
      const opened = await open({ signal, decoder: workers, onTraffic: () => meter.use() }, onProgress)
      // Without it the bar has ellipses; a value that is asked for tells why.
      if (opened instanceof Dataset && needsTexts(opened.type)) await loadPrinter().catch(() => {})
      if (signal.aborted) return void opened.close()
      if (!(opened instanceof Dataset)) {
        await this.#list(name, opened, signal, source)
        return
      }
      const wanted = new URLSearchParams(await this.#withAttributes(state, opened))
      const session = new Session(opened, fromParams(wanted), budget())
      const around = {
        source,
        store: this.#store && { ...this.#store },
        budget: budget(),
        signal,
        open: (source: Source, signal: AbortSignal) => this.#datasetOf(source, { signal, decoder: workers }, () => {}),
      }
      let labelling: Promise<Labelling> | undefined
      const label = () =>
        (labelling ??= import('./views/labelling.js').then(({ Labelling }) => new Labelling(session, around)))
      const recover = source && !this.#store ? () => void this.open({ ...source, isCut: true }, state) : undefined
      this.#stage = new Stage(session, () => this.link(), label, recover)
      meter.use = () => this.#stage?.meter()
      session.on('state', () => this.#changed())
      session.on('error', error => this.#tell('b2nd-error', error))
      let index: readonly (number | null)[] | null = null
      session.on('where', at => (index = at))
      session.on('readout', text => this.#tell('b2nd-hover', { index, text }))
      session.on('picked', picked => this.#tell('b2nd-select', picked))
      session.on('shown', shown => this.#tell('b2nd-shown', shown))
      fill(this.#main, this.#stage.element)
      this.#stage.start()
      const isCase = opened.shape.length === 4 && opened.blocks?.[0] === 1
      if (session.state.over || source?.labels || this.#store || (source?.url && isCase)) void label()
      this.#tell('b2nd-open', { name: opened.name })
    } catch (error) {
      if (signal.aborted) return
      // The first bytes tell which other kind of file it is.
      const words =
        source && !this.#store && isB2ndError(error, 'format', 'unsupported', 'limit')
          ? await import('./panels/diagnose.js').then(({ diagnose }) => diagnose(source, error))
          : null
      if (signal.aborted) return
      await showError(this.#main, error, { retry: again, words })
      if (signal.aborted) return
      this.#tell('b2nd-error', error)
    }
  }

  /** Shows rows. */
  async #list(name: string, rows: Rows, signal: AbortSignal, file?: Source): Promise<void> {
    const [{ Records }, { queriesOf }] = await Promise.all([
      import('./panels/records.js'),
      import('./open/rows-client.js'),
    ])
    if (signal.aborted) return rows.close()
    const source = this.#store?.source ?? file
    const place = source ? { source, key: this.#store?.key ?? null } : null
    this.#records = new Records(name, rows, () => queriesOf(rows, place))
    fill(this.#main, this.#records.element)
    this.#tell('b2nd-open', { name })
  }

  close(): void {
    this.#leave()
    if (!this.#store) return
    this.#root.replaceChildren(this.#main)
    void this.#store.members.close()
    this.#store = undefined
  }

  /** Closes the array that is shown. */
  #leave(): void {
    clearTimeout(this.#timer)
    this.#opening?.abort()
    this.#stage?.close()
    this.#records?.close()
    this.#stage = this.#records = undefined
    fill(this.#main)
  }

  #changed(): void {
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => this.#tell('b2nd-state', this.state), 250)
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

/** The key of the member that a state names. */
const memberIn = (state: string): string | null => new URLSearchParams(state).get('member')

/** The last part of an address, decoded. */
export function nameOf(url: string): string {
  const name =
    url
      .replace(/[?#].*/, '')
      .replace(/\/$/, '')
      .split('/')
      .at(-1) || url
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

for (const name of ['src', 'controls', ...PARTS])
  Object.defineProperty(B2ndViewer.prototype, name, {
    get(this: B2ndViewer) {
      return this.getAttribute(name)
    },
    set(this: B2ndViewer, text: string | null) {
      if (text === null) this.removeAttribute(name)
      else this.setAttribute(name, text)
    },
  })

// A notebook may run the module again.
if (!customElements.get('b2nd-viewer')) customElements.define('b2nd-viewer', B2ndViewer)
