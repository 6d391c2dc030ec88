// The printer, which makes text of values: a part of the library that is loaded when it is first needed.
import { textOf, utf8 } from '../../js/base/bytes.js'
import { download } from '../../js/engine/download.js'
import { createEngine, NO_FRAME } from '../../js/engine/engine.js'
import type { Data, Type } from '../../js/index.js'
import { bytesOf, dtypeOf } from './dtypes.js'

/** Its wasm. */
export const exportModule = () => download(new URL('./export.wasm', import.meta.url))

/** Makes the text of an item that is neither a structure nor a sub-array, as in CSV. */
export type Printer = (type: Type, item: Data) => string

export const createPrinter = async (): Promise<Printer> => printerOf(await exportModule())

export function printerOf(module: WebAssembly.Module): Printer {
  const engine = createEngine(module)
  return (type, item) => engine.call(NO_FRAME, 'cell', [utf8(dtypeOf(type)), bytesOf(type, item)], textOf)
}
