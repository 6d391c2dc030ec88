// The hatching of missing values.

import { inks } from '../dom.js'
import type { Why } from '../model/why.js'

const SIZE = 8
const DAMAGE = '#d3302f'

/** The hatching of one picture. */
export class Hatching {
  readonly #tiles = new Map<string, HTMLCanvasElement>()

  /** Sets the fill of `context` to hatching in the colours of `element`: hatched for values never written, cross-hatched for
   * values stored elsewhere. */
  fill(context: CanvasRenderingContext2D, element: Element, why: Why | 'unread'): void {
    const { ground, faint } = inks(element)
    const key = `${why} ${ground} ${faint}`
    const tile =
      this.#tiles.get(key) ?? draw(ground, why === 'damaged' ? DAMAGE : faint, why !== 'uninit' && why !== 'unread')
    this.#tiles.set(key, tile)
    context.fillStyle = context.createPattern(tile, 'repeat')!
  }
}

function draw(ground: string, line: string, crossed: boolean): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE })
  const context = canvas.getContext('2d')!
  context.fillStyle = ground
  context.fillRect(0, 0, SIZE, SIZE)
  context.strokeStyle = line
  context.beginPath()
  // Beyond the corners, so that tiles meet.
  for (const shift of [-SIZE, 0, SIZE]) {
    context.moveTo(shift - 1, SIZE + 1)
    context.lineTo(shift + SIZE + 1, -1)
    if (!crossed) continue
    context.moveTo(shift - 1, -1)
    context.lineTo(shift + SIZE + 1, SIZE + 1)
  }
  context.stroke()
  return canvas
}

/** The hatching as a small picture, for a legend. */
export function swatch(element: Element, why: Why | 'unread'): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), { width: 11, height: 11 })
  const context = canvas.getContext('2d')!
  new Hatching().fill(context, element, why)
  context.fillRect(0, 0, 11, 11)
  return canvas
}
