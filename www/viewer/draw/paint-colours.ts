// Pixels of items that are colours.
import type { Numbers } from '../data/values.js'
import { onto, type Layout, type Painted } from './paint.js'
import type { Range } from './scale.js'

/** Paints colours that are there: `right`, `down` and `deep` are steps along the plane and from channel to channel. */
export function paintColours(
  slot: string,
  numbers: Numbers,
  layout: Layout & { deep: number; channels: number },
  { min, max }: Range,
): Painted {
  const { width, height, right, down, deep, channels } = layout
  const factor = 255 / (max - min || 1)
  const channel = (value: number) => Math.max(0, Math.min(255, Math.round((value - min) * factor))) || 0
  const canvas = onto(slot, width, height, pixels => {
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const from = y * down + x * right
        const alpha = channels > 3 ? channel(numbers[from + 3 * deep]!) : 255
        pixels[at++] =
          ((alpha << 24) |
            (channel(numbers[from + 2 * deep]!) << 16) |
            (channel(numbers[from + deep]!) << 8) |
            channel(numbers[from]!)) >>>
          0
      }
    }
  })
  return { columns: width, at: () => canvas, spots: [] }
}
