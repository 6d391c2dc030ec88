// What axes are called.
import type { Dataset } from './dataset.js'

/** Names that some writers leave in the metadata. */
const names = new WeakMap<Dataset, string[]>()

/** Whether there are names in the attributes. */
export function learnNames(dataset: Dataset, attributes: Readonly<Record<string, unknown>>): boolean {
  const candidates = [attributes['dims'], attributes['dimensions'], attributes['dimension_names'], attributes['_ARRAY_DIMENSIONS'], attributes['axes']]
  const found = candidates.find(list => Array.isArray(list) && list.length === dataset.shape.length && list.every(name => typeof name === 'string'))
  if (found) names.set(dataset, found as string[])
  return found !== undefined
}

export const axisName = (dataset: Dataset, axis: number): string => names.get(dataset)?.[axis] ?? `axis ${axis}`
