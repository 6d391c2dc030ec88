// Selections in NumPy's notation.

import { argument } from '../base/errors.js'
import { slice, type Index, type Selection } from '../reading/selection.js'

/** Parses a selection such as `0:10, 5, ::2, ..., -1`. */
export function parseSelection(text: string): Selection {
  return text.trim() === '' ? null : text.split(',').map(part => indexOf(part.trim()))
}

function indexOf(part: string): Index {
  if (part === '...') return part
  const bounds = part.split(':').map(bound => {
    if (bound.trim() === '') return null
    if (!/^\s*[-+]?\d+\s*$/.test(bound)) throw argument(`selection: ${part} is not understood`)
    return Number(bound)
  })
  const [start = null, stop = null, step = null] = bounds
  if (bounds.length > 3 || (bounds.length === 1 && start === null))
    throw argument(`selection: ${part} is not understood`)
  return bounds.length === 1 ? start! : slice(start, stop, step)
}
