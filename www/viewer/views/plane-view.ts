// The base of views of a plane: the picture, zooming, the cursor, and the value under the pointer.

import { h, say } from '../dom.js'
import type { Painted } from '../draw/paint.js'
import type { Rect } from '../draw/paper.js'
import { Picture } from '../draw/picture.js'
import type { Recipe } from '../model/code-recipe.js'
import { Exact } from '../model/exact.js'
import type { LookOf, Plane } from '../model/looks.js'
import type { Hole } from '../model/missing.js'
import { PlaneReader } from '../model/plane-reader.js'
import { overviewText, strideOf, type Wanted } from '../model/plane.js'
import type { Look, Session } from '../model/session.js'
import { projectionOf, type State, type Window } from '../model/state.js'
import { clamp } from '../model/suggest.js'
import { floatText } from '../model/texts.js'
import { roughText, textOf } from '../model/values.js'
import { axesOf } from './axes.js'
import { fillLegend, holeMarks } from './legend.js'
import type { Figure, View } from './view.js'

export abstract class PlaneView implements View {
  readonly element: HTMLElement
  readonly picture: Picture
  protected readonly session: Session
  /** The container of elements next to the picture. */
  protected readonly beside: HTMLElement
  protected readonly reader: PlaneReader
  protected cursor: [number, number] | null = null
  readonly #legend: HTMLElement
  readonly #badge = h('div', { class: 'badge', hidden: true })
  readonly #exact: Exact

  constructor(session: Session, look: LookOf, legend: string) {
    this.session = session
    const reader = (this.reader = new PlaneReader(session, look, {
      clear: () => this.picture.show({ image: null }),
      ahead: (plane, look) => this.#ahead(plane, look),
      show: (plane, look) => this.#show(plane, look),
    }))
    this.#exact = new Exact(
      session,
      () => [session.state.x, session.state.y],
      () => reader.whole,
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

  /** Converts numbers to pixels. */
  protected abstract paint(plane: Plane, look: Look): Painted

  /** Entries of the legend apart from missing values. */
  protected abstract marks(plane: Plane, look: Look): (HTMLElement | null)[]

  /** Paints a new slice at its size in short steps. */
  protected abstract paintAhead(plane: Plane, look: Look, size: readonly [number, number]): Promise<void>

  /** The values of an item at all positions of the axis `whole`, as one text. */
  protected join(texts: string[]): string {
    return texts.join(', ')
  }

  protected lineDrawn(_line: [number, number, number, number]): void {}
  protected placed(_rect: Rect): void {}
  protected wasShown(_plane: Plane, _look: Look): void {}

  update(changed?: readonly (keyof State)[]): void {
    const {
      dataset,
      dataset: { shape },
      state,
    } = this.session
    const { x, y, window } = state
    if (x === null || y === null) return
    this.picture.show({
      nx: shape[x]!,
      ny: shape[y]!,
      window: window ?? [0, shape[x]!, 0, shape[y]!],
      holes: this.#holes,
      smooth: state.smooth,
      equal: state.equal,
      flip: state.flip,
      ...axesOf(dataset, x, y),
    })
    this.reader.update(changed)
  }

  close(): void {
    this.reader.stop()
    this.#exact.close()
    this.session.overlay?.forget()
    this.picture.close()
  }

  cuts() {
    return this.reader.cuts
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
    return this.reader.plane?.wanted ?? null
  }

  /** The position along the stepped axis of the slice that was read. */
  get shownAt(): number | null {
    return this.reader.plane?.slab.piece.cuts.find(cut => typeof cut === 'number') ?? null
  }

  /** Shows the value of an item as if the pointer were there. */
  point(at: [number, number]): void {
    this.#hover(at)
  }

  /** The position of the cursor on the canvas. */
  get #middle(): [number, number] | undefined {
    return this.cursor ? this.picture.fromItems(this.cursor[0] + 0.5, this.cursor[1] + 0.5) : undefined
  }

  async #ahead(plane: Plane, look: Look): Promise<void> {
    // The elements below determine the size of the first picture.
    if (!this.reader.plane) this.#tell(plane, look)
    await this.paintAhead(plane, look, this.picture.sizeOf(plane.wanted))
  }

  #show(plane: Plane, look: Look): void {
    const { session } = this
    const { wanted } = plane
    this.picture.show({ image: { ...this.paint(plane, look), ...wanted }, holes: this.#holes })
    session.overlay?.show(this.picture, wanted, session.state.x!, session.state.y!)
    this.#tell(plane, look)
    this.wasShown(plane, look)
    if (this.cursor) this.#hover(this.cursor)
  }

  get #holes(): Hole[] | undefined {
    const {
      dataset: { missing, shape },
      state: { index, x, y, window },
    } = this.session
    return missing?.holes(index, x!, y, window ?? [0, shape[x!]!, 0, shape[y!]!])
  }

  /** Updates the notes and the legend. */
  #tell(plane: Plane, look: Look): void {
    const note = overviewText(this.session.dataset, plane.wanted)
    this.#badge.hidden = !note
    say(this.#badge, note ?? '')
    fillLegend(this.#legend, [...this.marks(plane, look), ...holeMarks(this.element, this.picture.scene.holes ?? [])])
  }

  #look(window: Window | null): void {
    this.session.set({ window })
  }

  /** The value of an item; null if only an overview was read. */
  #valueAt(ix: number, iy: number): string | null {
    const { current: plane, whole } = this.reader
    if (!plane) return null
    const { wanted, layout, slab } = plane
    if (wanted.step > 1 && !wanted.projected) return null
    const [column, row] = [Math.floor((ix - wanted.x) / wanted.step), Math.floor((iy - wanted.y) / wanted.step)]
    if (column < 0 || row < 0 || column >= layout.width || row >= layout.height) return null
    const at = column * layout.right + row * layout.down
    const text = (at: number) => this.#textAt(plane, at)
    if (whole === null) return text(at)
    const deep = strideOf(slab.piece, whole)
    return this.join(Array.from({ length: this.session.dataset.shape[whole]! }, (_, k) => text(at + k * deep)))
  }

  #textAt(plane: Plane, at: number): string {
    const {
      dataset: { type },
      state: { part },
    } = this.session
    const {
      slab: { piece },
      wanted,
      numbers,
    } = plane
    if (wanted.projected) return this.numberText(plane, numbers[at]!)
    const text = textOf(type, piece.data, at, piece.width)
    return type.kind === 'complex' && part === 'phase' ? `${text} (phase ${numbers[at]!.toFixed(4)})` : text
  }

  /** The text of a number that is drawn, as precise as the values. */
  protected numberText({ slab: { piece } }: Plane, value: number): string {
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
      const cut = this.reader.plane?.slab.piece.cuts[axis]
      return typeof cut === 'number' ? cut : index[axis]!
    }
    const item = shape.map((_, axis) => (axis === x ? at[0] : axis === y ? at[1] : seen(axis)))
    const projected = this.wanted?.projected
    const place = item.map((position, axis) =>
      axis === projected?.axis ? projected.how : axis === this.reader.whole ? ':' : position,
    )
    const label = this.session.overlay?.textAt(this.picture, at)
    const tell = (text: string) =>
      this.session.emit('readout', `[${place.join(', ')}] = ${text}${label ? ` (${label})` : ''}`)
    this.session.emit(
      'where',
      item.map((position, axis) => (axis === this.reader.whole || axis === projected?.axis ? null : position)),
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
