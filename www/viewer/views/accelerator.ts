// Lets the graphics processor paint a large plane, once it has rested for a moment: what is played needs no textures. Without one, the
// plane is stretched while it is zoomed.

import { GlLayer } from '../draw/gl-layer.js'
import type { Picture } from '../draw/picture.js'
import { Stretcher } from '../draw/stretch.js'
import type { Plane } from '../model/looks.js'
import type { Look } from '../model/session.js'
import { addRules } from '../rules.js'
import rules from './accelerator.css'

addRules(rules)

/** Milliseconds after which a plane is likely to be looked at. */
const REST = 200

export class Accelerator {
  readonly #picture: Picture
  readonly #layer = GlLayer.make()
  /** The numbers that are loaded, or being loaded. */
  #numbers: unknown
  #loading = new AbortController()
  #timer = 0

  constructor(picture: Picture) {
    this.#picture = picture
    picture.stretched = new Stretcher(picture).stretch
    if (this.#layer) picture.canvas.before(this.#layer.canvas)
  }

  /** Loads the values of a plane that is shown. */
  follow({ numbers, layout }: Plane, { limits }: Look): void {
    const layer = this.#layer
    if (!layer || this.#numbers === numbers) return
    this.#numbers = numbers
    this.#loading.abort()
    const { signal } = (this.#loading = new AbortController())
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => {
      void layer.load(numbers, layout, Number.isFinite(limits.min) ? limits.min : 0, signal).then(() => {
        if (signal.aborted) return
        this.#picture.layer = layer
        this.#picture.draw()
      })
    }, REST)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#loading.abort()
    this.#picture.layer = this.#picture.stretched = null
    this.#layer?.close()
  }
}
