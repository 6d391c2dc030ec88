// A canvas with an image of items, axes around it, and a cursor.

import { fit, inks, atFrame } from '../dom.js'
import type { Hole } from '../model/missing.js'
import type { Axis, Mark } from '../model/names.js'
import type { Window } from '../model/state.js'
import { plainMarks, roundBelow, tickText } from '../model/ticks.js'
import { Gestures, type Listener } from './gestures.js'
import { Hatching } from './hatch.js'
import type { Painted, Seen } from './paint.js'
import { Paper, type Rect } from './paper.js'

/** Pixels with their rectangle in items. */
export type Placed = Painted & { x: number; y: number; width: number; height: number }

export interface Scene {
  /** The number of items along the two axes. */
  nx: number
  ny: number
  window: Window
  image: Placed | null
  /** The opacity of the layer over the image, from 0, invisible, to 1. */
  over?: (Placed & { opacity: number }) | null
  /** The missing parts of the image. */
  holes?: readonly Hole[] | undefined
  smooth: boolean
  equal: boolean
  flip: boolean
  /** Whether the axes take less space; by default only on small canvases. */
  compact?: boolean
  xLabel: string
  yLabel: string
  /** Create the ticks of the axes; without these, ticks are positions. */
  xMarks?: Axis['marks']
  yMarks?: Axis['marks']
  /** The physical width and height of an item. */
  size?: { x: number; y: number; unit: string } | null
  /** The rectangle that statistics describe. */
  region?: Window | null
  cross: [number, number] | null
  /** A line from the centre of one item to the centre of another. */
  line: [number, number, number, number] | null
}

/** A canvas below a picture that is painted beside the page. */
export interface Layer {
  /** Whether it could draw the image: its values may not be there, or need more precision. */
  draw(scene: Scene, image: Placed, rect: Rect): boolean
}

/** Gives an image in a size that is painted already; null if it is painted in this size, or painting takes little time. */
export type Stretch = (
  image: Placed,
  size: readonly [width: number, height: number],
  seen: Seen,
) => HTMLCanvasElement | null

/** The initial state, before anything was read. */
const EMPTY: Scene = {
  nx: 1,
  ny: 1,
  window: [0, 1, 0, 1],
  image: null,
  smooth: false,
  equal: true,
  flip: false,
  xLabel: '',
  yLabel: '',
  cross: null,
  line: null,
}

/** Rounds to whole pixels of the screen. */
export const pixels = (length: number): number => Math.max(1, Math.round(Math.abs(length) * devicePixelRatio))

/** The margins for the axes: left, right, top, bottom. */
export const MARGINS = { usual: [52, 10, 8, 38], compact: [34, 4, 6, 30] } as const

type Part = Readonly<Record<string, unknown>> | null | undefined
/** By which a part of a scene is compared: an image, a size with its unit, or a list of up to four numbers. */
const COMPARED = ['numbers', 'key', 'x', 'y', 'width', 'height', 'opacity', 'unit', 'length', '0', '1', '2', '3']

/** Whether a part of a scene stays as it was. */
const isSame = (a: Part, b: Part): boolean =>
  a === b ||
  (!!a &&
    !!b &&
    ['string', 'number'].includes(typeof (a['key'] ?? a['unit'] ?? a[0])) &&
    COMPARED.every(key => a[key] === b[key]))

export class Picture {
  readonly canvas: HTMLCanvasElement
  readonly gestures: Gestures
  readonly paper = new Paper()
  /** The painter beside the page, once there is one. */
  layer: Layer | null = null
  /** Stretches what takes long to paint, once there is a large image. */
  stretched: Stretch | null = null
  scene: Scene
  readonly #listener: Listener
  readonly #hatching = new Hatching()
  #compact = false
  #rect: Rect = { left: 0, top: 0, width: 1, height: 1 }
  #observer: ResizeObserver
  /** The horizontal and vertical ticks. */
  marks: [Mark[], Mark[]] = [[], []]
  /** The label of the scale bar; empty if there is none. */
  bar = ''
  readonly draw = atFrame(() => this.paint())

  constructor(canvas: HTMLCanvasElement, listener: Listener, scene: Scene = EMPTY) {
    this.canvas = canvas
    this.scene = { ...scene }
    this.#listener = listener
    this.gestures = new Gestures(this, listener)
    this.#observer = new ResizeObserver(() => this.paint())
    this.#observer.observe(canvas)
  }

  show(scene: Partial<Scene>): void {
    const before = this.scene as unknown as Record<string, Part>
    if (Object.entries(scene).every(([key, value]) => isSame(before[key], value as Part))) return
    Object.assign(this.scene, scene)
    this.draw()
  }

  close(): void {
    this.#observer.disconnect()
  }

  /** Converts a point of the canvas to a fractional position in items; null outside of the plot. */
  toItems(x: number, y: number, strict = true): [number, number] | null {
    const { left, top, width, height } = this.#rect
    const [x0, x1, y0, y1] = this.scene.window
    const [right, down] = [(x - left) / width, (y - top) / height]
    if (strict && (right < 0 || right >= 1 || down < 0 || down >= 1)) return null
    return [x0 + right * (x1 - x0), y0 + (this.scene.flip ? 1 - down : down) * (y1 - y0)]
  }

  toItem(x: number, y: number): [number, number] | null {
    const at = this.toItems(x, y)
    if (!at) return null
    const [column, row] = [Math.floor(at[0]), Math.floor(at[1])]
    return column >= 0 && row >= 0 && column < this.scene.nx && row < this.scene.ny ? [column, row] : null
  }

  /** Converts a position in items to a point of the canvas. */
  fromItems(x: number, y: number): [number, number] {
    const { left, top, width, height } = this.#rect
    const [x0, x1, y0, y1] = this.scene.window
    const down = (y - y0) / (y1 - y0)
    return [left + ((x - x0) / (x1 - x0)) * width, top + (this.scene.flip ? 1 - down : down) * height]
  }

  /** The width and height available for items, in pixels. */
  get room(): [width: number, height: number] {
    const [left, right, top, bottom] = this.#compact ? MARGINS.compact : MARGINS.usual
    return [Math.max(4, this.canvas.clientWidth - left - right), Math.max(4, this.canvas.clientHeight - top - bottom)]
  }

  /** The width of an item in pixels of the screen. */
  get zoom(): number {
    return this.#rect.width / (this.scene.window[1] - this.scene.window[0])
  }

  /** The size of a part of the plane in pixels of the screen, at the next drawing. */
  sizeOf({ width, height }: { width: number; height: number }): [number, number] {
    const rect = this.#place(this.canvas.clientWidth, this.canvas.clientHeight)
    const [x0, x1, y0, y1] = this.scene.window
    return [pixels((width / (x1 - x0)) * rect.width), pixels((height / (y1 - y0)) * rect.height)]
  }

  paint(): void {
    const { context, width, height } = fit(this.canvas)
    if (width < 8 || height < 8) return
    this.#rect = this.#place(width, height)
    this.#listener.place?.(this.#rect)
    const { image, over, smooth } = this.scene
    if (image && !this.layer?.draw(this.scene, image, this.#rect)) this.#image(context, image, smooth)
    if (over) this.#image(context, over, false, over.opacity)
    this.#holes(context)
    this.#axes(context)
    this.#marks(context)
    this.#scaleBar(context)
  }

  /** Draws the scale bar if items have a length. */
  #scaleBar(context: CanvasRenderingContext2D): void {
    const { size } = this.scene
    const { left, top, width, height } = this.#rect
    const length = size && width > 160 ? roundBelow((width * size.x) / this.zoom / 4) : 0
    this.bar = length ? `${tickText(length)} ${size!.unit}`.trim() : ''
    if (!length) return
    const long = (length / size!.x) * this.zoom
    const [right, bottom] = [left + width - 12, top + height - 12]
    context.font = '600 12px system-ui, sans-serif'
    context.textAlign = 'center'
    context.textBaseline = 'bottom'
    const wide = Math.max(long, context.measureText(this.bar).width)
    context.fillStyle = 'rgb(0 0 0 / .55)'
    context.fillRect(right - wide - 6, bottom - 24, wide + 12, 30)
    context.fillStyle = '#fff'
    context.fillRect(right - wide / 2 - long / 2, bottom - 4, long, 4)
    context.fillText(this.bar, right - wide / 2, bottom - 6)
  }

  #place(width: number, height: number): Rect {
    this.#compact = this.scene.compact ?? (width < 220 || height < 200)
    const [left, right, top, bottom] = this.#compact ? MARGINS.compact : MARGINS.usual
    const area = { left, top, width: width - left - right, height: height - top - bottom }
    if (!this.scene.equal) return area
    const [x0, x1, y0, y1] = this.scene.window
    // Items may be taller than wide.
    const tall = this.scene.size ? this.scene.size.y / this.scene.size.x : 1
    const scale = Math.min(area.width / (x1 - x0), area.height / (y1 - y0) / tall)
    const [w, h] = [Math.max(2, scale * (x1 - x0)), Math.max(2, scale * (y1 - y0) * tall)]
    return { left: left + (area.width - w) / 2, top: top + (area.height - h) / 2, width: w, height: h }
  }

  #image(context: CanvasRenderingContext2D, image: Placed, smooth: boolean, opacity = 1): void {
    const {
      flip,
      window: [, , y0, y1],
    } = this.scene
    const { left, top, width, height } = this.#rect
    context.save()
    context.globalAlpha = opacity
    context.beginPath()
    context.rect(left, top, width, height)
    context.clip()
    const [ax, ay] = this.fromItems(image.x, image.y)
    const [bx, by] = this.fromItems(image.x + image.width, image.y + image.height)
    const seen = [(y0 - image.y) / image.height, (y1 - image.y) / image.height] as const
    const size = [pixels(bx - ax), pixels(by - ay)] as const
    const stretched = this.stretched?.(image, size, seen)
    const picture = stretched ?? image.at(...size, seen)
    // Reducing it without smoothing would drop lines.
    context.imageSmoothingEnabled = smooth || !!stretched || size[0] < picture.width * 0.9
    context.imageSmoothingQuality = 'medium'
    if (flip) {
      context.translate(0, ay)
      context.scale(1, -1)
      context.drawImage(picture, ax, 0, bx - ax, ay - by)
    } else context.drawImage(picture, ax, ay, bx - ax, by - ay)
    context.restore()
  }

  #holes(context: CanvasRenderingContext2D): void {
    const { left, top, width, height } = this.#rect
    if (!this.scene.holes?.length) return
    context.save()
    context.beginPath()
    context.rect(left, top, width, height)
    context.clip()
    for (const { x, y, width, height, why } of this.scene.holes) {
      const [[ax, ay], [bx, by]] = [this.fromItems(x, y), this.fromItems(x + width, y + height)]
      this.#hatching.fill(context, this.canvas, why)
      context.fillRect(ax, Math.min(ay, by), bx - ax, Math.abs(by - ay))
    }
    context.restore()
  }

  #axes(context: CanvasRenderingContext2D): void {
    const { ink, faint, line } = inks(this.canvas)
    const { left, top, width, height } = this.#rect
    const { nx, ny, window } = this.scene
    const [x0, x1, y0, y1] = [
      Math.max(0, window[0]),
      Math.min(nx, window[1]),
      Math.max(0, window[2]),
      Math.min(ny, window[3]),
    ]
    context.strokeStyle = line
    context.lineWidth = 1
    context.strokeRect(left - 0.5, top - 0.5, width + 1, height + 1)
    context.font = '11px system-ui, sans-serif'
    context.fillStyle = faint
    context.textAlign = 'center'
    context.textBaseline = 'top'
    context.beginPath()
    const across = (this.scene.xMarks ?? plainMarks)(x0, x1 - 1, Math.max(1, width / 70), true)
    for (const { at: tick, text } of across) {
      const [x] = this.fromItems(tick + 0.5, 0)
      context.moveTo(x, top + height + 1)
      context.lineTo(x, top + height + 5)
      context.fillText(text, x, top + height + 7)
    }
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    const down = (this.scene.yMarks ?? plainMarks)(y0, y1 - 1, Math.max(1, height / 44), true)
    this.marks = [across, down]
    for (const { at: tick, text } of down) {
      const [, y] = this.fromItems(0, tick + 0.5)
      context.moveTo(left - 1, y)
      context.lineTo(left - 5, y)
      context.fillText(text, left - 7, y, left - 9)
    }
    context.stroke()
    context.fillStyle = ink
    context.textAlign = 'center'
    context.textBaseline = 'alphabetic'
    context.fillText(this.scene.xLabel, left + width / 2, top + height + (this.#compact ? 27 : 32))
    context.save()
    context.translate(Math.max(10, left - 40), top + height / 2)
    context.rotate(-Math.PI / 2)
    context.fillText(this.scene.yLabel, 0, 0)
    context.restore()
  }

  #marks(context: CanvasRenderingContext2D): void {
    const { cross, line } = this.scene
    const { left, top, width, height } = this.#rect
    context.save()
    context.beginPath()
    context.rect(left, top, width, height)
    context.clip()
    const stroke = (path: () => void) => {
      // A dark line below a light one is visible on any colour.
      for (const [style, thick] of [
        ['rgb(0 0 0 / .55)', 3],
        ['#fff', 1.25],
      ] as const) {
        context.strokeStyle = style
        context.lineWidth = thick
        context.beginPath()
        path()
        context.stroke()
      }
    }
    if (cross) {
      const [x, y] = this.fromItems(cross[0] + 0.5, cross[1] + 0.5)
      const gap = Math.max(5, this.zoom / 2 + 1)
      stroke(() => {
        for (const [ax, ay, bx, by] of [
          [left, y, x - gap, y],
          [x + gap, y, left + width, y],
          [x, top, x, y - gap],
          [x, y + gap, x, top + height],
        ]) {
          context.moveTo(ax!, ay!)
          context.lineTo(bx!, by!)
        }
      })
    }
    const ends = this.gestures.line ?? line
    if (ends) {
      const [from, to] = [this.fromItems(ends[0] + 0.5, ends[1] + 0.5), this.fromItems(ends[2] + 0.5, ends[3] + 0.5)]
      stroke(() => {
        context.moveTo(...from)
        context.lineTo(...to)
        for (const [x, y] of [from, to]) {
          context.moveTo(x + 4, y)
          context.arc(x, y, 4, 0, 7)
        }
      })
    }
    const { region } = this.scene
    if (region) {
      const [[ax, ay], [bx, by]] = [this.fromItems(region[0], region[2]), this.fromItems(region[1], region[3])]
      stroke(() => context.rect(ax, Math.min(ay, by), bx - ax, Math.abs(by - ay)))
    }
    const { box } = this.gestures
    if (box) stroke(() => context.rect(box.left, box.top, box.width, box.height))
    context.restore()
  }
}
