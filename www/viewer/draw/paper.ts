// The canvas of a picture, and what was computed to paint it.
import type { Numbers } from '../model/values.js'

/** A rectangle of the canvas. */
export interface Rect {
  left: number
  top: number
  width: number
  height: number
}

/** Rows of pixels, excluding the end. */
export type Rows = readonly [first: number, end: number]

/** All pixels of a picture, painted before it is shown. */
export interface Early {
  numbers: Numbers
  key: string
  width: number
  pixels: Uint32Array
}

/** Each picture has its own paper, so that no other one can paint over it. */
export class Paper {
  /** The last pixels that were painted in advance. */
  ready: Early | undefined
  /** The last reduced planes of some numbers, by their offsets. */
  readonly smaller = new WeakMap<Numbers, { size: string; planes: Map<number, Float64Array> }>()
  readonly canvas = document.createElement('canvas')
  #image: ImageData | undefined
  /** The drawing on the canvas. */
  numbers: Numbers | undefined
  key = ''
  /** The rows that are painted. */
  #rows: Rows = [0, 0]

  /** The pixels painted in advance from these numbers. */
  early(numbers: Numbers, key: string): Early | null {
    const { ready } = this
    return ready?.numbers === numbers && ready.key === key ? ready : null
  }

  /**
   * The canvas with the pixels of numbers, 0xAABBGGRR each. Calls `work` for those of these rows that are not there in this size and by
   * this key, and were not painted in advance. A row may change the one above it.
   */
  draw(
    numbers: Numbers,
    key: string,
    width: number,
    height: number,
    work: (pixels: Uint32Array, rows: Rows) => void,
    [from, to]: Rows = [0, height],
  ): HTMLCanvasElement {
    const fits = this.#image?.width === width && this.#image.height === height
    const [first, end] = fits && this.numbers === numbers && this.key === key ? this.#rows : [from, from]
    if (!fits) Object.assign(this.canvas, { width, height })
    const image = (this.#image = fits ? this.#image! : new ImageData(width, height))
    this.numbers = undefined
    const pixels = new Uint32Array(image.data.buffer)
    const early = this.early(numbers, key)
    const isThere = early?.width === width && early.pixels.length === pixels.length
    for (const [a, b] of [[from, first] as const, [end, to] as const]) {
      if (a >= b) continue
      // The row below changes the last one, and stays as it is.
      const below = pixels.slice(b * width, (b + 1) * width)
      if (isThere) pixels.set(early.pixels)
      else work(pixels, [a, Math.min(b + 1, height)])
      pixels.set(below, b * width)
      this.canvas.getContext('2d', { willReadFrequently: true })!.putImageData(image, 0, 0, 0, a, width, b - a)
    }
    ;[this.numbers, this.key, this.#rows] = [numbers, key, [Math.min(first, from), Math.max(end, to)]]
    return this.canvas
  }
}
