// Painting of labels over an image: the background and hidden labels are transparent.
import type { Layout } from '../model/plane.js'
import type { Numbers } from '../model/values.js'
import { keyOf, type Painted } from './paint.js'
import type { Paper } from './paper.js'

/** The maximum number of colours that are kept. */
const MAX_COLOURS = 2 ** 16

/** Paints labels, a pixel each. `settings` tell by which text `labelOf` goes. */
export function paintLabels(
  paper: Paper,
  numbers: Numbers,
  layout: Layout,
  settings: string,
  labelOf: (value: number) => { colour: number; hidden: boolean },
): Painted {
  const { width, height, right, down } = layout
  const colours = new Map<number, number>()
  const colour = (value: number) => {
    let made = colours.get(value)
    if (made === undefined) {
      // So many are no labels, and not to be remembered.
      if (colours.size >= MAX_COLOURS) colours.clear()
      const { hidden, colour } = labelOf(value)
      colours.set(value, (made = hidden ? 0 : colour))
    }
    return made
  }
  const key = keyOf(layout, settings)
  return {
    numbers,
    key,
    columns: width,
    at: () =>
      paper.draw(numbers, key, width, height, pixels => {
        let [last, ink] = [NaN, 0]
        for (let y = 0, to = 0; y < height; y++) {
          for (let x = 0, from = y * down; x < width; x++, from += right, to++) {
            const value = numbers[from]!
            // Labels come in runs.
            if (value !== last) [last, ink] = [value, colour(value)]
            pixels[to] = ink
          }
        }
      }),
  }
}
