// The wheel: it zooms, and steps with Shift or Alt.
import { clamp } from '../data/suggest.js'

export interface Turned {
  /** Looks closer (`factor` < 1) or from farther away, at a point of the element. */
  zoom?: ((factor: number, point: [x: number, y: number]) => void) | undefined
  /** Steps on (1) or back (-1). */
  step(by: number): void
}

/** Pixels of a turn, in whatever units the browser counts. */
function pixels(event: WheelEvent): number {
  // Read first: Firefox counts lines for those who ask.
  const unit = [1, 100 / 3, 800][event.deltaMode] ?? 1
  // With Shift some systems turn the wheel sideways.
  return (event.deltaY || event.deltaX) * unit
}

/** Steps of turns: a notch is one, however far it goes. Touchpads send many small turns. */
export class Notches {
  #rest = 0

  of(event: WheelEvent): number {
    this.#rest += pixels(event)
    const by = Math.trunc(this.#rest / 40)
    if (by) this.#rest = 0
    return Math.sign(by)
  }
}

export function onWheel(element: HTMLElement, { zoom, step }: Turned): void {
  const notches = new Notches()
  element.addEventListener(
    'wheel',
    event => {
      const looks = event.ctrlKey || event.metaKey
      const steps = !looks && (event.shiftKey || event.altKey)
      if (!looks && !steps && scrolls(element)) return
      event.preventDefault()
      if (!zoom || steps) {
        const by = notches.of(event)
        if (by) step(by)
      } else {
        const { left, top } = element.getBoundingClientRect()
        zoom(Math.exp(clamp(pixels(event), -100, 100) / 250), [event.clientX - left, event.clientY - top])
      }
    },
    { passive: false },
  )
}

/** Whether the wheel is for the page around: it can scroll, and the viewer has not been chosen by a click or a key. */
function scrolls(element: HTMLElement): boolean {
  const { host } = element.getRootNode() as ShadowRoot
  const page = document.scrollingElement
  return !!page && page.scrollHeight > page.clientHeight && !!host && !host.matches(':focus-within')
}
