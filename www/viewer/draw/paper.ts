// The canvas of a picture, and what was computed to paint it.
import type { Numbers } from '../model/values.js'

/** A rectangle of the canvas. */
export interface Rect {
  left: number
  top: number
  width: number
  height: number
}

/** Pixels that were painted in advance. */
interface Ready {
  numbers: Numbers
  key: string
  width: number
  pixels: Uint32Array
}

/** Each picture has its own paper, so that no other one can paint over it. */
export class Paper {
  /** The last pixels that were painted in advance. */
  ready: Ready | undefined
  /** The last reduced planes of some numbers, by their offsets. */
  readonly smaller = new WeakMap<Numbers, { size: string; planes: Map<number, Float64Array> }>()
  readonly #canvas = document.createElement('canvas')
  #image: ImageData | undefined
  /** The drawing on the canvas. */
  #numbers: Numbers | undefined
  #key = ''

  /** The canvas with the pixels of numbers, 0xAABBGGRR each. Calls `work` unless these are there in this size and by this key. */
  draw(
    numbers: Numbers,
    key: string,
    width: number,
    height: number,
    work: (pixels: Uint32Array) => void,
  ): HTMLCanvasElement {
    const fits = this.#image?.width === width && this.#image.height === height
    if (fits && this.#numbers === numbers && this.#key === key) return this.#canvas
    if (!fits) Object.assign(this.#canvas, { width, height })
    const image = (this.#image = fits ? this.#image! : new ImageData(width, height))
    this.#numbers = undefined
    work(new Uint32Array(image.data.buffer))
    this.#canvas.getContext('2d', { willReadFrequently: true })!.putImageData(image, 0, 0)
    ;[this.#numbers, this.#key] = [numbers, key]
    return this.#canvas
  }
}
