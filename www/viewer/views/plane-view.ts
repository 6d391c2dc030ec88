// The base of views of a plane: reading, zooming, the cursor, and the value under the pointer.
import { yieldThen } from '../../js/base/yielding.js'
import type { Cost } from '../../js/index.js'
import type { Recipe } from '../model/code-recipe.js'
import { keyOf } from '../model/cuts.js'
import { Exact } from '../model/exact.js'
import { Newest, type Slab } from '../model/loader.js'
import type { Hole } from '../model/missing.js'
import {
  layoutOf,
  overviewText,
  planeFor,
  shownBy,
  strideOf,
  windowCuts,
  type Layout,
  type Wanted,
} from '../model/plane.js'
import { boxOf, type Box } from '../model/range.js'
import type { Session } from '../model/session.js'
import { projectionOf, type Window } from '../model/state.js'
import { clamp } from '../model/suggest.js'
import { floatText } from '../model/texts.js'
import { roughText, textOf, type Numbers } from '../model/values.js'
import { h, say } from '../dom.js'
import type { Painted } from '../draw/paint.js'
import type { Rect } from '../draw/paper.js'
import { Picture } from '../draw/picture.js'
import { axesOf } from './axes.js'
import { fillLegend, holeMarks } from './legend.js'
import type { Figure, View } from './view.js'

/** A visible slice: its numbers, the layout of the plane within them, and the part within the window. */
export interface Shown {
  slab: Slab
  wanted: Wanted
  numbers: Numbers
  layout: Layout
  box: Box
}

export abstract class PlaneView implements View {
  readonly element: HTMLElement
  readonly picture: Picture
  protected readonly session: Session
  /** The container of elements next to the picture. */
  protected readonly beside: HTMLElement
  protected shown: Shown | null = null
  protected cursor: [number, number] | null = null
  readonly #legend: HTMLElement
  readonly #badge = h('div', { class: 'badge', hidden: true })
  readonly #exact: Exact
  readonly #newest = new Newest(true)
  /** The axes of the visible plane, and of the last requested one. */
  #axes = ''
  #asked = ''
  /** The axes of an expensive plane of which only the visible part is read. */
  #partly = ''
  /** The plane of which a sample is shown, until all of it is. */
  #sampled = ''

  constructor(session: Session, legend: string) {
    this.session = session
    this.#exact = new Exact(
      session,
      () => [session.state.x, session.state.y],
      () => this.whole,
      texts => this.join(texts),
    )
    const canvas = h('canvas', { class: 'plot', role: 'img', 'aria-label': 'picture of the plane' })
    this.beside = h('div', { class: 'beside' }, canvas, this.#badge)
    this.#legend = h('ul', { class: 'legend', 'aria-label': legend })
    this.element = h('div', { class: 'view pictures' }, this.beside, this.#legend)
    this.picture = new Picture(canvas, {
      hover: at => this.#hover(at),
      pick: at => this.#pick(at),
      look: window => this.#look(window),
      line: line => this.lineDrawn(line),
      step: by => session.step(by, session.active),
      place: rect => this.placed(rect),
    })
  }

  abstract figure(): Figure

  /** Converts numbers to pixels, and sets the colour range of the session. */
  protected abstract paint(shown: Shown): Painted

  /** Entries of the legend apart from missing values. */
  protected abstract marks(shown: Shown): (HTMLElement | null)[]

  /** The axis whose positions are combined in each pixel. */
  protected get whole(): number | null {
    return null
  }

  /** Computes the summary of a new slice in short steps. */
  protected async prepare(_shown: Shown): Promise<void> {}

  /** Paints a new slice at its size in short steps. */
  protected async paintAhead(_shown: Shown, _size: readonly [number, number]): Promise<void> {}

  /** The values of an item at all positions of the axis `whole`, as one text. */
  protected join(texts: string[]): string {
    return texts.join(', ')
  }

  protected lineDrawn(_line: [number, number, number, number]): void {}
  protected placed(_rect: Rect): void {}
  protected wasShown(): void {}

  update(): void {
    const {
      dataset,
      dataset: { shape },
      state,
    } = this.session
    const { x, y, window, index } = state
    if (x === null || y === null) return
    const looked: Window = window ?? [0, shape[x]!, 0, shape[y]!]
    this.picture.show({
      nx: shape[x]!,
      ny: shape[y]!,
      window: looked,
      holes: this.#holes,
      smooth: state.smooth,
      equal: state.equal,
      flip: state.flip,
      ...axesOf(dataset, x, y),
    })
    const wanted = this.#wantedAt(index)
    const there = this.session.loader.peek(wanted.cuts)
    if (there) {
      this.#newest.stop()
      this.session.emit('costly', null)
      this.#show(this.#shownOf(there, wanted))
      return
    }
    // Other colours need no other sample.
    if (this.shown?.wanted.share && this.#sampled === keyOf(wanted.cuts)) {
      this.#show(this.#shownOf(this.shown.slab, this.shown.wanted))
      return this.session.remind()
    }
    // Contents of the previous plane must not be mistaken for this one's.
    if (this.#asked !== `${x} ${y}` || this.session.asking) this.#newest.stop()
    this.#asked = `${x} ${y}`
    if (this.shown && this.#axes !== `${x} ${y}`) {
      this.shown = null
      this.picture.show({ image: null })
    }
    this.#newest
      .run(async signal => {
        const slab = await this.session.obtain(wanted.cuts, signal, (planned, signal) =>
          this.#sample(wanted, planned, signal),
        )
        await this.session.busy(() => this.#showInSteps(slab, wanted, signal))
      })
      .catch((error: unknown) => this.session.emit('error', error))
  }

  close(): void {
    this.#newest.stop()
    this.#exact.close()
    this.session.overlay?.forget()
    this.picture.close()
  }

  cuts() {
    const {
      dataset: { shape },
      state,
      state: { index, x, y, window },
    } = this.session
    return windowCuts(shape, index, x!, y!, window, [this.whole, projectionOf(state)?.axis ?? null])
  }

  recipe(): Recipe {
    return { projection: projectionOf(this.session.state) }
  }

  move(dx: number, dy: number): void {
    const {
      nx,
      ny,
      window: [x0, x1, y0, y1],
      flip,
    } = this.picture.scene
    const [x, y] = this.cursor ?? [Math.floor((x0 + x1) / 2), Math.floor((y0 + y1) / 2)]
    this.#pick([clamp(x + dx, 0, nx - 1), clamp(y + (flip ? -dy : dy), 0, ny - 1)])
  }

  zoom(factor: number): void {
    if (factor) this.picture.gestures.zoom(factor, this.#middle)
    else this.#look(null)
  }

  actual(): void {
    this.picture.gestures.actual(this.#middle)
  }

  /** The slices that were read for display. */
  get wanted(): Wanted | null {
    return this.shown?.wanted ?? null
  }

  /** The position along the stepped axis of the slice that was read. */
  get shownAt(): number | null {
    return this.shown?.slab.piece.cuts.find(cut => typeof cut === 'number') ?? null
  }

  /** Shows the value of an item as if the pointer were there. */
  point(at: [number, number]): void {
    this.#hover(at)
  }

  /** The position of the cursor on the canvas. */
  get #middle(): [number, number] | undefined {
    return this.cursor ? this.picture.fromItems(this.cursor[0] + 0.5, this.cursor[1] + 0.5) : undefined
  }

  #shownOf(slab: Slab, wanted: Wanted): Shown {
    const { x, y, part, window } = this.session.state
    const layout = layoutOf(slab.piece, x!, y!)
    return { slab, wanted, numbers: slab.numbers(part, shownBy(wanted)), layout, box: boxOf(layout, wanted, window) }
  }

  /** Shows a new slice without blocking the page. */
  async #showInSteps(slab: Slab, wanted: Wanted, signal: AbortSignal): Promise<void> {
    await yieldThen(() => slab.numbers(this.session.state.part, shownBy(wanted)))
    const shown = this.#shownOf(slab, wanted)
    await this.prepare(shown)
    // The elements below determine the size of the first picture.
    if (!this.shown && !signal.aborted) this.#tell(shown)
    await this.paintAhead(shown, this.picture.sizeOf(wanted))
    if (!signal.aborted) this.#show(shown)
  }

  #show(shown: Shown): void {
    const { session } = this
    const { wanted } = shown
    this.shown = shown
    this.#axes = `${session.state.x} ${session.state.y}`
    this.picture.show({ image: { ...this.paint(shown), ...wanted }, holes: this.#holes })
    session.overlay?.show(this.picture, wanted, session.state.x!, session.state.y!)
    this.#tell(shown)
    this.wasShown()
    if (this.cursor) this.#hover(this.cursor)
    session.emit('shown', { cuts: this.cuts(), note: overviewText(session.dataset, wanted) })
    if (!wanted.share) void session.prefetch(index => this.#wantedAt(index).cuts)
  }

  get #holes(): Hole[] {
    const {
      dataset: { missing, shape },
      state: { index, x, y, window },
    } = this.session
    return missing?.holes(index, x!, y, window ?? [0, shape[x!]!, 0, shape[y!]!]) ?? []
  }

  /** Updates the notes and the legend. */
  #tell(shown: Shown): void {
    const note = overviewText(this.session.dataset, shown.wanted)
    this.#badge.hidden = !note
    say(this.#badge, note ?? '')
    fillLegend(this.#legend, [...this.marks(shown), ...holeMarks(this.element, this.picture.scene.holes!)])
  }

  #look(window: Window | null): void {
    this.session.set({ window })
  }

  get #partial(): boolean {
    const { x, y, window } = this.session.state
    return window !== null && this.#partly === `${x} ${y}`
  }

  #wantedAt(index: readonly number[]): Wanted {
    const { dataset, state } = this.session
    const { x, y, window } = state
    const tiles = this.#partial ? ([dataset.chunks?.[x!] ?? 512, dataset.chunks?.[y!] ?? 512] as const) : null
    return planeFor(dataset, state, index, x!, y!, { window, whole: this.whole, tiles })
  }

  /** Shows samples of a plane that takes long to read. Of one of which only a part is visible, that part is read instead. */
  async #sample(wanted: Wanted, planned: Promise<Cost>, signal: AbortSignal): Promise<void> {
    const { x, y, window } = this.session.state
    if (window && !this.#partial) {
      this.#partly = `${x} ${y}`
      this.#newest.stop()
      this.update()
      signal.throwIfAborted()
    }
    const { refine } = await import('../model/refine.js')
    await refine(this.session, wanted, planned, signal, (slab, sample) => {
      this.#sampled = keyOf(wanted.cuts)
      return this.#showInSteps(slab, sample, signal)
    })
  }

  /** The value of an item; null if only an overview was read. */
  #valueAt(ix: number, iy: number): string | null {
    const { shown, whole } = this
    const { state, dataset } = this.session
    if (!shown || this.#axes !== `${state.x} ${state.y}`) return null
    const { wanted, layout, slab } = shown
    if (wanted.step > 1 && !wanted.projected) return null
    const [column, row] = [Math.floor((ix - wanted.x) / wanted.step), Math.floor((iy - wanted.y) / wanted.step)]
    if (column < 0 || row < 0 || column >= layout.width || row >= layout.height) return null
    const at = column * layout.right + row * layout.down
    const text = (at: number) => this.#textAt(shown, at)
    if (whole === null) return text(at)
    const deep = strideOf(slab.piece, whole)
    return this.join(Array.from({ length: dataset.shape[whole]! }, (_, k) => text(at + k * deep)))
  }

  #textAt(shown: Shown, at: number): string {
    const {
      dataset: { type },
      state: { part },
    } = this.session
    const {
      slab: { piece },
      wanted,
      numbers,
    } = shown
    if (wanted.projected) return this.numberText(shown, numbers[at]!)
    const text = textOf(type, piece.data, at, piece.width)
    return type.kind === 'complex' && part === 'phase' ? `${text} (phase ${numbers[at]!.toFixed(4)})` : text
  }

  /** The text of a number that is drawn, as precise as the values. */
  protected numberText({ slab: { piece } }: Shown, value: number): string {
    const {
      dataset: { offset },
      drawn,
      state: { part },
    } = this.session
    if (offset || drawn.kind === 'datetime') return roughText(drawn, value, part, offset)
    if (drawn.kind !== 'float' && Number.isInteger(value)) return String(value)
    return floatText(value, piece.data instanceof Float32Array ? 4 : 8)
  }

  #hover(at: [number, number] | null): void {
    at ??= this.cursor
    this.picture.show({ cross: this.cursor })
    this.#exact.close()
    if (!at) {
      this.session.emit('where', null)
      return this.session.unread()
    }
    const {
      state: { x, y, index },
      dataset: { shape, missing },
    } = this.session
    // The visible slice may have another position than the one being read.
    const seen = (axis: number) => {
      const cut = this.shown?.slab.piece.cuts[axis]
      return typeof cut === 'number' ? cut : index[axis]!
    }
    const item = shape.map((_, axis) => (axis === x ? at[0] : axis === y ? at[1] : seen(axis)))
    const projected = this.wanted?.projected
    const place = item.map((position, axis) =>
      axis === projected?.axis ? projected.how : axis === this.whole ? ':' : position,
    )
    const label = this.session.overlay?.textAt(this.picture, at)
    const tell = (text: string) =>
      this.session.emit('readout', `[${place.join(', ')}] = ${text}${label ? ` (${label})` : ''}`)
    this.session.emit(
      'where',
      item.map((position, axis) => (axis === this.whole || axis === projected?.axis ? null : position)),
    )
    if (!this.session.printable(() => this.#hover(at))) return
    if (projected) return tell(this.#valueAt(...at) ?? '…')
    tell((missing?.at(item) ? null : this.#valueAt(...at)) ?? this.#exact.text(item, tell) ?? '…')
  }

  /** Sets the cursor, which other views share. */
  #pick(at: [number, number]): void {
    this.cursor = at
    const { x, y, index } = this.session.state
    const picked = index.with(x!, at[0]).with(y!, at[1])
    this.session.set({ index: picked })
    this.session.emit('picked', { index: picked })
    this.#hover(at)
  }
}
