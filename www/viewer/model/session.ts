// An open array with its state, its cache and its traffic.
import type { Cost, Stats } from '../../js/index.js'
import type { Channel } from './channels.js'
import { lengthOf, type Cut } from './cuts.js'
import type { Dataset } from './dataset.js'
import { guesses } from './dataset.js'
import { KeptRanges } from './kept.js'
import { Loader, type Slab } from './loader.js'
import type { Wanted } from './plane.js'
import type { Range } from './scale.js'
import { projectionOf, type State, type Window } from './state.js'
import { axesFor, clamp, fitState, suggest, views } from './suggest.js'
import { canPrint, loadPrinter } from './texts.js'
import { partType } from './values.js'

/** Labels over pictures. */
interface Overlay {
  show(picture: object, wanted: Wanted, x: number, y: number): void
  textAt(picture: object, at: readonly [number, number]): string
  forget(): void
  close(): void
}

/** The events of a session. */
export interface Events {
  /** The state has changed. */
  state: (keyof State)[]
  /** The progress of reading; null when everything was read. */
  busy: number | null
  /** The text of the item under the cursor. */
  readout: string
  /** The position of the item under the cursor; null along a projected axis. */
  where: readonly (number | null)[] | null
  /** An item was chosen, or a rectangle of the plane. */
  picked: { index: readonly number[] } | { region: Window }
  /** A view shows a slice, perhaps one of several. */
  shown: { cuts: readonly Cut[]; others?: (readonly Cut[])[]; note?: string }
  /** A read is so expensive that the user must confirm it, perhaps after a sample that can have `more`. `null`: no longer. */
  costly: { cost: Cost; accept: () => void; sample?: Sampled | undefined; more: () => void } | null
  /** Labels were shown over a picture. */
  labelled: null
  error: unknown
}

/** How much of the blocks was read for a sample. */
export interface Sampled {
  share: number
  bytes: number
}

/** The values to draw: the range of their colours or of their axis, and a sample of them, minus the dataset's `offset`. */
export interface Look {
  limits: Range
  values: () => ArrayLike<number>
  /** The channels of a composite. */
  channels?: readonly ShownChannel[]
}

/** A channel with its own look. */
export type ShownChannel = Channel & Look

const NOTHING: Look = { limits: { min: 0, max: 1 }, values: () => [] }

/** The maximum cost of a read without confirmation. */
const MAX_UNCONFIRMED_COST = { remoteBytes: 64e6, requests: 160, decodedBytes: 768e6 }
/** Slices that cost more are sampled first. */
const MAX_COST_AT_ONCE = { remoteBytes: 4e6, requests: 24, decodedBytes: 256e6 }
/** The maximum cost of reading ahead. */
const MAX_COST_AHEAD = { remoteBytes: 3e6, decodedBytes: 16e6, positions: 3 }

export class Session {
  readonly dataset: Dataset
  readonly loader: Loader
  /** The default state. */
  base: State
  #state: State
  /** Whether a link names the view. */
  readonly #named: boolean
  /** The axis along which the wheel, keys and playing step. */
  active: number | null = null
  readonly kept = new KeptRanges()
  #whole: Stats | null = null
  #overlay: Overlay | null = null
  #look = NOTHING
  #shown: readonly Cut[] = []
  /** The bytes that samples of a plane may read. */
  budget: number
  #allowed = 1
  /** Whether a confirmation is pending. */
  asking = false
  /** Asks again, if a confirmation is pending. */
  remind = (): void => {}
  /** The number of tasks before the view shows what the state says. */
  #tasks = 0
  #listeners = new Map<keyof Events, Set<(detail: never) => void>>()
  #ahead: AbortController | undefined
  #cancelled = new AbortController()
  #direction = 1
  /** The work that waits for the printer. */
  #waiting: (() => void) | undefined

  constructor(dataset: Dataset, wanted: Partial<State>, budget: number) {
    this.dataset = dataset
    if (wanted.as) this.#interpret(wanted.as)
    this.loader = new Loader(dataset, budget)
    this.budget = dataset.remote ? 8e6 : 64e6
    this.base = suggest(dataset)
    this.#state = fitState(dataset, wanted)
    this.#named = wanted.view !== undefined
    this.active = this.steppable()[0] ?? null
  }

  /** Shows the view that the names of the file suggest, unless a link or the user chose another. */
  learned(): void {
    const before = this.base.view
    const view = views(this.dataset)[0]!
    this.base = { ...this.base, view }
    if (view !== before && !this.#named && this.state.view === before) this.set({ view })
  }

  /** The slice that the view shows, and how. Only `set` changes it. */
  get state(): State {
    return this.#state
  }

  /** Statistics of all items, once they were computed. */
  get whole(): Stats | null {
    return this.#whole
  }

  /** The labels over the image. */
  get overlay(): Overlay | null {
    return this.#overlay
  }

  /** The visible slice at full resolution. */
  get shown(): readonly Cut[] {
    return this.#shown
  }

  /** The range of the colours of the view, minus the dataset's `offset`. */
  get limits(): Range {
    return this.#look.limits
  }

  /** A sample of the visible values, also minus the `offset`. */
  get values(): () => ArrayLike<number> {
    return this.#look.values
  }

  /** The channels, if a composite is shown. */
  get channels(): readonly ShownChannel[] | null {
    return this.#look.channels ?? null
  }

  /** Returns a function that ends it. */
  on<K extends keyof Events>(name: K, use: (detail: Events[K]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(use))
    return () => void listeners.delete(use)
  }

  emit<K extends keyof Events>(name: K, detail: Events[K]): void {
    for (const use of this.#listeners.get(name) ?? []) (use as (detail: Events[K]) => void)(detail)
  }

  /** Waits for an event, or for one that makes it impossible. */
  next<K extends keyof Events>(name: K): Promise<Events[K]> {
    return new Promise((resolve, reject) => {
      const end = () => leave.forEach(leave => leave())
      const leave = [
        this.on(name, detail => {
          end()
          resolve(detail)
        }),
        this.on('error', error => {
          end()
          reject(error)
        }),
      ]
    })
  }

  set(patch: Partial<State>): void {
    if (patch.as !== undefined && patch.as !== this.state.as) {
      this.#interpret(patch.as)
      this.loader.forget()
      this.#whole = null
      patch = { ...patch, ...suggest(this.dataset), as: patch.as }
    }
    const before = this.state
    const next = { ...before, ...patch }
    // The third axis means something else in another view.
    if (next.view !== before.view && !('z' in patch)) next.z = null
    if (patch.view ?? ('x' in patch || 'y' in patch || 'z' in patch))
      Object.assign(next, axesFor(this.dataset, next, 'view' in patch && next.view !== before.view && !('y' in patch)))
    if (next.x !== before.x || next.y !== before.y || next.view !== before.view) next.window = patch.window ?? null
    if (next.view !== before.view || next.as !== before.as) [this.#look, this.#shown] = [NOTHING, []]
    this.#state = next
    const changed = (Object.keys(next) as (keyof State)[]).filter(key => next[key] !== before[key])
    if (!changed.length) return
    if (this.active === null || !this.steppable().includes(this.active)) this.active = this.steppable()[0] ?? null
    this.emit('state', changed)
  }

  /** Tells the view that comes next: the slice, and how its values are drawn. */
  present(shown: Events['shown'], look: Look = NOTHING): void {
    this.#look = look
    this.#shown = shown.cuts
    this.emit('shown', shown)
  }

  /** Keeps the statistics of all items, which the range of the whole array needs. */
  summarized(whole: Stats): void {
    this.#whole = whole
    if (this.state.range === 'whole') this.emit('state', [])
  }

  /** Puts labels over the image, or takes them away. */
  cover(overlay: Overlay | null): void {
    this.#overlay?.close()
    this.#overlay = overlay
    if (overlay) this.emit('state', [])
    this.emit('labelled', null)
  }

  /** The hidden axes with more than one position. */
  steppable(): number[] {
    const { x, y, z, view } = this.state
    const over = projectionOf(this.state)?.axis ?? null
    const shown =
      view === 'planes' || view === 'text' ? [] : view === 'table' || view === 'line' ? [x, y] : [x, y, z, over]
    return this.dataset.shape.flatMap((length, axis) => (length > 1 && !shown.includes(axis) ? [axis] : []))
  }

  /** Moves along an axis; wraps around at the ends if `wrap`. */
  step(by: number, axis = this.active, wrap = false): boolean {
    if (axis === null) return false
    const length = this.dataset.shape[axis]!
    const at = this.state.index[axis]! + by
    return this.go(axis, wrap ? ((at % length) + length) % length : clamp(at, 0, length - 1))
  }

  go(axis: number, position: number): boolean {
    const index = [...this.state.index]
    if (index[axis] === position) return true
    this.#direction = Math.sign(position - index[axis]!)
    index[axis] = position
    this.set({ index })
    return true
  }

  /** The dtype of the drawn values. */
  get drawn() {
    return partType(this.dataset.type, this.state.part)
  }

  /** Whether a slice is read soon, so that it needs no sample. */
  async isQuick(cuts: readonly Cut[], signal: AbortSignal): Promise<boolean> {
    return this.#price(await this.dataset.plan(cuts, { signal }), MAX_COST_AT_ONCE) <= 1
  }

  /** Whether a slice of this cost is read without confirmation. */
  allows(cost: Cost): boolean {
    return this.#price(cost, MAX_UNCONFIRMED_COST) <= this.#allowed
  }

  /** Reads a slice. If it is expensive, `sample` shows a part of it and returns when to read all; without one, asks for confirmation. */
  async obtain(
    cuts: readonly Cut[],
    signal: AbortSignal,
    sample?: (planned: Promise<Cost>, signal: AbortSignal) => Promise<void>,
  ): Promise<Slab> {
    const there = this.loader.peek(cuts)
    if (there) return there
    this.#ahead?.abort()
    signal = AbortSignal.any([signal, this.#cancelled.signal])
    const planned = this.dataset.plan(cuts, { signal })
    // A long plane needs no plan to be sampled.
    if (sample && this.#isLong(cuts)) {
      planned.catch(() => {})
      await sample(planned, signal)
    } else {
      const cost = await this.busy(() => planned)
      if (!sample) {
        if (!this.allows(cost)) await this.ask(cost, signal)
      } else if (this.#price(cost, MAX_COST_AT_ONCE) > 1) await sample(planned, signal)
    }
    return this.busy(() => this.loader.load(cuts, signal, share => signal.aborted || this.emit('busy', share)))
  }

  /**
   * Whether values can be printed. If not, says that the read-out is to come, and calls `later` when they can, unless this was asked
   * again since.
   */
  printable(later: () => void): boolean {
    this.#waiting = later
    if (canPrint()) return true
    this.emit('readout', '…')
    loadPrinter().then(
      () => this.#waiting === later && later(),
      (error: unknown) => this.#waiting === later && this.emit('error', error),
    )
    return false
  }

  /** Empties the read-out. */
  unread(): void {
    this.#waiting = undefined
    this.emit('readout', '')
  }

  /** Says that the view is busy until a task is done. */
  async busy<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#tasks++) this.emit('busy', 0)
    try {
      return await work()
    } finally {
      if (!--this.#tasks) this.emit('busy', null)
    }
  }

  /** Aborts all reads of a view, which receives an error. */
  cancel(): void {
    this.#cancelled.abort(new DOMException('it was not waited for', 'AbortError'))
    this.#cancelled = new AbortController()
  }

  /** Reads ahead along the active axis in the direction of the last step. */
  async prefetch(cutsAt: (index: number[]) => readonly Cut[]): Promise<void> {
    const { active, dataset, state } = this
    this.#ahead?.abort()
    if (active === null) return
    const { signal } = (this.#ahead = new AbortController())
    try {
      for (let k = 1; k <= MAX_COST_AHEAD.positions; k++) {
        const position = state.index[active]! + k * this.#direction
        if (position < 0 || position >= dataset.shape[active]!) return
        const cuts = cutsAt(state.index.with(active, position))
        if (this.loader.peek(cuts)) continue
        const { bytes, decodedBytes } = await dataset.plan(cuts, { signal })
        if (decodedBytes > MAX_COST_AHEAD.decodedBytes || (dataset.remote && bytes > MAX_COST_AHEAD.remoteBytes)) return
        await this.loader.load(cuts, signal)
      }
    } catch {
      // A later read reports the error.
    }
  }

  close(): void {
    this.#ahead?.abort()
    this.#listeners.clear()
    this.loader.forget()
    this.#overlay?.close()
    void this.dataset.close()
  }

  /** Whether a slice surely costs too much to be read at once. */
  #isLong(cuts: readonly Cut[]): boolean {
    const { dataset } = this
    const items = cuts.reduce((n: number, cut) => {
      const length = typeof cut === 'number' ? 1 : cut.cells === undefined ? lengthOf(cut) : cut.stop - cut.start
      return n * length
    }, 1)
    const bytes = (items * dataset.itemsize) / (dataset.opened.info.ratio || 1)
    return dataset.remote && bytes > MAX_COST_AT_ONCE.remoteBytes
  }

  /** The cost in multiples of a limit. */
  #price({ bytes, requests, decodedBytes }: Cost, limit: typeof MAX_UNCONFIRMED_COST): number {
    const remote = this.dataset.remote ? Math.max(bytes / limit.remoteBytes, requests / limit.requests) : 0
    return Math.max(remote, decodedBytes / limit.decodedBytes)
  }

  /** Waits until the user wants all of a slice, or more of its sample: false. */
  ask(cost: Cost, signal: AbortSignal, sample?: Sampled): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.asking = true
      const end = () => {
        this.asking = false
        this.remind = () => {}
        signal.removeEventListener('abort', leave)
        this.emit('costly', null)
      }
      const leave = () => {
        end()
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave)
      const accept = () => {
        // One confirmation also covers similar reads.
        this.#allowed = this.#price(cost, MAX_UNCONFIRMED_COST) * 1.2
        end()
        resolve(true)
      }
      const more = () => {
        end()
        resolve(false)
      }
      this.remind = () => this.emit('costly', { cost, accept, sample, more })
      this.remind()
    })
  }

  #interpret(as: string): void {
    const type = guesses(this.dataset.itemsize).find(({ kind, size }) => kind + size === as)
    if (type && this.dataset.guessed) this.dataset.interpret(type)
  }
}
