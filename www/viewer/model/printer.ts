// The printer, which makes text of values, and the comparison of cells: a part of the library that is loaded when it is first needed.
import { copyOf, textOf, utf8 } from '../../js/base/bytes.js'
import { joinedTexts } from '../../js/base/joined-texts.js'
import { download } from '../../js/engine/download.js'
import { createEngine, NO_FRAME } from '../../js/engine/engine.js'
import { B2ndError, type Data, type Type } from '../../js/index.js'
import { bytesOf, dtypeOf } from './dtypes.js'

/** Its wasm. */
export const exportModule = () => download(new URL('./export.wasm', import.meta.url))

/** Makes the text of an item that is neither a structure nor a sub-array, as in CSV. */
export type Printer = (type: Type, item: Data) => string

/** The cells of a column: items of a dtype, or texts if that is empty; and 0 for each cell that is null. */
export interface Cells {
  dtype: string
  items: ArrayBufferView | readonly string[]
  valid: Uint8Array
}

/** Tells which cells of a column `x` of a kind meet a condition, such as `x > 3`: 1 for each. Fails as `argument` if it is none. */
export type Comparison = (condition: string, kind: string, cells: Cells) => Uint8Array

export interface Library {
  print: Printer
  meets: Comparison
}

export const createLibrary = async (): Promise<Library> => libraryOf(await exportModule())

export function libraryOf(module: WebAssembly.Module): Library {
  const engine = createEngine(module)
  return {
    print: (type, item) => engine.call(NO_FRAME, 'cell', [utf8(dtypeOf(type)), bytesOf(type, item)], textOf),
    meets: (condition, kind, { dtype, items, valid }) => {
      const { bytes, lengths } = ArrayBuffer.isView(items)
        ? { bytes: items, lengths: new Float64Array() }
        : joinedTexts(items)
      const sections = [utf8(condition), utf8(kind), utf8(dtype), bytes, lengths, valid]
      const output = engine.call(NO_FRAME, 'matches', sections, copyOf)
      if (!output[0]) throw new B2ndError('argument', textOf(output.subarray(1)))
      return output.subarray(1)
    },
  }
}
