import { inTurn } from '../../js/base/turns.js'
import { Exact } from '../data/exact.js'
import { Newest, type Slab } from '../data/loader.js'
import { unitOf } from '../data/names.js'
import { layoutOf, overviewText, planeFor, shownBy, strideOf, windowCuts, type Wanted } from '../data/plane.js'
import { boxOf, rangeOf, sampleIn, summaryOf, type Box } from '../data/range.js'
import type { Window } from '../data/state.js'
import { clamp } from '../data/suggest.js'
import { numberText, roughText, textOf, type Numbers } from '../data/values.js'
import { WHY } from '../data/why.js'
// A plane as colours.
import { fill, h, say } from '../dom.js'
import { Bar } from '../draw/bar.js'
import { SPECIALS } from '../draw/colours.js'
import { swatch } from '../draw/hatch.js'
import { paint, paintColours, type Colouring } from '../draw/paint.js'
import { Picture } from '../draw/picture.js'
import { patchy } from '../draw/scale.js'
import type { Session } from '../session.js'
import { axesOf } from './axes.js'
import type * as ProfileModule from './profile.js'
import type { LineProfile } from './profile.js'
import type { Figure, View } from './view.js'

/** All numbers, whatever axes they are of. */
const everythingIn = ({ length }: Numbers): Box => ({
  layout: { width: length, height: 1, right: 1, down: 0 },
  columns: [0, length],
  rows: [0, 1],
})

export class Heatmap implements View {
  readonly element: HTMLElement
  readonly picture: Picture
  readonly #session: Session
  readonly bar: Bar
  /** Once somebody asked for values along a line. */
  #profile: Promise<typeof ProfileModule> | undefined
  #shownProfile: LineProfile | undefined
  readonly #legend = h('ul', { class: 'legend', 'aria-label': 'what has no colour of the map' })
  readonly #badge = h('div', { class: 'badge', hidden: true })
  readonly #exact: Exact
  readonly #newest = new Newest(true)
  readonly #colours: boolean
  #slab: Slab | null = null
  #axes = ''
  /** The axes of what was asked for last. */
  #asked = ''
  #wanted: Wanted | null = null
  #line: [number, number, number, number] | null = null
  #cursor: [number, number] | null = null
  #judged = false
  /** The axes of a plane of which somebody wants but a part, since the whole is dear. */
  #partly = ''

  constructor(session: Session, colours = false) {
    this.#session = session
    this.#colours = colours
    this.#exact = new Exact(
      session,
      () => [session.state.x, session.state.y],
      () => (colours ? session.state.z : null),
    )
    const canvas = h('canvas', { class: 'plot', role: 'img', 'aria-label': 'picture of the plane' })
    const bar = h('canvas', {
      class: 'bar',
      role: 'img',
      'aria-label': 'which colour means which value',
      hidden: colours,
    })
    this.bar = new Bar(bar)
    if (!colours) session.pickRegion = () => this.#pickRegion()
    this.element = h(
      'div',
      { class: 'view pictures' },
      h('div', { class: 'beside' }, canvas, !colours && bar, this.#badge),
      this.#legend,
    )
    this.picture = new Picture(canvas, {
      hover: at => this.#hover(at),
      pick: at => this.#pick(at),
      look: window => this.#look(window),
      line: line => this.#setLine(line),
      step: by => session.step(by, session.active),
      place: rect => this.bar.beside(canvas, rect),
    })
  }

  /** Waits for a rectangle, of whole items. */
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
        resolve(region)
      }
    })
  }

  update(): void {
    const {
      dataset: { shape },
      state,
    } = this.#session
    const { x, y, window, index } = state
    if (x === null || y === null) return
    const looked: Window = window ?? [0, shape[x]!, 0, shape[y]!]
    this.picture.show({
      nx: shape[x]!,
      ny: shape[y]!,
      window: looked,
      holes: this.#session.dataset.missing?.holes(index, x, y, looked) ?? [],
      smooth: state.smooth,
      equal: state.equal,
      flip: state.flip,
      ...axesOf(this.#session.dataset, x, y),
    })
    const wanted = this.#wantedAt(index)
    const there = this.#session.loader.peek(wanted.cuts)
    if (there) {
      this.#newest.stop()
      this.#session.emit('dear', null)
      this.#show(there, wanted)
      return
    }
    // What is still seen of another plane must not be taken for this one's.
    if (this.#asked !== `${x} ${y}` || this.#session.asking) this.#newest.stop()
    this.#asked = `${x} ${y}`
    if (this.#slab && this.#axes !== `${x} ${y}`) {
      this.#slab = null
      this.picture.show({ image: null })
    }
    this.#newest
      .run(async signal => {
        const slab = await this.#session.obtain(wanted.cuts, signal, this.#partial ? null : () => this.#lookAtPart())
        await this.#prepare(slab, wanted)
        if (!signal.aborted) this.#show(slab, wanted)
      })
      .catch((error: unknown) => this.#session.emit('trouble', error))
  }

  close(): void {
    this.#newest.stop()
    this.#exact.close()
    this.#session.pickRegion = null
    this.picture.close()
    this.bar.close()
    this.#shownProfile?.close()
  }

  cuts() {
    const {
      dataset: { shape },
      state: { index, x, y, z, window },
    } = this.#session
    return windowCuts(shape, index, x!, y!, window, this.#colours ? z : null)
  }

  move(dx: number, dy: number): void {
    const {
      nx,
      ny,
      window: [x0, x1, y0, y1],
      flip,
    } = this.picture.scene
    const [x, y] = this.#cursor ?? [Math.floor((x0 + x1) / 2), Math.floor((y0 + y1) / 2)]
    this.#pick([clamp(x + dx, 0, nx - 1), clamp(y + (flip ? -dy : dy), 0, ny - 1)])
  }

  zoom(factor: number): void {
    if (factor)
      this.picture.gestures.zoom(
        factor,
        this.#cursor ? this.picture.fromItems(this.#cursor[0] + 0.5, this.#cursor[1] + 0.5) : undefined,
      )
    else this.#look(null)
  }

  actual(): void {
    this.picture.gestures.actual(
      this.#cursor ? this.picture.fromItems(this.#cursor[0] + 0.5, this.#cursor[1] + 0.5) : undefined,
    )
  }

  /** What was read to be shown. */
  get wanted(): Wanted | null {
    return this.#wanted
  }

  /** The first position that is not shown but stepped through, as it was read. */
  get shownAt(): number | null {
    return this.#slab?.piece.cuts.find(cut => typeof cut === 'number') ?? null
  }

  /** Tells about an item, as if the pointer were there. */
  point(at: [number, number]): void {
    this.#hover(at)
  }

  figure(): Figure {
    const { colouring, type, part, offset, unit, marks } = this.bar
    return {
      picture: this.picture.scene,
      bar: this.#colours || colouring?.map === 'labels' ? null : { colouring, type, part, offset, unit, marks },
    }
  }

  /** A first call marks the start at the cursor, a second the end. Without a cursor, the middle row. */
  profile(): void {
    const { nx, ny } = this.picture.scene
    if (!this.#cursor) this.#setLine([0, ny >> 1, nx - 1, ny >> 1])
    else if (!this.#line || this.#line[0] !== this.#line[2] || this.#line[1] !== this.#line[3])
      this.#setLine([...this.#cursor, ...this.#cursor])
    else this.#setLine([this.#line[0], this.#line[1], ...this.#cursor])
  }

  /** Does in turns what showing a slice for the first time takes. */
  async #prepare(slab: Slab, wanted: Wanted): Promise<void> {
    const { x, y, part, window } = this.#session.state
    await inTurn(() => slab.numbers(part, shownBy(wanted)))
    if (!this.#colours)
      await inTurn(() => rangeOf(this.#session, slab, boxOf(layoutOf(slab.piece, x!, y!), wanted, window)))
  }

  #show(slab: Slab, wanted: Wanted): void {
    const session = this.#session
    const { x, y, z, part } = session.state
    this.#slab = slab
    this.#axes = `${x} ${y}`
    this.#wanted = wanted
    const layout = layoutOf(slab.piece, x!, y!)
    const numbers = slab.numbers(part, shownBy(wanted))
    this.#judge(slab, layout.width)
    const box = boxOf(layout, wanted, session.state.window)
    const colouring: Colouring = {
      map: session.state.map,
      scale: session.state.scale,
      range: this.#colours ? this.#colourRange(slab) : rangeOf(session, slab, box),
    }
    const painted = this.#colours
      ? paintColours(
          'rgb',
          numbers,
          { ...layout, deep: strideOf(slab.piece, z!), channels: session.dataset.shape[z!]! },
          colouring.range,
        )
      : paint('heatmap', numbers, layout, colouring, shownBy(wanted))
    this.picture.show({ image: { ...painted, ...wanted } })
    Object.assign(this.bar, {
      colouring,
      type: session.drawn,
      part,
      offset: session.dataset.offset,
      unit: unitOf(session.dataset),
    })
    this.#markTimes()
    this.bar.draw()
    session.limits = colouring.range
    session.values = () => sampleIn(session, slab, this.#colours ? everythingIn(slab.numbers(part)) : box)
    this.#badge.hidden = !wanted.overview && !wanted.projected
    say(this.#badge, overviewText(session.dataset, wanted) ?? '')
    this.#explain(slab, box)
    this.#drawProfile()
    if (this.#cursor) this.#hover(this.#cursor)
    session.emit('shown', { cuts: this.cuts(), note: overviewText(session.dataset, wanted) })
    void session.prefetch(index => this.#wantedAt(index).cuts)
  }

  /** Round times beside the bar. */
  #markTimes(): void {
    const {
      drawn,
      dataset: { offset },
    } = this.#session
    if (drawn.kind !== 'datetime' || this.bar.marks) return
    void import('../draw/timeticks.js').then(({ dateMarks }) => {
      this.bar.marks = dateMarks(drawn, offset)
      this.bar.draw()
    })
  }

  /** Says which colours are no values, where there are any, and what the bar does not tell. */
  #explain(slab: Slab, box: Box): void {
    const {
      drawn,
      dataset: { offset },
      state: { part, scale },
    } = this.#session
    const { nan, inf, min } = this.#colours ? { nan: 0, inf: 0, min: NaN } : summaryOf(slab, part, box)
    const there: Record<string, boolean | number> = {
      NaN: nan,
      '+∞': inf,
      '−∞': inf,
      '≤ 0': scale === 'log' && min <= 0,
    }
    const marks = Object.entries(SPECIALS)
      .filter(([name]) => there[name])
      .map(([name, colour]) => {
        const mark = h('i', {})
        mark.style.background = colour
        return h(
          'li',
          {},
          mark,
          name === 'NaN' ? `${nan.toLocaleString('en')} ${drawn.kind === 'datetime' ? 'NaT' : 'NaN'}` : name,
        )
      })
    const holes = [...new Set(this.picture.scene.holes!.map(({ why }) => why))].map(why =>
      h('li', {}, swatch(this.element, why), WHY[why]),
    )
    const above = offset && drawn.kind !== 'datetime' ? h('li', { class: 'offset' }, `bar: ${offset} + …`) : null
    if (marks.length || holes.length || above || this.#legend.firstChild) fill(this.#legend, ...marks, ...holes, above)
  }

  /** Bytes are colours as they are. */
  #colourRange(slab: Slab) {
    const { type } = this.#session.dataset
    const whole = type.kind === 'uint' && type.size === 1 && this.#session.state.range === 'auto'
    return whole
      ? { min: 0, max: 255 }
      : rangeOf(this.#session, slab, everythingIn(slab.numbers(this.#session.state.part)))
  }

  /** Integers that look like labels are shown as such, unless somebody chose a map. */
  #judge(slab: Slab, width: number): void {
    const {
      state,
      base,
      dataset: { type },
    } = this.#session
    if (this.#judged) return
    this.#judged = true
    const integers = type.kind === 'int' || type.kind === 'uint'
    if (
      integers &&
      state.map === base.map &&
      !slab.piece.cells &&
      patchy(slab.piece.data as ArrayLike<number | bigint>, width)
    )
      this.#session.set({ map: 'labels' })
    if (state.part === 'phase' && state.map === base.map) this.#session.set({ map: 'cyclic' })
  }

  #look(window: Window | null): void {
    this.#session.set({ window })
  }

  get #partial(): boolean {
    const { x, y, window } = this.#session.state
    return window !== null && this.#partly === `${x} ${y}`
  }

  #wantedAt(index: readonly number[]): Wanted {
    const { dataset, state } = this.#session
    const { x, y, z, window } = state
    const tiles = this.#partial ? ([dataset.chunks?.[x!] ?? 512, dataset.chunks?.[y!] ?? 512] as const) : null
    return planeFor(dataset, state, index, x!, y!, { window, whole: this.#colours ? z : null, tiles })
  }

  /** What is seen and no more; of a whole plane what costs little: that of one chunk. */
  #lookAtPart(): void {
    const {
      dataset,
      state: { x, y, window },
    } = this.#session
    this.#partly = `${x} ${y}`
    if (window) return this.update()
    const along = (axis: number): [number, number] => {
      const [length, chunk] = [dataset.shape[axis]!, dataset.chunks?.[axis] ?? 512]
      const start = Math.floor(length / 2 / chunk) * chunk
      return [start, Math.min(length, start + chunk)]
    }
    this.#look([...along(x!), ...along(y!)])
  }

  /** The value of an item as it was read; null if only an overview was. */
  #valueAt(ix: number, iy: number): string | null {
    const [slab, wanted, { x, y, z, part }] = [this.#slab, this.#wanted, this.#session.state]
    if (!slab || !wanted || (wanted.step > 1 && !wanted.projected) || this.#axes !== `${x} ${y}`) return null
    const [column, row] = [Math.floor((ix - wanted.x) / wanted.step), Math.floor((iy - wanted.y) / wanted.step)]
    const { width, height, right, down } = layoutOf(slab.piece, x!, y!)
    if (column < 0 || row < 0 || column >= width || row >= height) return null
    const {
      dataset: { type, offset },
      drawn,
    } = this.#session
    const at = column * right + row * down
    if (wanted.projected) {
      const value = slab.numbers(part, wanted.projected.how)[at]!
      return offset
        ? roughText(drawn, value, part, offset)
        : numberText(value, slab.piece.data instanceof Float32Array ? 4 : 8)
    }
    const text = (at: number) => textOf(type, slab.piece.data, at, slab.piece.width)
    if (!this.#colours)
      return type.kind === 'complex' && part === 'phase'
        ? `${text(at)} (phase ${slab.numbers(part)[at]!.toFixed(4)})`
        : text(at)
    return Array.from({ length: this.#session.dataset.shape[z!]! }, (_, channel) =>
      text(at + channel * strideOf(slab.piece, z!)),
    ).join(', ')
  }

  #hover(at: [number, number] | null): void {
    at ??= this.#cursor
    this.picture.show({ cross: this.#cursor })
    this.#exact.close()
    if (!at) {
      this.#session.emit('where', null)
      return this.#session.emit('readout', '')
    }
    const {
      state: { x, y, z, index },
      dataset: { shape, missing },
    } = this.#session
    // What is seen may be of another position than what is being read.
    const seen = (axis: number) => {
      const cut = this.#slab?.piece.cuts[axis]
      return typeof cut === 'number' ? cut : index[axis]!
    }
    const item = shape.map((_, axis) => (axis === x ? at[0] : axis === y ? at[1] : seen(axis)))
    const projected = this.#wanted?.projected
    const place = item.map((position, axis) =>
      axis === projected?.axis ? projected.how : this.#colours && axis === z ? ':' : position,
    )
    const tell = (text: string) => this.#session.emit('readout', `[${place.join(', ')}] = ${text}`)
    this.#session.emit('where', item)
    if (projected) return tell(this.#valueAt(...at) ?? '…')
    tell((missing?.at(item) ? null : this.#valueAt(...at)) ?? this.#exact.text(item, tell) ?? '…')
  }

  /** Sets the cursor; other views go through it, too. */
  #pick(at: [number, number]): void {
    this.#cursor = at
    const { x, y, index } = this.#session.state
    this.#session.set({ index: index.with(x!, at[0]).with(y!, at[1]) })
    this.#hover(at)
  }

  #setLine(line: [number, number, number, number] | null): void {
    this.#line = line
    this.picture.show({ line })
    this.#drawProfile()
  }

  #drawProfile(): void {
    if (!this.#line) return this.#shownProfile?.show(null)
    void (this.#profile ??= import('./profile.js')).then(({ along, LineProfile }) => {
      const [slab, wanted, { x, y, part, scale }] = [this.#slab, this.#wanted, this.#session.state]
      const profile = (this.#shownProfile ??= new LineProfile(() => this.#setLine(null)))
      if (!profile.element.isConnected) this.element.append(profile.element)
      if (!slab || !wanted || !this.#line || this.#colours) return profile.show(null)
      const values = along(this.#line, slab.numbers(part, shownBy(wanted)), layoutOf(slab.piece, x!, y!), wanted)
      profile.show({ values, line: this.#line, scale, note: overviewText(this.#session.dataset, wanted) })
    })
  }
}
