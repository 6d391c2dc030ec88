// The wheel zooms. With Shift or Alt it steps.
import { clamp } from '../model/suggest.js'

export interface Turned {
  /** Zooms in (`factor` < 1) or out, about a point of the element. */
  zoom?: ((factor: number, point: [x: number, y: number]) => void) | undefined
  /** Steps forward (1) or back (-1). */
  step(by: number): void
}

/** The distance of a wheel event in pixels. */
function pixels(event: WheelEvent): number {
  // Must be read first: Firefox then reports lines.
  const unit = [1, 100 / 3, 800][event.deltaMode] ?? 1
  // With Shift some systems report horizontal scrolling.
  return (event.deltaY || event.deltaX) * unit
}

/** Converts wheel events to steps. A notch is one step, whatever its distance. Touchpads send many small events. */
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

/** Whether the wheel scrolls the surrounding page: it can scroll, and the viewer does not have the focus. */
function scrolls(element: HTMLElement): boolean {
  const { host } = element.getRootNode() as ShadowRoot
  const page = document.scrollingElement
  return !!page && page.scrollHeight > page.clientHeight && !!host && !host.matches(':focus-within')
}
