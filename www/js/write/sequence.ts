// Sequences of objects that are written: a part of the entry that changes stores, which is loaded when it is needed.

import { utf8, viewOf } from '../base/bytes.js'
import { argument, B2ndError, formatValue, isB2ndError } from '../base/errors.js'
import { checked, flag, having, number, object, signal, type Rules } from '../base/validation.js'
import { yieldThen } from '../base/yielding.js'
import { createEngine, NO_FRAME, type Engine } from '../engine/engine.js'
import { getModule } from '../engine/init.js'
import { valueIn } from '../engine/values.js'
import { callFile } from './files.js'
import { COMPRESSION, compressionNumbers, type CodecName, type CompressionOptions } from './options.js'
import { packedArray } from './packed-array.js'
import { carryOut, type Step } from './steps.js'
import type { Target } from './target.js'
import { valueBytes } from './values.js'

/** The kinds of sequences, by the engine's numbers. */
const KINDS = ['objects', 'batches', 'lists'] as const

/** Options of new sequences of objects. */
export interface ObjectOptions extends CompressionOptions {
  /** The codec. Default: `zstd`. */
  codec?: CodecName | undefined
  /**
   * `objects`, an ObjectArray of python-blosc2, which compresses each by itself; `batches`, a BatchArray; `lists`, a ListArray, whose
   * objects are arrays. Default: `batches`.
   */
  kind?: 'objects' | 'batches' | 'lists' | undefined
  /** Objects in a batch, or fewer if they have 8 MiB. Default: 4096. */
  batchLength?: number | undefined
  /** Objects in a block of a batch. To read one, a block is decoded. Default: 256. */
  blockLength?: number | undefined
  /**
   * The items of lists, as the schema of a table of python-blosc2 describes them: `{ kind: 'int64' }`. It tells readers what to expect, and
   * is not checked. Needed for `lists`.
   */
  item?: { kind: string; [field: string]: unknown } | undefined
  /** Whether null may be among the lists. Default: false. */
  nullable?: boolean | undefined
  /** Attributes (variable-length metalayers), by name: values that MessagePack has, sets, and what was read. */
  attrs?: Readonly<Record<string, unknown>> | undefined
  /** Aborts: the call rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

/** Values that come one after the other. */
export type ObjectValues = Iterable<unknown> | AsyncIterable<unknown>

const count = number(1, 2 ** 31 - 1, true)
const OBJECTS: Rules = {
  ...COMPRESSION,
  kind: [`one of ${KINDS.join(', ')}`, value => KINDS.includes(value as never)],
  batchLength: count,
  blockLength: count,
  item: ["an object such as { kind: 'int64' }", having('kind')],
  nullable: flag,
  attrs: object,
  signal,
}

/** Writes a sequence of objects to the file that `open` creates, once its options were checked. Memory holds a batch. */
export async function writeObjects(
  open: () => Promise<Target>,
  values: ObjectValues,
  options: ObjectOptions,
): Promise<void> {
  const { signal } = checked(options, OBJECTS)
  if (!having(Symbol.iterator)(values) && !having(Symbol.asyncIterator)(values))
    throw argument(`values: ${formatValue(values)} cannot be iterated over`)
  signal?.throwIfAborted()
  const engine = createEngine(await getModule(), Infinity)
  create(engine, options)
  const file = await callFile(open)
  const carryOutAll = async (steps: readonly Step[]) => {
    for (const step of steps) await callFile(() => carryOut(step, file))
  }
  try {
    let at = 0
    for await (const value of values) {
      await carryOutAll(await yieldThen(() => push(engine, value, at), signal))
      at++
    }
    await carryOutAll(engine.call(NO_FRAME, 'objects_end', [], valueIn) as Step[])
    signal?.throwIfAborted()
    await callFile(() => file.close?.())
  } catch (error) {
    await callFile(() => file.abort?.(error))
    throw error
  }
}

/** Creates the sequence in the engine. */
function create(engine: Engine, options: ObjectOptions): void {
  const { kind = 'batches', batchLength = 0, blockLength = 0, item, nullable, attrs = {} } = options
  const isLists = kind === 'lists'
  if (isLists && !item) throw argument(`item: what lists have is needed, such as { kind: 'int64' }`)
  if (!isLists && (item || nullable)) throw argument(`${item ? 'item' : 'nullable'}: only lists have it`)
  const compression = compressionNumbers(engine, { ...options, codec: options.codec ?? 'zstd' })
  const layers = Object.entries(attrs).flatMap(([name, value]) => [utf8(name), valueBytes(value)])
  const numbers = [KINDS.indexOf(kind), batchLength, blockLength, Number(!!nullable)]
  engine.call(
    NO_FRAME,
    'objects_create',
    [viewOf(compression), valueBytes(item, 'item'), ...layers],
    () => {},
    ...numbers,
  )
}

/** Appends an object, whose index errors tell. Returns the steps for the file. */
function push(engine: Engine, value: unknown, at: number): Step[] {
  const name = `object ${at}`
  const bytes = valueBytes(value, name, packedArray)
  try {
    return engine.call(NO_FRAME, 'objects_push', bytes, valueIn) as Step[]
  } catch (cause) {
    if (!isB2ndError(cause)) throw cause
    throw new B2ndError(cause.code, `${name}: ${cause.message}`, { cause })
  }
}
