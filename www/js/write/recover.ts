import { argument } from '../base/errors.js'
import { checked } from '../base/validation.js'
import { createEngine, NO_FRAME } from '../engine/engine.js'
import { getEngine } from '../engine/init.js'
import { limitsOf, type Need } from '../engine/protocol.js'
import { valueIn } from '../engine/values.js'
import type { EditOptions } from './edit.js'
import { EDIT } from './options.js'
import type { Step } from './steps.js'

/** A frame that was put together from its chunks. */
export interface RecoveredFrame {
  /** The frame. Its chunks are those of the file that was given. */
  readonly frame: Blob
  /** The number of chunks that were found. The others are uninitialised. */
  readonly found: number
  /** The number of chunks of the frame. */
  readonly chunks: number
  /**
   * Whether all chunks were found, so that each is in its place. Otherwise those that were found are in their places if all were
   * written once and in order, and if no chunk before them was special, as one of zeros only: those were in the index only.
   */
  readonly isCertain: boolean
}

/** Options of `recover`. */
export interface RecoverOptions extends EditOptions {
  /** Aborts: rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

/** The number of bytes to read at a time. */
const PIECE = 2 ** 18

/**
 * Puts the frame of a file together that lost its index, such as one that ends early. Attributes are lost. Fails as `format` if
 * no chunk is whole, and as `unsupported` for sparse frames, chunks of different sizes, references, and frames of beta releases.
 */
export async function recover(
  file: Blob | Uint8Array<ArrayBuffer>,
  options: RecoverOptions = {},
): Promise<RecoveredFrame> {
  const { signal, limits } = checked(options, EDIT)
  if (!(file instanceof Blob) && !(file instanceof Uint8Array)) throw argument('file: give a Blob or a Uint8Array')
  const blob = file instanceof Blob ? file : new Blob([file])
  const engine = createEngine((await getEngine()).module, Infinity)
  const recipe = { ...NO_FRAME, limits: limitsOf(limits) }
  let piece = { start: 0, bytes: new Uint8Array() }
  const read = async (start: number, end: number) => {
    if (start < piece.start || end > piece.start + piece.bytes.length) {
      signal?.throwIfAborted()
      piece = { start, bytes: new Uint8Array(await blob.slice(start, Math.max(end, start + PIECE)).arrayBuffer()) }
    }
    return piece.bytes.subarray(start - piece.start, end - piece.start)
  }
  let answers: Uint8Array[] = []
  for (;;) {
    const answer = engine.ask(recipe, 'recover', answers, valueIn, Number(!answers.length))
    if (!answer.need) {
      const { steps, ...found } = answer.done as Omit<RecoveredFrame, 'frame'> & { steps: Step[] }
      return { ...found, frame: written(blob, steps) }
    }
    const [{ start, end }] = answer.need as [Need]
    answers = [await read(start, end)]
  }
}

/** A file with what steps write. */
function written(file: Blob, steps: readonly Step[]): Blob {
  const writes = steps.filter(({ kind }) => kind === 'write').sort((a, b) => a.offset - b.offset)
  let at = 0
  const pieces = writes.flatMap(({ offset, bytes }) => {
    const before = file.slice(at, offset)
    at = offset + bytes.length
    return [before, bytes]
  })
  return new Blob(pieces)
}
