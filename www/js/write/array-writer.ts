import { utf8, viewOf } from '../base/bytes.js'
import { argument, setName } from '../base/errors.js'
import { product } from '../base/numbers.js'
import { checked, checkLengths } from '../base/validation.js'
import type { Engine } from '../engine/engine.js'
import { getEngine } from '../engine/init.js'
import { LIMITS } from '../engine/protocol.js'
import { slice, type Selection } from '../reading/selection.js'
import { ArrayFile, covers, type Values, type Write } from './array-file.js'
import type { ChunkBox } from './boxes.js'
import { localEncoder, type Encoder } from './encoder.js'
import { callFile, targetOf, type Sink } from './files.js'
import { FrameState } from './frame.js'
import { ARRAY, compressionNumbers, type CompressionOptions } from './options.js'
import type { Target } from './target.js'
import { valueBytes } from './values.js'

/** Options of new arrays. */
export interface ArrayOptions extends CompressionOptions {
  /** The shape in items. */
  shape?: readonly number[] | undefined
  /** The dtype in NumPy's notation. */
  dtype?: string | undefined
  /** The shape of a chunk, in items. Default: about 4 MiB, longer along later axes. */
  chunks?: readonly number[] | undefined
  /** The shape of a block, in items. Default: about 128 KiB, longer along later axes. */
  blocks?: readonly number[] | undefined
  /** Whether to write the metalayer of Caterva, which has no dtype. Default: false. */
  caterva?: boolean | undefined
  /** Metalayers for the header, by name: values that MessagePack has, sets, and what was read. */
  metalayers?: Readonly<Record<string, unknown>> | undefined
  /** Attributes (variable-length metalayers), by name: values that MessagePack has, sets, and what was read. */
  attrs?: Readonly<Record<string, unknown>> | undefined
  /** Encodes elsewhere, for example a pool from `b2nd/pool`. */
  encoder?: Encoder | undefined
  /** Aborts: the calls of the writer reject with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Called after each chunk, with the uncompressed bytes of the chunks so far and of the array. */
  onProgress?: ((progress: { loaded: number; total: number }) => void) | undefined
}

/** The description of an array in the form of the engine: compression parameters, shapes, dtype. */
export function describe(
  engine: Engine,
  options: ArrayOptions & { shape: readonly number[]; dtype: string },
): Uint8Array[] {
  const { shape, chunks, blocks, dtype, caterva } = options
  for (const [name, lengths] of Object.entries({ chunks, blocks }))
    if (lengths) checkLengths(name, lengths, shape.length)
  const given = (lengths: readonly number[] | undefined) => Number(!!lengths)
  const head = [shape.length, Number(!!caterva), given(chunks), given(blocks)]
  const numbers = new Float64Array([...head, ...shape, ...(chunks ?? []), ...(blocks ?? [])])
  return [viewOf(compressionNumbers(engine, options)), viewOf(numbers), utf8(dtype)]
}

/** A chunk of which items are missing. */
interface Pending {
  readonly box: ChunkBox
  readonly items: Uint8Array<ArrayBuffer>
  /** The number of items that are missing. */
  left: number
}

/** Writes a new array. Memory holds the chunks of which items are missing, and those that are being encoded. */
export class ArrayWriter extends ArrayFile {
  static {
    setName(this, 'ArrayWriter')
  }
  readonly #options: ArrayOptions
  readonly #description: Uint8Array[]
  readonly #encoder: Encoder
  readonly #module: WebAssembly.Module
  readonly #pending = new Map<number, Pending>()
  /** The chunks that are in the file. */
  readonly #stored = new Set<number>()
  #row = 0
  #loaded = 0

  /** @internal */
  constructor(state: FrameState, target: Target, engine: Engine, options: ArrayOptions, description: Uint8Array[]) {
    super(state, target)
    this.#options = options
    this.#description = description
    this.#encoder = options.encoder ?? localEncoder(engine)
    this.#module = engine.module
  }

  /**
   * Writes items to a selection. A chunk is encoded when all of its items were written. Writing a part of it again then needs a
   * file that can be read. Items that are never written are zero.
   */
  write(selection: Selection, values: Values): Promise<void> {
    return this.queued(() => this.#write(this.planned(selection, values)))
  }

  /** Writes the next items along the first axis: as many rows as `values` has. */
  append(values: Exclude<Values, number | bigint | boolean | string>): Promise<void> {
    return this.queued(async () => {
      const { bytes, rows } = this.rowsOf(values)
      await this.#write(this.planned([slice(this.#row, this.#row + rows)], bytes))
      this.#row += rows
    })
  }

  async #write(write: Write): Promise<void> {
    const complete: Pending[] = []
    const flush = async () => this.#store(complete.splice(0))
    for (const box of this.boxes(write)) {
      this.#options.signal?.throwIfAborted()
      const { nchunk } = box
      const isWhole = covers(box)
      if (!isWhole && this.#stored.has(nchunk)) {
        await flush()
        await this.setPart(write, box)
        continue
      }
      const pending = (!isWhole && this.#pending.get(nchunk)) || this.#begin(box)
      this.copy(write, box, pending.items)
      pending.left -= product(box.counts)
      if (pending.left > 0) continue
      this.#pending.delete(nchunk)
      if (complete.push(pending) === this.#atOnce) await flush()
    }
    await flush()
  }

  get #atOnce(): number {
    return this.#encoder.size ?? 8
  }

  #begin(box: ChunkBox): Pending {
    const left = product(box.lengths)
    const pending = { box, items: new Uint8Array(left * this.type.size), left }
    this.#pending.set(box.nchunk, pending)
    return pending
  }

  /** Encodes chunks at the same time, and stores them in order. */
  async #store(complete: readonly Pending[]): Promise<void> {
    const { signal, onProgress } = this.#options
    const encoding = complete.map(({ box: { nchunk }, items }) => {
      const job = { array: this.#description, nchunk, items }
      const encoded = this.#encoder.encode(job, { module: this.#module, signal })
      // If one fails, the others are dropped.
      encoded.catch(() => {})
      return encoded
    })
    for (const [k, { box }] of complete.entries()) {
      await this.change('replace', [await encoding[k]!], box.nchunk)
      this.#stored.add(box.nchunk)
      this.#loaded += product(box.lengths) * this.type.size
      onProgress?.({ loaded: this.#loaded, total: product(this.shape) * this.type.size })
    }
  }

  /** @internal */
  protected override async complete(): Promise<void> {
    const pending = [...this.#pending.values()].sort((a, b) => a.box.nchunk - b.box.nchunk)
    this.#pending.clear()
    while (pending.length) await this.#store(pending.splice(0, this.#atOnce))
    await this.change('commit', [])
    this.#options.signal?.throwIfAborted()
    await this.end()
  }

  /** Ends writing. No file remains; one that the caller has opened is left empty. */
  abort(reason?: unknown): Promise<void> {
    return this.stop(reason)
  }
}

/**
 * Creates an array in a place. `shape` and `dtype` are needed. The header is at the start of a frame but written last, so that a
 * `WritableStream` gets the frame only at the end, and memory holds the compressed chunks until then.
 */
export const arrayWriter = (sink: Sink, options: NewArray): Promise<ArrayWriter> =>
  writerTo(() => targetOf(sink), options)

/** Options of an array that is not there yet. */
export type NewArray = ArrayOptions & { shape: readonly number[]; dtype: string }

/** Creates an array in the file that `open` creates, after the options were checked. */
export async function writerTo(open: () => Promise<Target>, options: NewArray): Promise<ArrayWriter> {
  const { signal, shape, dtype, metalayers = {}, attrs = {} } = checked(options, ARRAY)
  if (!shape || dtype === undefined) throw argument('shape and dtype are needed')
  signal?.throwIfAborted()
  const engine = await getEngine()
  const state = new FrameState(engine.module, LIMITS)
  const description = describe(engine, options)
  const layers = Object.entries(metalayers).flatMap(([name, value]) => [utf8(name), valueBytes(value)])
  // Fails before a file is created.
  state.create([...description, ...layers])
  const target = await callFile(open)
  const writer = new ArrayWriter(state, target, engine, options, description)
  try {
    for (const [name, value] of Object.entries(attrs)) await writer.setAttr(name, value)
  } catch (error) {
    await writer.abort(error)
    throw error
  }
  return writer
}
