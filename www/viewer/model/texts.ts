// The text of stored values, as the library prints them. Its wasm, which a picture does not need, is loaded when a value is first told.

import type { Printer } from './printer.js'

let printer: Printer | undefined
let loading: Promise<void> | undefined

/** Whether values can be printed. */
export const canPrint = (): boolean => printer !== undefined

/** Loads what prints values. After a failure the next call tries again. */
export const loadPrinter = (): Promise<void> => (loading ??= load())

async function load(): Promise<void> {
  try {
    const { createPrinter } = await import('./printer.js')
    printer = await createPrinter()
  } catch (error) {
    loading = undefined
    throw error
  }
}

/** The text of an item that is neither a structure nor a sub-array; an ellipsis before `loadPrinter`. */
export const printed: Printer = (type, item) => printer?.(type, item) ?? '…'

/** The text of a number of this precision, which has this many bytes. */
export const floatText = (value: number, size: 4 | 8): string =>
  printed({ kind: 'float', size, order: '<' }, (size === 4 ? Float32Array : Float64Array).of(value))
