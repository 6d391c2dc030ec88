// `b2nd get`: values.

import { argument } from '../base/errors.js'
import { product } from '../base/numbers.js'
import { NDArray, type SChunk } from '../index.js'
import { objectsIn } from '../store.js'
import { withOpened } from './opened.js'
import { write, type Parts } from './output.js'
import { Progress } from './progress.js'
import { objectLines, tableLines } from './rows.js'
import { parseSelection, type Part } from './selection.js'
import { itemsOf, selected, type Selected } from './slabs.js'
import { formatted, FORMATS, type Format } from './values.js'

/** What to read, and how to write it. */
export interface Wish {
  readonly selection: string
  readonly format: string | undefined
  readonly output: string | undefined
  /** The columns of a table, by commas. */
  readonly columns: string | undefined
}

export async function get(what: string, { selection: text, format: given, output, columns }: Wish): Promise<void> {
  const [, ending = 'text'] = /\.(npy|json|csv)$/.exec(output ?? '') ?? []
  const format = FORMATS.find(name => name === (given ?? ending))
  if (!format) throw argument(`there is no format ${given}: these are ${FORMATS.join(', ')}`)
  const selection = parseSelection(text)
  await withOpened(what, async opened => {
    if (opened.kind === 'store')
      throw argument(`${what} is a store: name one of its members, as \`b2nd ls\` lists them`)
    if (opened.kind === 'table') return write(output, tableLines(opened.table, columns?.split(','), selection, format))
    if (columns !== undefined) throw argument('only tables have columns')
    const { frame } = opened
    const objects = format === 'raw' ? undefined : await objectsIn(frame, {})
    return write(output, objects ? objectLines(objects, selection, format) : valuesOf(frame, selection, format))
  })
}

async function* valuesOf(frame: NDArray | SChunk, selection: readonly Part[], format: Format): Parts {
  const taken = frame instanceof NDArray ? selected(frame, selection) : itemsOf(frame, selection)
  const progress = new Progress('reading', product(taken.shape) * taken.type.size)
  try {
    yield* formatted(format, { ...taken, parts: () => watched(taken, progress) })
  } finally {
    progress.end()
  }
}

async function* watched(taken: Selected, progress: Progress): AsyncGenerator<Uint8Array> {
  for await (const bytes of taken.parts()) {
    yield bytes
    progress.advance(bytes.length)
  }
}
