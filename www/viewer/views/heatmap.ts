// The heatmap: a plane in the colours of a map, with a colour bar.
import { yieldThen } from '../../js/base/yielding.js'
import type { Slab } from '../model/loader.js'
import { unitOf } from '../model/names.js'
import { overviewText } from '../model/plane.js'
import { shownBy } from '../model/plane.js'
import { minusIn, prepareSummary, rangeOf, sampleIn, summaryOf, type Box } from '../model/range.js'
import { patchy, percentiles } from '../model/scale.js'
import type { Session } from '../model/session.js'
import type { Window } from '../model/state.js'
import { button, h } from '../dom.js'
import { Bar } from '../draw/bar.js'
import { SPECIALS } from '../draw/colours.js'
import { paint, paintAhead, type Painted } from '../draw/paint.js'
import type { Rect } from '../draw/paper.js'
import { colourMark } from './legend.js'
import { PlaneView, type Shown } from './plane-view.js'
import type * as ProfileModule from './profile.js'
import type { LineProfile } from './profile.js'
import type { Figure } from './view.js'

/** Offers percentiles if nearly all values have less than this share of the colours. */
const FEW = 0.1

export class Heatmap extends PlaneView {
  readonly bar: Bar
  /** The profile, after the first request for one. */
  #profile: Promise<typeof ProfileModule> | undefined
  #shownProfile: LineProfile | undefined
  #line: [number, number, number, number] | null = null
  #judged = false

  constructor(session: Session) {
    super(session, 'what has no colour of the map')
    const bar = h('canvas', { class: 'bar', role: 'img', 'aria-label': 'which colour means which value' })
    this.beside.append(bar)
    this.bar = new Bar(bar)
    session.pickRegion = () => this.#pickRegion()
  }

  override close(): void {
    super.close()
    this.session.pickRegion = null
    this.bar.close()
    this.#shownProfile?.close()
  }

  figure(): Figure {
    const { colouring, type, part, offset, unit, marks } = this.bar
    return {
      picture: this.picture.scene,
      bar: colouring?.map === 'labels' ? null : { colouring, type, part, offset, unit, marks },
    }
  }

  /** A first call marks the start at the cursor, a second the end. Without a cursor, the middle row. */
  profile(): void {
    const { nx, ny } = this.picture.scene
    if (!this.cursor) this.#setLine([0, ny >> 1, nx - 1, ny >> 1])
    else if (!this.#line || this.#line[0] !== this.#line[2] || this.#line[1] !== this.#line[3])
      this.#setLine([...this.cursor, ...this.cursor])
    else this.#setLine([this.#line[0], this.#line[1], ...this.cursor])
  }

  protected override async prepare({ slab, box }: Shown): Promise<void> {
    await prepareSummary(slab, this.session.state.part, box)
    await yieldThen(() => rangeOf(this.session, slab, box))
  }

  protected override async paintAhead(
    { slab, box, numbers, layout, wanted }: Shown,
    size: readonly [number, number],
  ): Promise<void> {
    const { map, scale } = this.session.state
    const colouring = { map, scale, range: rangeOf(this.session, slab, box) }
    await paintAhead(this.picture.paper, size, numbers, layout, colouring, shownBy(wanted))
  }

  protected paint(shown: Shown): Painted {
    const { session, bar } = this
    const { slab, wanted, numbers, layout, box } = shown
    this.#judge(shown)
    const { map, scale, part } = session.state
    const colouring = { map, scale, range: rangeOf(session, slab, box) }
    Object.assign(bar, {
      colouring,
      type: session.drawn,
      part,
      offset: session.dataset.offset,
      unit: unitOf(session.dataset),
    })
    this.#markTimes()
    bar.draw()
    session.limits = colouring.range
    session.values = () => sampleIn(session, slab, box)
    return paint(this.picture.paper, numbers, layout, colouring, shownBy(wanted))
  }

  /** Updates the legend: colours of non-finite values, and information that is not in the bar. */
  protected marks({ slab, box }: Shown): (HTMLElement | null)[] {
    const {
      drawn,
      dataset: { offset },
      state: { part, scale },
    } = this.session
    const { nan, inf, min } = summaryOf(slab, part, box)
    const minus =
      inf && slab.memo(`minus ${part} ${[...box.columns, ...box.rows].join()}`, () => minusIn(slab, part, box))
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
      this.#hot(slab, box)
        ? button('A few values set the colours: 1 % to 99 %', () => this.session.set({ range: 'percentile' }))
        : null,
    ]
  }

  /** Whether a few values make all others look the same. */
  #hot(slab: Slab, box: Box): boolean {
    const { session } = this
    if (session.state.range !== 'auto' || session.state.scale !== 'linear' || session.drawn.kind === 'bool')
      return false
    if (session.state.map === 'labels') return false
    const { min, max } = session.limits
    const most = slab.memo(`most ${session.state.part} ${[...box.columns, ...box.rows].join()}`, () =>
      percentiles(sampleIn(session, slab, box)),
    )
    return most.max > most.min && most.max - most.min < (max - min) * FEW
  }

  protected override placed(rect: Rect): void {
    this.bar.beside(this.picture.canvas, rect)
  }

  protected override wasShown(): void {
    this.#drawProfile()
  }

  protected override lineDrawn(line: [number, number, number, number]): void {
    this.#setLine(line)
  }

  /** Waits for the user to draw a rectangle of whole items. */
  #pickRegion(): Promise<Window> {
    return new Promise(resolve => {
      this.picture.gestures.onBox = ([x0, x1, y0, y1]) => {
        const { nx, ny } = this.picture.scene
        const region: Window = [
          Math.max(0, Math.floor(x0)),
          Math.min(nx, Math.ceil(x1)),
          Math.max(0, Math.floor(y0)),
          Math.min(ny, Math.ceil(y1)),
        ]
        this.picture.gestures.onBox = null
        this.picture.show({ region })
        this.session.emit('picked', { region })
        resolve(region)
      }
    })
  }

  /** Ticks of times for the bar. */
  #markTimes(): void {
    const {
      drawn,
      dataset: { offset },
    } = this.session
    if (drawn.kind !== 'datetime' || this.bar.marks) return
    void import('../model/timeticks.js').then(({ dateMarks }) => {
      this.bar.marks = dateMarks(drawn, offset)
      this.bar.draw()
    })
  }

  /** Integers that look like labels get the map `labels`, unless the user chose one. */
  #judge({ slab: { piece }, layout: { width } }: Shown): void {
    const {
      state,
      base,
      dataset: { type },
    } = this.session
    if (this.#judged) return
    this.#judged = true
    const integers = type.kind === 'int' || type.kind === 'uint'
    if (integers && state.map === base.map && !piece.cells && patchy(piece.data as ArrayLike<number | bigint>, width))
      this.session.set({ map: 'labels' })
    if (state.part === 'phase' && state.map === base.map) this.session.set({ map: 'cyclic' })
  }

  #setLine(line: [number, number, number, number] | null): void {
    this.#line = line
    this.picture.show({ line })
    this.#drawProfile()
  }

  #drawProfile(): void {
    if (!this.#line) return this.#shownProfile?.show(null)
    void (this.#profile ??= import('./profile.js')).then(({ along, LineProfile }) => {
      const { shown, session } = this
      const profile = (this.#shownProfile ??= new LineProfile(() => this.#setLine(null)))
      if (!profile.element.isConnected) this.element.append(profile.element)
      if (!shown || !this.#line) return profile.show(null)
      const { numbers, layout, wanted } = shown
      const values = along(this.#line, numbers, layout, wanted)
      profile.show({
        values,
        line: this.#line,
        scale: session.state.scale,
        size: this.picture.scene.size,
        text: value => this.numberText(shown, value),
        note: overviewText(session.dataset, wanted),
      })
    })
  }
}
