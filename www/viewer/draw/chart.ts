// Line and bar charts.

import { atFrame, fit, inks } from '../dom.js'
import type { Mark } from '../model/names.js'
import { usable, warp, type Range } from '../model/scale.js'
import type { Scale } from '../model/state.js'
import { plainMarks, scaleTicks, tickTexts } from '../model/ticks.js'
import type { Series } from '../model/trace.js'
import type { Why } from '../model/why.js'
import { LINES } from './colours.js'
import { Hatching } from './hatch.js'

/** Positions without values. */
export interface Band {
  x: number
  width: number
  why: Why | 'unread'
}

export type Marks = (from: number, to: number, count: number) => Mark[]

export interface ChartScene {
  series: Series[]
  count: number
  bars: boolean
  /** Points instead of lines. */
  points: { x: ArrayLike<number>; y: ArrayLike<number> } | null
  /** The x coordinates of the values: `start + step * k`. */
  start: number
  step: number
  window: [number, number]
  range: Range
  scale: Scale
  xLabel: string
  yLabel: string
  /** Creates the ticks; null: ticks of numbers. */
  xMarks: Marks | null
  yMarks: Marks | null
  bands: readonly Band[]
  /** The marked position, and the values of the series there. */
  cursor: number | null
  dots: readonly number[]
  wholeX: boolean
}

const MARGIN = { left: 76, right: 14, top: 10, bottom: 38 }

export class Chart {
  readonly canvas: HTMLCanvasElement
  scene: ChartScene = {
    series: [],
    count: 0,
    bars: false,
    points: null,
    start: 0,
    step: 1,
    window: [0, 1],
    range: { min: 0, max: 1 },
    scale: 'linear',
    xLabel: '',
    yLabel: '',
    xMarks: null,
    yMarks: null,
    bands: [],
    cursor: null,
    dots: [],
    wholeX: true,
  }
  /** The ticks along x. */
  marks: Mark[] = []
  readonly #hatching = new Hatching()
  #observer: ResizeObserver
  readonly draw = atFrame(() => this.paint())

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas
    this.#observer = new ResizeObserver(() => this.paint())
    this.#observer.observe(canvas)
  }

  show(scene: Partial<ChartScene>): void {
    Object.assign(this.scene, scene)
    this.draw()
  }

  close(): void {
    this.#observer.disconnect()
  }

  /** Converts a point of the canvas to an x coordinate. */
  toX(x: number): number {
    const [from, to] = this.scene.window
    return from + ((x - MARGIN.left) / Math.max(1, this.canvas.clientWidth - MARGIN.left - MARGIN.right)) * (to - from)
  }

  paint(): void {
    const { context, width, height } = fit(this.canvas)
    this.render(context, width, height)
  }

  /** Draws to a context. */
  render(context: CanvasRenderingContext2D, width: number, height: number): void {
    const [w, h] = [width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom]
    if (w < 10 || h < 10) return
    const { scene } = this
    const range = usable(scene.range, scene.scale)
    const to = warp(scene.scale, range)
    const [low, high] = [to(range.min), to(range.max)]
    const y = (value: number) => MARGIN.top + h - ((to(value) - low) / (high - low)) * h
    const x = (at: number) => MARGIN.left + ((at - scene.window[0]) / (scene.window[1] - scene.window[0] || 1)) * w
    this.#axes(context, w, h, x, y, range)
    context.save()
    context.beginPath()
    context.rect(MARGIN.left, MARGIN.top, w, h)
    context.clip()
    for (const band of scene.bands) {
      this.#hatching.fill(context, this.canvas, band.why)
      const [from, to] = [x(band.x - 0.5), x(band.x + band.width - 0.5)]
      context.fillRect(from, MARGIN.top, to - from, h)
    }
    if (scene.bars) this.#bars(context, x, y, h)
    else if (scene.points) this.#points(context, scene.points, x, y)
    else scene.series.forEach((series, k) => this.#line(context, series, LINES[k % LINES.length]!, x, y, w))
    this.#cursor(context, x, y, h)
    context.restore()
  }

  #axes(
    context: CanvasRenderingContext2D,
    w: number,
    h: number,
    x: (at: number) => number,
    y: (value: number) => number,
    range: Range,
  ): void {
    const { ink, faint, line } = inks(this.canvas)
    const { scene } = this
    context.font = '11px system-ui, sans-serif'
    context.lineWidth = 1
    context.strokeStyle = line
    context.fillStyle = faint
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    context.beginPath()
    const values = scaleTicks(scene.scale, range, Math.max(2, h / 48))
    const valueText = tickTexts(values)
    const across =
      scene.yMarks?.(range.min, range.max, Math.max(2, h / 48)) ?? values.map(at => ({ at, text: valueText(at) }))
    for (const { at: value, text } of across) {
      const at = Math.round(y(value)) + 0.5
      context.moveTo(MARGIN.left, at)
      context.lineTo(MARGIN.left + w, at)
      context.fillText(text, MARGIN.left - 8, at, MARGIN.left - 12)
    }
    context.stroke()
    context.textAlign = 'center'
    context.textBaseline = 'top'
    const [from, to] = scene.window
    this.marks = (scene.xMarks ?? plainMarks)(from, to, Math.max(2, w / 90), scene.wholeX)
    for (const { at: tick, text } of this.marks) {
      // The last one stays on the canvas.
      const right = MARGIN.left + w + MARGIN.right - context.measureText(text).width / 2
      context.fillText(text, Math.min(x(tick), right), MARGIN.top + h + 7)
    }
    context.fillStyle = ink
    context.textBaseline = 'alphabetic'
    context.fillText(scene.xLabel, MARGIN.left + w / 2, MARGIN.top + h + 33)
    context.save()
    context.translate(12, MARGIN.top + h / 2)
    context.rotate(-Math.PI / 2)
    context.fillText(scene.yLabel, 0, 0)
    context.restore()
  }

  /** If values are denser than pixels, each column of pixels gets a stroke from its minimum to its maximum. */
  #line(
    context: CanvasRenderingContext2D,
    series: Series,
    colour: string,
    x: (at: number) => number,
    y: (value: number) => number,
    w: number,
  ): void {
    const { scene } = this
    const { values, high: top = values, stride, offset } = series
    const first = Math.max(0, Math.floor((scene.window[0] - scene.start) / scene.step))
    const last = Math.min(scene.count - 1, Math.ceil((scene.window[1] - scene.start) / scene.step))
    const each = (last - first + 1) / w
    context.strokeStyle = colour
    context.fillStyle = colour
    context.lineWidth = 1.5
    context.lineJoin = 'round'
    context.beginPath()
    let down = false
    const bucket = Math.max(1, Math.floor(each))
    for (let k = first; k <= last; k += bucket) {
      let [low, high] = [Infinity, -Infinity]
      for (let j = k; j < Math.min(k + bucket, last + 1); j++) {
        const [least, greatest] = [values[offset + j * stride]!, top[offset + j * stride]!]
        if (least - least !== 0) continue
        if (least < low) low = least
        if (greatest > high) high = greatest
      }
      if (low > high) {
        down = false
        continue
      }
      const at = x(scene.start + k * scene.step)
      if (down) context.lineTo(at, y(low))
      else {
        // Wide enough that a value between two gaps is seen.
        context.moveTo(at - 0.75, y(low))
        context.lineTo(at + 0.75, y(low))
      }
      if (high !== low) context.lineTo(at, y(high))
      down = true
    }
    context.stroke()
    // Draws points for few values.
    if (each < 0.1 && top === values) {
      for (let k = first; k <= last; k++) {
        const value = values[offset + k * stride]!
        if (!Number.isFinite(value)) continue
        context.beginPath()
        context.arc(x(scene.start + k * scene.step), y(value), 2.5, 0, 7)
        context.fill()
      }
    }
  }

  /** Points are more transparent the more there are, so that their density is seen. */
  #points(
    context: CanvasRenderingContext2D,
    points: NonNullable<ChartScene['points']>,
    x: (at: number) => number,
    y: (value: number) => number,
  ): void {
    const size = points.x.length > 5000 ? 2 : 4
    context.fillStyle = LINES[0]!
    context.globalAlpha = Math.max(0.08, Math.min(0.8, 3000 / points.x.length))
    for (let k = 0; k < points.x.length; k++)
      context.fillRect(x(points.x[k]!) - size / 2, y(points.y[k]!) - size / 2, size, size)
    context.globalAlpha = 1
  }

  #bars(context: CanvasRenderingContext2D, x: (at: number) => number, y: (value: number) => number, h: number): void {
    const {
      series: [series],
      count,
      start,
      step,
    } = this.scene
    context.fillStyle = inks(this.canvas).accent
    for (let k = 0; k < count && series; k++) {
      const value = series.values[k]!
      const [a, b] = [x(start + k * step), x(start + (k + 1) * step)]
      if (value > 0) context.fillRect(a, y(value), Math.max(1, b - a - (b - a > 4 ? 1 : 0)), MARGIN.top + h - y(value))
    }
  }

  #cursor(context: CanvasRenderingContext2D, x: (at: number) => number, y: (value: number) => number, h: number): void {
    const { cursor, dots, bars } = this.scene
    if (cursor === null) return
    const { ink, ground } = inks(this.canvas)
    const at = x(cursor)
    context.strokeStyle = ink
    context.lineWidth = 1
    context.beginPath()
    context.moveTo(at, MARGIN.top)
    context.lineTo(at, MARGIN.top + h)
    context.stroke()
    if (bars) return
    dots.forEach((value, k) => {
      if (!Number.isFinite(value)) return
      context.beginPath()
      context.arc(at, y(value), 4, 0, 7)
      context.fillStyle = LINES[k % LINES.length]!
      context.strokeStyle = ground
      context.fill()
      context.stroke()
    })
  }
}
