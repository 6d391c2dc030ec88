import { isB2ndError, type OpenOptions } from '../js/index.js'
import { Dataset, type Source } from './data/dataset.js'
import type { Members } from './data/members.js'
import { fromParams, toParams } from './data/state.js'
import { workers } from './data/workers.js'
import { button, h, fill } from './dom.js'
import type { MembersPanel } from './panels/members.js'
import { trouble } from './panels/trouble.js'
import { Session } from './session.js'
import { Stage } from './stage.js'
// <b2nd-viewer> shows an array, or the members of a store.
//
// Attributes: `src`, a URL to open; `state`, the parameters of a link: member, view, axes, index, …
// Properties: `open(source)`, `subtract(first, second)`, `close()`, `state`, `session`.
// It handles keys and the wheel while it has the focus.
// Events, all bubbling: `b2nd-open` when a file is open, `b2nd-state` when the view changes (detail: the
// parameters that restore it), `b2nd-error` (detail: the error), `b2nd-shown` after each drawing.
import style from './viewer.css'

/** The size of the cache of decoded slices in bytes. */
const budget = () => Math.min(512e6, ((navigator as { deviceMemory?: number }).deviceMemory ?? 4) * 64e6)

/** Files in other formats, as frames in memory: another tab does not encode them again. */
const frames = new WeakMap<Source, Source>()

/** How a file is opened. `onProgress` gets the share of one in another format that was converted. */
interface Opening extends OpenOptions {
  signal: AbortSignal
  onProgress: (share: number) => void
}

/** An open store. */
interface OpenStore {
  source: Source
  members: Members
  panel: MembersPanel
  /** The key of the member that is shown. */
  key: string
}

export class B2ndViewer extends HTMLElement {
  static readonly observedAttributes = ['src', 'state']
  readonly #root = this.attachShadow({ mode: 'open' })
  readonly #main = h('div', { class: 'viewer' })
  #stage: Stage | undefined
  #store: OpenStore | undefined
  #opening: AbortController | undefined
  #timer = 0
  /** Whether a file was opened already, perhaps by a link in `state`. */
  #wanted = ''
  /** Returns a link to the view, if the surrounding page supports that. */
  link: () => string = () => location.href

  constructor() {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
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
    const session = this.session
    if (!session) return this.#wanted
    const member = this.#store ? { member: this.#store.key } : {}
    return new URLSearchParams([...Object.entries(member), ...toParams(session.state, session.base)]).toString()
  }

  set state(text: string) {
    this.#wanted = text
    const { session } = this
    const key = memberIn(text)
    if (this.#store && key && key !== this.#store.key) void this.#showMember(key, text)
    else if (session && text !== this.state) session.set({ ...session.base, ...fromParams(new URLSearchParams(text)) })
  }

  attributeChangedCallback(name: string, before: string | null, text: string | null): void {
    if (before === text) return
    if (name === 'state') this.state = text ?? ''
    // The other attribute may come next.
    else queueMicrotask(() => this.getAttribute('src') === text && this.#follow(text))
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
    const open = (options: Opening) => this.#datasetIn(source, state, options)
    return this.#showing(source.name, opening, state, open, again, source)
  }

  /** The dataset of a file; of a store the one that `state` names, or the first. */
  async #datasetIn(source: Source, state: string, options: Opening): Promise<Dataset> {
    let dataset: Dataset | undefined
    if (!source.folder) {
      try {
        dataset = await this.#datasetOf(source, options)
        if (!('b2embed' in dataset.opened.meta)) return dataset
      } catch (error) {
        const { isArchive } = isB2ndError(error, 'format') ? await import('./data/members.js') : {}
        if (!(await isArchive?.(source))) throw error
      }
    }
    const [{ datasetOf, membersOf }, { MembersPanel }] = await Promise.all([
      import('./data/members.js'),
      import('./panels/members.js'),
    ])
    const members = await membersOf(source, options)
    if (!members) return dataset ?? Dataset.open(source, options)
    await dataset?.close()
    const key = memberIn(state) ?? members.keys()[0]
    const panel = new MembersPanel(source.name, members, key => void this.#showMember(key))
    if (options.signal?.aborted) await members.close()
    options.signal?.throwIfAborted()
    this.#store = { source, members, panel, key: key ?? '' }
    this.#root.replaceChildren(h('div', { class: 'store' }, panel.element, this.#main))
    if (key === undefined) throw new Error('this store is empty')
    panel.current = key
    return datasetOf(members, key, source.url, options)
  }

  /** Shows another member of the store. */
  async #showMember(key: string, state = ''): Promise<void> {
    const store = this.#store!
    this.#leave()
    this.#wanted = state
    store.key = store.panel.current = key
    const opening = (this.#opening = new AbortController())
    const open = (options: OpenOptions) =>
      import('./data/members.js').then(({ datasetOf }) => datasetOf(store.members, key, store.source.url, options))
    await this.#showing(key, opening, state, open, () => void this.#showMember(key, state))
    this.#changed()
  }

  /** The dataset of a file, also of one in another format. */
  async #datasetOf(source: Source, options: Opening): Promise<Dataset> {
    try {
      return await Dataset.open(frames.get(source) ?? source, options)
    } catch (error) {
      if (!isB2ndError(error, 'format', 'not-ranged')) throw error
      const { imported } = await import('./imports/imported.js')
      const frame = await imported(source, options)
      if (!frame) throw error
      frames.set(source, frame)
      return Dataset.open(frame, options)
    }
  }

  /** Shows the difference of the arrays in two other viewers. */
  async subtract(first: B2ndViewer, second: B2ndViewer, state = ''): Promise<void> {
    this.close()
    this.#wanted = state
    const [a, b] = [first.session?.dataset, second.session?.dataset]
    if (!a || !b) return
    const { Difference } = await import('./data/difference.js')
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
    open: (options: Opening) => Promise<Dataset>,
    again: () => void,
    source?: Source,
  ): Promise<void> {
    const { signal } = opening
    const cancel = () => {
      opening.abort()
      fill(this.#main, trouble(new DOMException('it was not waited for', 'AbortError'), { retry: again }))
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
      const dataset = await open({
        signal,
        decoder: workers,
        onTraffic: () => meter.use(),
        onProgress(share) {
          progress.hidden = false
          progress.value = share
        },
      })
      if (signal.aborted) return void dataset.close()
      const session = new Session(dataset, fromParams(new URLSearchParams(state)), budget())
      this.#stage = new Stage(session, () => this.link())
      meter.use = () => this.#stage?.meter()
      session.on('state', () => this.#changed())
      session.on('trouble', error => this.#tell('b2nd-error', error))
      session.on('shown', shown => this.#tell('b2nd-shown', shown))
      fill(this.#main, this.#stage.element)
      this.#stage.start()
      this.#tell('b2nd-open', { name: dataset.name })
    } catch (error) {
      if (signal.aborted) return
      // The first bytes tell which other kind of file it is.
      const words =
        source && !this.#store && isB2ndError(error, 'format', 'unsupported', 'limit')
          ? await import('./data/diagnose.js').then(({ diagnose }) => diagnose(source, error))
          : null
      if (signal.aborted) return
      fill(this.#main, trouble(error, { retry: again, words }))
      this.#tell('b2nd-error', error)
    }
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
    this.#stage = undefined
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

customElements.define('b2nd-viewer', B2ndViewer)
