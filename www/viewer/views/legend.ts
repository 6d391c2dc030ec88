// The legend below a picture.

import { fill, h } from '../dom.js'
import { swatch } from '../draw/hatch.js'
import type { Hole } from '../model/missing.js'
import { WHY } from '../model/why.js'

/** An entry for each kind of hatching, in the colours of the element `home`. */
export const holeMarks = (home: Element, holes: readonly Hole[]): HTMLElement[] =>
  [...new Set(holes.map(({ why }) => why))].map(why => h('li', {}, swatch(home, why), WHY[why]))

/** An entry with a spot of a colour. */
export function colourMark(colour: string, ...text: (string | Node)[]): HTMLElement {
  const spot = h('i', {})
  spot.style.background = colour
  return h('li', {}, spot, ...text)
}

/** Fills a legend, unless it stays empty. Later it keeps its line, since the picture above would jump. */
export function fillLegend(legend: HTMLElement, marks: readonly (HTMLElement | null)[]): void {
  const some = marks.some(Boolean)
  if (some || legend.firstChild) fill(legend, ...(some ? marks : ['\xa0']))
}
