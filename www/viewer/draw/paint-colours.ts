// Painting of items that are colours.
import { yieldThen } from '../../js/base/yielding.js'
import type { Layout } from '../model/plane.js'
import type { Range } from '../model/scale.js'
import type { Numbers } from '../model/values.js'
import { isSmall, shrinkAhead, shrunk } from './blend.js'
import { keyOf, type Painted } from './paint.js'
import type { Paper } from './paper.js'

/** `deep` is the stride between channels. */
export type ColourLayout = Layout & { deep: number; channels: number }

/** Reduces the channels to the size at which `paintColours` draws them, in short steps, so that the page stays responsive. */
export async function shrinkColoursAhead(
  paper: Paper,
  size: readonly [number, number],
  numbers: Numbers,
  layout: ColourLayout,
): Promise<void> {
  if (layout.channels === 3)
    for (let channel = 0; channel < 3; channel++)
      await yieldThen(() => shrinkAhead(paper, size, numbers, layout, channel * layout.deep, 'mean'))
}

/** Paints colours. If the picture is drawn smaller, a pixel is the mean of several items. */
export function paintColours(paper: Paper, numbers: Numbers, layout: ColourLayout, range: Range): Painted {
  const key = keyOf(layout, range)
  return {
    numbers,
    key,
    columns: layout.width,
    at(width, height) {
      // The mean of transparent colours is not the mean of their channels.
      const small = layout.channels === 3 && isSmall(layout, width, height)
      const [w, h] = small ? [width, height] : [layout.width, layout.height]
      return paper.draw(numbers, key, w, h, pixels => {
        if (!small) return fillColours(pixels, numbers, layout, range)
        const planes = [0, 1, 2].map(channel => shrunk(paper, numbers, channel * layout.deep, layout, w, h, 'mean'))
        const all = new Float64Array(3 * w * h)
        planes.forEach((plane, channel) => all.set(plane, channel * w * h))
        fillColours(pixels, all, { width: w, height: h, right: 1, down: w, deep: w * h, channels: 3 }, range)
      })
    },
  }
}

function fillColours(
  pixels: Uint32Array,
  numbers: Numbers,
  { width, height, right, down, deep, channels }: ColourLayout,
  { min, max }: Range,
): void {
  const factor = 255 / (max - min || 1)
  const channel = (value: number) => Math.max(0, Math.min(255, Math.round((value - min) * factor))) || 0
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0, from = y * down; x < width; x++, from += right) {
      const alpha = channels > 3 ? channel(numbers[from + 3 * deep]!) : 255
      pixels[at++] =
        ((alpha << 24) |
          (channel(numbers[from + 2 * deep]!) << 16) |
          (channel(numbers[from + deep]!) << 8) |
          channel(numbers[from]!)) >>>
        0
    }
  }
}
