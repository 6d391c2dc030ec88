// The text of stored values, as the library prints them, and comparisons, as it makes them. Its wasm, which a picture does not need, is
// loaded when a value is first told.

import { B2ndError } from '../../js/index.js'
import type { Comparison, Library, Printer } from './printer.js'

let library: Library | undefined
let loading: Promise<void> | undefined

/** Whether values can be printed. */
export const canPrint = (): boolean => library !== undefined

/** Loads what prints values. After a failure the next call tries again. */
export const loadPrinter = (): Promise<void> => (loading ??= load())

async function load(): Promise<void> {
  try {
    const { createLibrary } = await import('./printer.js')
    library = await createLibrary()
  } catch (error) {
    loading = undefined
    throw error
  }
}

/** The text of an item that is neither a structure nor a sub-array; an ellipsis before `loadPrinter`. */
export const printed: Printer = (type, item) => library?.print(type, item) ?? '…'

/** Tells which cells meet a condition. Fails before `loadPrinter`. */
export const meets: Comparison = (condition, kind, cells) => {
  if (!library) throw new B2ndError('argument', 'nothing can be compared yet')
  return library.meets(condition, kind, cells)
}

/** The text of a number of this precision, which has this many bytes. */
export const floatText = (value: number, size: 4 | 8): string =>
  printed({ kind: 'float', size, order: '<' }, (size === 4 ? Float32Array : Float64Array).of(value))
