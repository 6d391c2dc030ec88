// The printer, which makes text of values: a part of the library that is loaded when it is first needed.
import { textOf } from '../../js/base/bytes.js'
import { download } from '../../js/engine/download.js'
import { createEngine, NO_FRAME } from '../../js/engine/engine.js'
import type { Data, Type } from '../../js/index.js'
import { bytesOf, dtypeOf } from './dtypes.js'

/** Its wasm. */
export const exportModule = () => download(new URL('./export.wasm', import.meta.url))

/** Makes the text of an item that is neither a structure nor a sub-array, as in CSV. */
export type Printer = (type: Type, item: Data) => string

export async function createPrinter(): Promise<Printer> {
  const engine = createEngine(await exportModule())
  const utf8 = new TextEncoder()
  return (type, item) => engine.call(NO_FRAME, 'cell', [utf8.encode(dtypeOf(type)), bytesOf(type, item)], textOf)
}
