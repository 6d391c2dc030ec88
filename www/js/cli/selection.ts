// Selections in NumPy's notation.

import { argument } from '../base/errors.js'

/** A range of positions, as in NumPy. */
export interface Range {
  readonly start: number | null
  readonly stop: number | null
  readonly step: number | null
}

/** One axis: a position, a range, a list of positions, or `...` for all axes that are not named. */
export type Part = number | Range | readonly number[] | '...'

/** Parses a selection such as `0:10, 5, ::2, ..., [1, 5, 9]`. */
export function parseSelection(text: string): Part[] {
  if (text.trim() === '') return []
  // Commas in brackets are those of lists.
  return text.split(/,(?![^[]*\])/).map(part => indexOf(part.trim()))
}

const misunderstood = (part: string) => argument(`selection: ${part} is not understood`)

function indexOf(part: string): Part {
  if (part === '...') return part
  const [, list] = /^\[(.*)\]$/.exec(part) ?? []
  if (list !== undefined) return list.trim() ? list.split(',').map(word => position(word, part)) : []
  const bounds = part.split(':')
  if (bounds.length === 1) return position(part, part)
  if (bounds.length > 3) throw misunderstood(part)
  const [start = null, stop = null, step = null] = bounds.map(word => (word.trim() ? position(word, part) : null))
  return { start, stop, step }
}

function position(word: string, part: string): number {
  const number = Number(word)
  if (/^\s*[-+]?\d+\s*$/.test(word) && Number.isSafeInteger(number)) return number
  throw misunderstood(part)
}
