// Colour maps as pictures in their chooser, where the browser draws what is in options; elsewhere they have names only.
import { h } from '../dom.js'
import { css, labelColour, palette } from '../draw/colours.js'
import { addRules } from '../rules.js'
import rules from './swatches.css'

addRules(rules)

/** Colours of a picture. */
const STOPS = 12

export function addSwatches(select: HTMLSelectElement): void {
  select.classList.add('swatches')
  for (const option of select.options) option.prepend(swatch(option.value))
  // Shows a copy of the chosen option.
  select.prepend(h('button', { type: 'button' }, document.createElement('selectedcontent')))
}

function swatch(map: string): HTMLElement {
  const mark = h('i', { 'aria-hidden': 'true' })
  const colours = map === 'labels' ? null : palette(map)
  const stops = Array.from({ length: STOPS }, (_, k) => {
    const colour = css(colours ? colours[Math.round((k / (STOPS - 1)) * (colours.length - 1))]! : labelColour(k))
    // Labels have edges.
    return colours ? colour : `${colour} ${(100 * k) / STOPS}% ${(100 * (k + 1)) / STOPS}%`
  })
  mark.style.background = `linear-gradient(to right, ${stops.join()})`
  return mark
}
