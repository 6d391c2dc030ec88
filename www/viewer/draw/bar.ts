// The colour bar.

import type { Type } from '../../js/index.js'
import { atFrame, fit, inks } from '../dom.js'
import type { Axis } from '../model/names.js'
import { unwarp, usable, warp } from '../model/scale.js'
import { scaleTicks, ticks, tickTexts } from '../model/ticks.js'
import { roughText } from '../model/values.js'
import { strip } from './colours.js'
import type { Colouring } from './paint.js'
import type { Rect } from './paper.js'

export interface BarScene {
  colouring: Colouring | null
  type: Type | null
  part: string
  /** The offset that was subtracted from the numbers. It is added to times again; other ticks are relative to it. */
  offset: bigint
  unit: string
  /** Creates ticks of times. */
  marks: Axis['marks'] | null
}

export class Bar {
  readonly canvas: HTMLCanvasElement
  scene: BarScene = { colouring: null, type: null, part: '', offset: 0n, unit: '', marks: null }
  /** The labels of the ticks. */
  texts: string[] = []
  /** The colours of a map as a picture. */
  #strip: { map: string; canvas: HTMLCanvasElement } | undefined
  #place: { top: number; bottom: number; shift: number } | null = null
  readonly #observer: ResizeObserver
  readonly draw = atFrame(() => this.paint())

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas
    this.#observer = new ResizeObserver(this.draw)
    this.#observer.observe(canvas)
  }

  show(scene: Partial<BarScene>): void {
    Object.assign(this.scene, scene)
    this.draw()
  }

  close(): void {
    this.#observer.disconnect()
  }

  /** Aligns the bar with an image on the canvas to its left. */
  beside(canvas: HTMLCanvasElement, { left, top, width, height }: Rect): void {
    const place = { top, bottom: top + height, shift: Math.max(0, canvas.clientWidth - left - width - 8) }
    if (this.#place && Object.entries(place).every(([key, value]) => value === this.#place![key as keyof typeof place]))
      return
    this.#place = place
    this.canvas.style.translate = `${-place.shift}px`
    this.draw()
  }

  paint(): void {
    const { context, width, height } = fit(this.canvas)
    const { colouring, type, part, offset, unit, marks: marksOf } = this.scene
    // Without values there are no limits.
    this.canvas.hidden = !colouring || colouring.map === 'labels' || Number.isNaN(colouring.range.min)
    if (!colouring || this.canvas.hidden || height < 40) return
    const { scale } = colouring
    const range = usable(colouring.range, scale)
    const { top, bottom } =
      this.#place && this.#place.bottom - this.#place.top > 60 ? this.#place : { top: 10, bottom: height - 40 }
    const [left, thick] = [8, 14]
    if (this.#strip?.map !== colouring.map) this.#strip = { map: colouring.map, canvas: strip(colouring.map) }
    context.drawImage(this.#strip.canvas, left, top, thick, bottom - top)
    const { faint, line } = inks(this.canvas)
    context.strokeStyle = line
    context.strokeRect(left - 0.5, top - 0.5, thick + 1, bottom - top + 1)
    context.fillStyle = faint
    context.font = '11px system-ui, sans-serif'
    context.textBaseline = 'middle'
    const to = warp(scale, range)
    const [low, high] = [to(range.min), to(range.max)]
    const times = marksOf?.(range.min, range.max, Math.max(2, (bottom - top) / 50))
    const marks = times
      ? times.map(({ at }) => at)
      : part === 'phase'
        ? ticks(-1, 1, 4).map(tick => tick * Math.PI)
        : scaleTicks(scale, range, Math.max(2, (bottom - top) / 50))
    const plain = tickTexts(marks)
    const text = (tick: number) => {
      if (times) return times.find(({ at }) => at === tick)!.text
      if (part === 'phase') return tick === 0 ? '0' : `${Number((tick / Math.PI).toFixed(2))}π`
      return type && ['datetime', 'timedelta'].includes(type.kind)
        ? roughText(type, tick, '', offset).slice(0, 10)
        : plain(tick)
    }
    this.texts = marks.map(text)
    if (unit) context.fillText(unit, left, bottom + 14, width - left)
    for (const tick of marks.length ? marks : [range.min, unwarp(scale, range)(high)]) {
      const y = bottom - ((to(tick) - low) / (high - low)) * (bottom - top)
      if (y < top - 1 || y > bottom + 1) continue
      context.fillRect(left + thick + 1, y - 0.5, 4, 1)
      context.fillText(text(tick), left + thick + 8, y, width - left - thick - 8)
    }
  }
}
