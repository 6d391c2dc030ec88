// The view of three planes through a point. A click on a plane moves the point.

import { h } from '../dom.js'
import { Bar } from '../draw/bar.js'
import { paint } from '../draw/paint.js'
import { MARGINS, Picture } from '../draw/picture.js'
import type { Cut } from '../model/cuts.js'
import { Exact } from '../model/exact.js'
import { axisOf, unitOf } from '../model/names.js'
import { shownBy, windowCuts } from '../model/plane.js'
import type { Look, Session } from '../model/session.js'
import { clamp } from '../model/suggest.js'
import { PAIRS, ThreePlanes, type Axis } from '../model/three-planes.js'
import { textOf } from '../model/values.js'
import { addRules } from '../rules.js'
import { axesOf } from './axes.js'
import { fillLegend, holeMarks } from './legend.js'
import type { Figure, View } from './view.js'
import rules from './planes.css'

addRules(rules)

/** The width of the bar, the gap between planes, and the minimum size of a plane, in pixels. */
const BAR = 84
const GAP = 4
const THIN = 24

export class Planes implements View {
  readonly element: HTMLElement
  readonly #session: Session
  readonly pictures: readonly Picture[]
  readonly #reader: ThreePlanes
  readonly #exact: readonly Exact[]
  readonly #bar = new Bar(h('canvas', { class: 'bar', role: 'img', 'aria-label': 'which colour means which value' }))
  readonly #legend = h('ul', { class: 'legend', 'aria-label': 'what has no values' })
  readonly #observer = new ResizeObserver(() => this.#arrange())

  constructor(session: Session) {
    this.#session = session
    this.#reader = new ThreePlanes(session, look => this.#show(look))
    this.#exact = PAIRS.map(([across, down]) => new Exact(session, () => [this.#axis(across), this.#axis(down)]))
    this.pictures = PAIRS.map(([across, down, through], k) => {
      const canvas = h('canvas', { class: 'plot', role: 'img', 'aria-label': `plane ${k + 1} of 3` })
      return new Picture(canvas, {
        pick: ([x, y]) => this.#pick([across, x], [down, y]),
        hover: at => this.#hover(k, at),
        step: by => session.step(by, this.#axis(through)),
      })
    })
    this.element = h(
      'div',
      { class: 'view planes' },
      ...this.pictures.map(({ canvas }) => canvas),
      this.#bar.canvas,
      this.#legend,
    )
    this.#observer.observe(this.element)
  }

  update(): void {
    PAIRS.forEach((_, k) => this.#place(k))
    this.#reader.update()
    fillLegend(
      this.#legend,
      holeMarks(
        this.element,
        this.pictures.flatMap(({ scene }) => scene.holes ?? []),
      ),
    )
    this.#arrange()
  }

  close(): void {
    this.#observer.disconnect()
    this.#reader.stop()
    this.#bar.close()
    this.#session.overlay?.forget()
    for (const one of [...this.#exact, ...this.pictures]) one.close()
  }

  cuts(): Cut[] {
    const {
      dataset: { shape },
      state: { index, x, y },
    } = this.#session
    return windowCuts(shape, index, x!, y!, null)
  }

  move(dx: number, dy: number): void {
    const { index } = this.#session.state
    const [x, y] = [this.#moved('x', dx), this.#moved('y', dy)]
    if (x !== index[this.#axis('x')] || y !== index[this.#axis('y')]) this.#pick(['x', x], ['y', y])
    this.#hover(0, [x, y])
  }

  #moved(name: Axis, by: number): number {
    const { dataset, state } = this.#session
    const axis = this.#axis(name)
    return clamp(state.index[axis]! + by, 0, dataset.shape[axis]! - 1)
  }

  /** The first plane. */
  figure(): Figure {
    return {
      picture: this.pictures[0]!.scene,
      bar: this.#bar.scene.colouring?.map === 'labels' ? null : this.#bar.scene,
    }
  }

  /** The layout: next to and below each other, with square items at one scale. */
  #arrange(): void {
    const { dataset } = this.#session
    const names = ['x', 'y', 'z'] as const
    const axes = names.map(name => axisOf(dataset, this.#axis(name)))
    // Physical lengths if all axes have one, otherwise items.
    const long = axes.every(({ step, unit }) => step && unit !== undefined && unit === axes[0]!.unit)
    const [x, y, z] = names.map(
      (name, k) => dataset.shape[this.#axis(name)]! * (long ? axes[k]!.step! / axes[0]!.step! : 1),
    ) as [number, number, number]
    const { clientWidth, clientHeight, style } = this.element
    const compact = clientWidth < 600
    for (const picture of this.pictures) picture.show({ compact })
    if (this.#session.state.equal) {
      const [left, right, top, bottom] = compact ? MARGINS.compact : MARGINS.usual
      const [beside, below] = [left + right, top + bottom]
      const legend = this.#legend.offsetHeight && this.#legend.offsetHeight + GAP
      // The element has a padding of twice the gap.
      const [width, height] = [clientWidth - BAR - 6 * GAP - 2 * beside, clientHeight - 5 * GAP - 2 * below - legend]
      const scale = Math.max(0, Math.min(width / (x + z), height / (y + z)))
      // A thin plane gets a minimum size, to be visible and clickable.
      const size = (length: number, margin: number) => `minmax(0, ${Math.max(length * scale, THIN) + margin}px)`
      style.gridTemplateColumns = `${size(x, beside)} ${size(z, beside)} ${BAR}px`
      style.gridTemplateRows = `${size(y, below)} ${size(z, below)}`
    } else {
      const share = (a: number, b: number) =>
        [a, b].map(n => `minmax(0, ${Math.max(0.3, Math.min(0.7, n / (a + b)))}fr)`).join(' ')
      style.gridTemplateColumns = `${share(x, z)} ${BAR}px`
      style.gridTemplateRows = share(y, z)
    }
  }

  #axis(name: Axis): number {
    return this.#reader.axis(name)
  }

  /** Places a plane and its cursor. */
  #place(k: number): void {
    const { dataset, state } = this.#session
    const [x, y] = [this.#axis(PAIRS[k]![0]), this.#axis(PAIRS[k]![1])]
    const [nx, ny] = [dataset.shape[x]!, dataset.shape[y]!]
    this.pictures[k]!.show({
      nx,
      ny,
      window: [0, nx, 0, ny],
      holes: dataset.missing?.holes(state.index, x, y, [0, nx, 0, ny]),
      smooth: state.smooth,
      equal: state.equal,
      flip: state.flip,
      ...axesOf(dataset, x, y),
      cross: [state.index[x]!, state.index[y]!],
    })
  }

  #show({ limits }: Look): void {
    const session = this.#session
    const { part, map, scale } = session.state
    const colouring = { map, scale, range: limits }
    this.#bar.show({
      colouring,
      type: session.drawn,
      part,
      offset: session.dataset.offset,
      unit: unitOf(session.dataset),
    })
    this.#reader.planes.forEach((plane, k) => {
      if (!plane) return
      const { numbers, layout, wanted } = plane
      const picture = this.pictures[k]!
      picture.show({ image: { ...paint(picture.paper, numbers, layout, colouring, shownBy(wanted)), ...wanted } })
      session.overlay?.show(picture, wanted, this.#axis(PAIRS[k]![0]), this.#axis(PAIRS[k]![1]))
    })
  }

  #pick(...places: [Axis, number][]): void {
    const index = [...this.#session.state.index]
    for (const [name, at] of places) index[this.#axis(name)] = at
    this.#session.set({ index })
  }

  #hover(k: number, at: [number, number] | null): void {
    const [plane, exact, picture] = [this.#reader.planes[k], this.#exact[k]!, this.pictures[k]!]
    const {
      dataset,
      state: { index },
    } = this.#session
    exact.close()
    if (!at || !plane) {
      this.#session.emit('where', null)
      return this.#session.unread()
    }
    const { slab, wanted, layout } = plane
    const [x, y] = [this.#axis(PAIRS[k]![0]), this.#axis(PAIRS[k]![1])]
    const item = dataset.shape.map((_, axis) =>
      axis === x ? at[0] : axis === y ? at[1] : ((slab.piece.cuts[axis] as number | undefined) ?? index[axis]!),
    )
    this.#session.emit('where', item)
    const label = this.#session.overlay?.textAt(picture, at)
    const tell = (text: string) =>
      this.#session.emit('readout', `[${item.join(', ')}] = ${text}${label ? ` (${label})` : ''}`)
    if (!this.#session.printable(() => this.#hover(k, at))) return
    const there = wanted.step === 1 && !dataset.missing?.at(item)
    tell(
      there
        ? textOf(dataset.type, slab.piece.data, at[0] * layout.right + at[1] * layout.down, slab.piece.width)
        : (exact.text(item, tell) ?? '…'),
    )
  }
}
