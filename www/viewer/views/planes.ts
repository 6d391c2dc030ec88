// The view of three planes through a point. A click on a plane moves the point.

import type { Cut } from '../model/cuts.js'
import { Exact } from '../model/exact.js'
import { Newest, type Slab } from '../model/loader.js'
import { axisOf } from '../model/names.js'
import { layoutOf, overviewText, planeFor, shownBy, windowCuts, type Wanted } from '../model/plane.js'
import { boxOf, rangeOf, sampleIn } from '../model/range.js'
import { patchy, type Range } from '../model/scale.js'
import type { Session } from '../model/session.js'
import { textOf } from '../model/values.js'
import { h } from '../dom.js'
import { Bar } from '../draw/bar.js'
import { paint } from '../draw/paint.js'
import { MARGINS, Picture } from '../draw/picture.js'
import { addRules } from '../rules.js'
import { axesOf } from './axes.js'
import { fillLegend, holeMarks } from './legend.js'
import type { Figure, View } from './view.js'
import rules from './planes.css'

addRules(rules)

/** Which axes a plane shows, of x, y and z. */
type Axis = 'x' | 'y' | 'z'
const PAIRS: [across: Axis, down: Axis, through: Axis][] = [
  ['x', 'y', 'z'],
  ['x', 'z', 'y'],
  ['z', 'y', 'x'],
]

/** The width of the bar, the gap between planes, and the minimum size of a plane, in pixels. */
const BAR = 84
const GAP = 4
const THIN = 24

interface Plane {
  picture: Picture
  newest: Newest
  slab: Slab | null
  wanted: Wanted | null
  exact: Exact
}

export class Planes implements View {
  readonly element: HTMLElement
  readonly #session: Session
  /** Called with the position of an item. */
  get pictures(): Picture[] {
    return this.#planes.map(({ picture }) => picture)
  }

  readonly #planes: Plane[]
  readonly #bar = new Bar(h('canvas', { class: 'bar', role: 'img', 'aria-label': 'which colour means which value' }))
  readonly #legend = h('ul', { class: 'legend', 'aria-label': 'what has no values' })
  readonly #observer = new ResizeObserver(() => this.#arrange())
  #judged = false

  constructor(session: Session) {
    this.#session = session
    this.#planes = PAIRS.map((pair, k) => {
      const canvas = h('canvas', { class: 'plot', role: 'img', 'aria-label': `plane ${k + 1} of 3` })
      const picture = new Picture(canvas, {
        pick: at => this.#pick(pair, at),
        hover: at => this.#hover(k, at),
        step: by => session.step(by, this.#axis(pair[2])),
      })
      return {
        picture,
        newest: new Newest(),
        slab: null,
        wanted: null,
        exact: new Exact(session, () => [this.#axis(pair[0]), this.#axis(pair[1])]),
      }
    })
    this.element = h(
      'div',
      { class: 'view planes' },
      ...this.#planes.map(({ picture }) => picture.canvas),
      this.#bar.canvas,
      this.#legend,
    )
    this.#observer.observe(this.element)
  }

  update(): void {
    PAIRS.forEach((_, k) => this.#update(k))
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
    this.#bar.close()
    this.#session.overlay?.forget()
    for (const { picture, newest, exact } of this.#planes) {
      exact.close()
      newest.stop()
      picture.close()
    }
  }

  cuts(): Cut[] {
    const {
      dataset: { shape },
      state: { index, x, y },
    } = this.#session
    return windowCuts(shape, index, x!, y!, null)
  }

  move(dx: number, dy: number): void {
    this.#session.step(dx, this.#axis('x'))
    this.#session.step(dy, this.#axis('y'))
    this.#hover(0, [this.#session.state.index[this.#axis('x')]!, this.#session.state.index[this.#axis('y')]!])
  }

  /** The first plane. */
  figure(): Figure {
    const { colouring, type, part, offset, unit, marks } = this.#bar
    return {
      picture: this.#planes[0]!.picture.scene,
      bar: colouring?.map === 'labels' ? null : { colouring, type, part, offset, unit, marks },
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
    for (const { picture } of this.#planes) picture.show({ compact })
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
    return this.#session.state[name]!
  }

  #update(k: number): void {
    const session = this.#session
    const { dataset, state } = session
    const plane = this.#planes[k]!
    const [x, y] = [this.#axis(PAIRS[k]![0]), this.#axis(PAIRS[k]![1])]
    const [nx, ny] = [dataset.shape[x]!, dataset.shape[y]!]
    plane.picture.show({
      nx,
      ny,
      window: [0, nx, 0, ny],
      holes: dataset.missing?.holes(state.index, x, y, [0, nx, 0, ny]) ?? [],
      smooth: state.smooth,
      equal: state.equal,
      flip: state.flip,
      ...axesOf(dataset, x, y),
      cross: [state.index[x]!, state.index[y]!],
    })
    const wanted = planeFor(dataset, state, state.index, x, y)
    const there = session.loader.peek(wanted.cuts)
    if (there) {
      plane.newest.stop()
      return this.#show(plane, there, wanted)
    }
    plane.newest
      .run(async signal => {
        const show = (slab: Slab, wanted: Wanted) => this.#show(plane, slab, wanted)
        const slab = await session.obtain(wanted.cuts, signal, async (planned, signal) => {
          const { refine } = await import('../model/refine.js')
          await refine(session, wanted, planned, signal, show, [x, y])
        })
        show(slab, wanted)
      })
      .catch((error: unknown) => session.emit('error', error))
  }

  #show(plane: Plane, slab: Slab, wanted: Wanted): void {
    plane.slab = slab
    plane.wanted = wanted
    const {
      state,
      base,
      dataset: { type },
    } = this.#session
    if (!this.#judged && (type.kind === 'int' || type.kind === 'uint')) {
      this.#judged = true
      if (
        state.map === base.map &&
        !slab.piece.cells &&
        patchy(slab.piece.data as ArrayLike<number | bigint>, slab.piece.shape.at(-1)!)
      )
        this.#session.set({ map: 'labels' })
    }
    this.#paint()
    const [cuts, ...others] = this.#planes.flatMap(({ wanted }) => (wanted ? [wanted.cuts] : []))
    const note = this.#planes.flatMap(({ wanted }) => (wanted && overviewText(this.#session.dataset, wanted)) ?? [])[0]
    this.#session.emit('shown', { cuts: cuts!, others, note })
  }

  /** One range for all three, so that a colour has the same meaning in each. */
  #paint(): void {
    const session = this.#session
    const { part, map, scale } = session.state
    const there = this.#planes.filter(plane => plane.slab)
    const ranges = there
      .map(plane => {
        const pair = PAIRS[this.#planes.indexOf(plane)]!
        const box = boxOf(layoutOf(plane.slab!.piece, this.#axis(pair[0]), this.#axis(pair[1])), plane.wanted!, null)
        if (plane === there[0]) session.values = () => sampleIn(session, plane.slab!, box)
        return rangeOf(session, plane.slab!, box, pair.join(''))
      })
      .filter(({ min }) => !Number.isNaN(min))
    const fixed = session.state.range === 'fixed' ? ranges[0] : undefined
    const range: Range = fixed ?? {
      min: Math.min(...ranges.map(({ min }) => min)),
      max: Math.max(...ranges.map(({ max }) => max)),
    }
    session.limits = range
    Object.assign(this.#bar, {
      colouring: { map, scale, range },
      type: session.drawn,
      part,
      offset: session.dataset.offset,
    })
    this.#bar.draw()
    this.#planes.forEach(({ picture, slab, wanted }, k) => {
      if (!slab || !wanted) return
      const [x, y] = [this.#axis(PAIRS[k]![0]), this.#axis(PAIRS[k]![1])]
      const layout = layoutOf(slab.piece, x, y)
      const shown = shownBy(wanted)
      picture.show({
        image: { ...paint(picture.paper, slab.numbers(part, shown), layout, { map, scale, range }, shown), ...wanted },
      })
      session.overlay?.show(picture, wanted, x, y)
    })
  }

  #pick([across, down]: (typeof PAIRS)[number], at: [number, number]): void {
    const index = [...this.#session.state.index]
    index[this.#axis(across)] = at[0]
    index[this.#axis(down)] = at[1]
    this.#session.set({ index })
  }

  #hover(k: number, at: [number, number] | null): void {
    const { slab, wanted, exact, picture } = this.#planes[k]!
    const {
      dataset,
      state: { index },
    } = this.#session
    exact.close()
    if (!at || !slab || !wanted) {
      this.#session.emit('where', null)
      return this.#session.unread()
    }
    const [x, y] = [this.#axis(PAIRS[k]![0]), this.#axis(PAIRS[k]![1])]
    const { right, down } = layoutOf(slab.piece, x, y)
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
        ? textOf(dataset.type, slab.piece.data, at[0] * right + at[1] * down, slab.piece.width)
        : (exact.text(item, tell) ?? '…'),
    )
  }
}
