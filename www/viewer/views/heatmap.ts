// The heatmap: a plane in the colours of a map, with a colour bar.

import { button, h } from '../dom.js'
import { Bar } from '../draw/bar.js'
import { SPECIALS } from '../draw/colours.js'
import { paint, paintAhead, type Colouring, type Painted } from '../draw/paint.js'
import type { Rect } from '../draw/paper.js'
import { heatmapLook, type Plane } from '../model/looks.js'
import { unitOf } from '../model/names.js'
import { shownBy } from '../model/plane.js'
import { keyOf, minusIn, sampleIn, summaryOf } from '../model/range.js'
import { percentiles } from '../model/scale.js'
import type { Look, Session } from '../model/session.js'
import type { Accelerator } from './accelerator.js'
import { colourMark } from './legend.js'
import { PlaneView } from './plane-view.js'
import type * as ProfileModule from './profile.js'
import type { LineProfile } from './profile.js'
import type { Figure } from './view.js'

/** Planes with fewer items are painted in no time. */
const LARGE = 2 ** 20
/** Offers percentiles if nearly all values have less than this share of the colours. */
const FEW = 0.1

export class Heatmap extends PlaneView {
  readonly bar: Bar
  /** The profile, after the first request for one. */
  #profile: Promise<typeof ProfileModule> | undefined
  #shownProfile: LineProfile | undefined
  #accelerator: Accelerator | undefined
  #line: [number, number, number, number] | null = null

  constructor(session: Session) {
    super(session, heatmapLook, 'what has no colour of the map')
    const bar = h('canvas', { class: 'bar', role: 'img', 'aria-label': 'which colour means which value' })
    this.beside.append(bar)
    this.bar = new Bar(bar)
  }

  override close(): void {
    super.close()
    this.bar.close()
    this.#shownProfile?.close()
    this.#accelerator?.close()
  }

  figure(): Figure {
    return { picture: this.picture.scene, bar: this.bar.scene.colouring?.map === 'labels' ? null : this.bar.scene }
  }

  /** A first call marks the start at the cursor, a second the end. Without a cursor, the middle row. */
  profile(): void {
    const { nx, ny } = this.picture.scene
    if (!this.cursor) this.#setLine([0, ny >> 1, nx - 1, ny >> 1])
    else if (!this.#line || this.#line[0] !== this.#line[2] || this.#line[1] !== this.#line[3])
      this.#setLine([...this.cursor, ...this.cursor])
    else this.#setLine([this.#line[0], this.#line[1], ...this.cursor])
  }

  protected override async paintAhead(plane: Plane, look: Look, size: readonly [number, number]): Promise<void> {
    const { numbers, layout, wanted } = plane
    await paintAhead(this.picture.paper, size, numbers, layout, this.#colouring(look), shownBy(wanted))
  }

  protected override paint({ numbers, layout, wanted }: Plane, look: Look): Painted {
    const { session, bar } = this
    const colouring = this.#colouring(look)
    bar.show({
      colouring,
      type: session.drawn,
      part: session.state.part,
      offset: session.dataset.offset,
      unit: unitOf(session.dataset),
    })
    this.#markTimes()
    return paint(this.picture.paper, numbers, layout, colouring, shownBy(wanted))
  }

  #colouring({ limits }: Look): Colouring {
    const { map, scale } = this.session.state
    return { map, scale, range: limits }
  }

  /** Updates the legend: colours of non-finite values, and information that is not in the bar. */
  protected override marks(plane: Plane, look: Look): (HTMLElement | null)[] {
    const { slab, box } = plane
    const {
      drawn,
      dataset: { offset },
      state: { part, scale },
    } = this.session
    const { nan, inf, min } = summaryOf(slab, part, box)
    const minus = inf && slab.memo(`minus ${keyOf(part, box)}`, () => minusIn(slab, part, box))
    const there: Record<string, boolean | number> = {
      NaN: nan,
      '+∞': inf - minus,
      '−∞': minus,
      '≤ 0': scale === 'log' && min <= 0,
    }
    const time = drawn.kind === 'datetime'
    return [
      ...Object.entries(SPECIALS)
        .filter(([name]) => there[name])
        .map(([name, colour]) =>
          colourMark(colour, name === 'NaN' ? `${nan.toLocaleString('en')} ${time ? 'NaT' : 'NaN'}` : name),
        ),
      offset && !time ? h('li', { class: 'offset' }, `bar: ${offset} + …`) : null,
      slab.piece.share ? h('li', {}, 'limits and counts of the sample') : null,
      this.#isHot(plane, look)
        ? button('A few values set the colours: 1 % to 99 %', () => this.session.set({ range: 'percentile' }))
        : null,
    ]
  }

  /** Whether a few values make all others look the same. */
  #isHot({ slab, box }: Plane, { limits: { min, max } }: Look): boolean {
    const {
      session,
      session: { state, drawn },
    } = this
    if (state.range !== 'auto' || state.scale !== 'linear' || drawn.kind === 'bool' || state.map === 'labels')
      return false
    const most = slab.memo(`most ${keyOf(state.part, box)}`, () => percentiles(sampleIn(session, slab, box)))
    return most.max > most.min && most.max - most.min < (max - min) * FEW
  }

  protected override placed(rect: Rect): void {
    this.bar.beside(this.picture.canvas, rect)
  }

  protected override wasShown(plane: Plane, look: Look): void {
    this.#drawProfile()
    this.#accelerator?.follow(plane, look)
    if (this.#accelerator || plane.numbers.length < LARGE) return
    import('./accelerator.js').then(
      ({ Accelerator }) => {
        this.#accelerator ??= new Accelerator(this.picture)
        this.#accelerator.follow(plane, look)
      },
      // It only saves time.
      () => {},
    )
  }

  protected override lineDrawn(line: [number, number, number, number]): void {
    this.#setLine(line)
  }

  /** Ticks of times for the bar. */
  #markTimes(): void {
    const {
      drawn,
      dataset: { offset },
    } = this.session
    if (drawn.kind !== 'datetime' || this.bar.scene.marks) return
    void import('../model/timeticks.js').then(({ dateMarks }) => {
      this.bar.show({ marks: dateMarks(drawn, offset) })
    })
  }

  #setLine(line: [number, number, number, number] | null): void {
    this.#line = line
    this.picture.show({ line })
    this.#drawProfile()
  }

  #drawProfile(): void {
    if (!this.#line) return this.#shownProfile?.show(null)
    void (this.#profile ??= import('./profile.js')).then(({ along, LineProfile }) => {
      const profile = (this.#shownProfile ??= new LineProfile(() => this.#setLine(null)))
      if (!profile.element.isConnected) this.element.append(profile.element)
      const { plane } = this.reader
      const text = (value: number) => this.numberText(plane!, value)
      profile.show(plane && this.#line && along(this.#line, plane, this.session, this.picture.scene.size, text))
    })
  }
}
