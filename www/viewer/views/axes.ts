// Labels and ticks of a picture's axes.

import type { Scene } from '../draw/picture.js'
import type { Dataset } from '../model/dataset.js'
import { axisLabel, axisOf } from '../model/names.js'

export function axesOf(
  dataset: Dataset,
  x: number,
  y: number,
): Pick<Scene, 'xLabel' | 'yLabel' | 'xMarks' | 'yMarks' | 'size'> {
  const [across, down] = [axisOf(dataset, x), axisOf(dataset, y)]
  const lengths = across.unit !== undefined && across.unit === down.unit && across.step && down.step
  return {
    xLabel: axisLabel(dataset, x),
    yLabel: axisLabel(dataset, y),
    xMarks: across.marks,
    yMarks: down.marks,
    size: lengths ? { x: across.step!, y: down.step!, unit: across.unit! } : null,
  }
}
