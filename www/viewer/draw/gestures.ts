// Mouse, pen, touch and wheel on a picture.
import type { Window } from '../model/state.js'
import { clamp } from '../model/suggest.js'
import type { Rect } from './paper.js'
import { onWheel } from './wheel.js'

type Point = [x: number, y: number]

/** The receiver of gestures on a picture. */
export interface Listener {
  hover?(at: [number, number] | null): void
  pick?(at: [number, number]): void
  look?(window: Window | null): void
  line?(line: [number, number, number, number]): void
  /** Steps one position forward or back. */
  step?(by: number): void
  /** Called when the image has moved on the canvas. */
  place?(rect: Rect): void
}

/** The picture, as far as gestures see it. */
interface Plot {
  readonly canvas: HTMLCanvasElement
  readonly scene: { nx: number; ny: number; window: Window }
  /** The size of the plot without its axes. */
  readonly room: [width: number, height: number]
  toItem(x: number, y: number): [number, number] | null
  toItems(x: number, y: number, strict?: boolean): [number, number] | null
  draw(): void
}

export class Gestures {
  /** The shape being drawn: a box to zoom into, or a line for a profile. */
  box: Rect | null = null
  line: [number, number, number, number] | null = null
  /** Whether dragging draws a line without a key, for touch screens. */
  drawing = false
  /** Receives the next box that is drawn, which then needs no key, instead of zooming into it. */
  onBox: ((window: Window) => void) | null = null
  readonly #picture: Plot
  readonly #listener: Listener
  readonly #pointers = new Map<number, Point>()
  #start: Point | null = null
  #from: Window | null = null
  #moved = false

  constructor(picture: Plot, listener: Listener) {
    this.#picture = picture
    this.#listener = listener
    const { canvas } = picture
    const on = <K extends keyof HTMLElementEventMap>(name: K, use: (event: HTMLElementEventMap[K]) => void) =>
      canvas.addEventListener(name, use)
    on('pointerdown', event => this.#down(event))
    on('pointermove', event => this.#move(event))
    on('pointerup', event => this.#up(event))
    on('pointercancel', event => this.#up(event, false))
    on('pointerleave', () => listener.hover?.(null))
    on('dblclick', () => listener.look?.(null))
    onWheel(canvas, {
      zoom: listener.look && ((factor, point) => this.zoom(factor, point)),
      step: by => listener.step?.(by),
    })
  }

  /** Zooms in (`factor` < 1) or out, about a point of the canvas or the centre. */
  zoom(factor: number, point?: Point): void {
    const { nx, ny, window } = this.#picture.scene
    const [x0, x1, y0, y1] = window
    const [x, y] = (point && this.#picture.toItems(...point, false)) ?? [(x0 + x1) / 2, (y0 + y1) / 2]
    if (x1 - x0 >= nx && y1 - y0 >= ny && factor > 1) return this.#listener.look?.(null)
    const scale = (a: number, b: number, at: number): [number, number] => [
      at + (a - at) * factor,
      at + (b - at) * factor,
    ]
    this.#look([...scale(x0, x1, x), ...scale(y0, y1, y)])
  }

  /** Shows one item per pixel, about a point of the canvas or the centre. A plane smaller than the canvas gets margins. */
  actual(point?: Point): void {
    const {
      nx,
      ny,
      window: [x0, x1, y0, y1],
    } = this.#picture.scene
    const [x, y] = (point && this.#picture.toItems(...point, false)) ?? [(x0 + x1) / 2, (y0 + y1) / 2]
    const [width, height] = this.#picture.room
    const along = (at: number, size: number, length: number): [number, number] => {
      const start = size < length ? clamp(at - size / 2, 0, length - size) : (length - size) / 2
      return [start, start + size]
    }
    this.#listener.look?.([...along(x, width, nx), ...along(y, height, ny)])
  }

  /** Limits the window to the array, and to a minimum of a few items. */
  #look([x0, x1, y0, y1]: Window): void {
    const {
      nx,
      ny,
      window: [fromX, toX, fromY, toY],
    } = this.#picture.scene
    /** Keeps margins around the array if there were any. */
    const keep = (a: number, b: number, length: number, before: number): [number, number] => {
      const size = clamp(b - a, Math.min(4, length), Math.max(length, before))
      const start = size < length ? clamp((a + b - size) / 2, 0, length - size) : (length - size) / 2
      return [start, start + size]
    }
    const window: Window = [...keep(x0, x1, nx, toX - fromX), ...keep(y0, y1, ny, toY - fromY)]
    const whole = window[1] - window[0] >= nx && window[3] - window[2] >= ny
    this.#listener.look?.(whole ? null : window)
  }

  #point(event: MouseEvent): Point {
    const { left, top } = this.#picture.canvas.getBoundingClientRect()
    return [event.clientX - left, event.clientY - top]
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return
    this.#picture.canvas.setPointerCapture(event.pointerId)
    this.#pointers.set(event.pointerId, this.#point(event))
    this.#start = this.#point(event)
    this.#from = [...this.#picture.scene.window]
    this.#moved = this.#pointers.size > 1
  }

  #move(event: PointerEvent): void {
    const point = this.#point(event)
    const before = this.#pointers.get(event.pointerId)
    if (!before || !this.#start) return this.#listener.hover?.(this.#picture.toItem(...point))
    if (this.#pointers.size === 2) this.#pinch(event.pointerId, before, point)
    this.#pointers.set(event.pointerId, point)
    if (this.#pointers.size > 1) return
    const far = Math.hypot(point[0] - this.#start[0], point[1] - this.#start[1]) > 4
    if (!far && !this.#moved) return
    this.#moved = true
    if (event.shiftKey || this.drawing || this.line) this.#drawLine(this.#start, point)
    else if (event.ctrlKey || event.metaKey || this.box || this.onBox) this.#drawBox(this.#start, point)
    else if (this.#zoomed()) this.#pan(this.#start, point)
    this.#picture.draw()
  }

  #up(event: PointerEvent, done = true): void {
    const point = this.#point(event)
    const known = this.#pointers.delete(event.pointerId)
    if (!known || this.#pointers.size) return
    const { line, box } = this
    this.line = this.box = null
    if (done && line) this.#listener.line?.(line)
    else if (done && box && box.width > 6 && box.height > 6) {
      const a = this.#picture.toItems(box.left, box.top, false)!
      const b = this.#picture.toItems(box.left + box.width, box.top + box.height, false)!
      const window: Window = [Math.min(a[0], b[0]), Math.max(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[1], b[1])]
      if (this.onBox) this.onBox(window)
      else this.#look(window)
    } else if (done && !this.#moved) {
      const at = this.#picture.toItem(...point)
      if (at) this.#listener.pick?.(at)
    }
    this.#start = null
    this.#picture.draw()
  }

  #zoomed(): boolean {
    const { nx, ny } = this.#picture.scene
    const [x0, x1, y0, y1] = this.#from!
    return x1 - x0 < nx || y1 - y0 < ny
  }

  #pan(start: Point, point: Point): void {
    const [x0, x1, y0, y1] = this.#from!
    const a = this.#picture.toItems(...start, false)!
    const b = this.#picture.toItems(...point, false)!
    // `toItems` uses the current window, which has the same size as at the start but another position.
    const [dx, dy] = [a[0] - b[0], a[1] - b[1]]
    this.#look([x0 + dx, x1 + dx, y0 + dy, y1 + dy])
  }

  #pinch(id: number, before: Point, point: Point): void {
    const [[, other]] = [...this.#pointers].filter(([key]) => key !== id) as [[number, Point]]
    const distance = (p: Point) => Math.hypot(p[0] - other[0], p[1] - other[1])
    this.zoom(clamp(distance(before) / (distance(point) || 1), 0.5, 2), other)
  }

  #drawBox([ax, ay]: Point, [bx, by]: Point): void {
    this.box = { left: Math.min(ax, bx), top: Math.min(ay, by), width: Math.abs(ax - bx), height: Math.abs(ay - by) }
  }

  #drawLine(start: Point, point: Point): void {
    const [a, b] = [this.#picture.toItem(...start), this.#picture.toItem(...point)]
    if (a && b) this.line = [...a, ...b]
  }
}
