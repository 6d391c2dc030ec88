// Slices as files: CSV, JSON, NDJSON, NPY, as the library writes them. The part of it that does is loaded when first needed.
import { copyOf, textOf } from '../../js/base/bytes.js'
import { B2ndError } from '../../js/base/errors.js'
import { yieldThen } from '../../js/base/yielding.js'
import { base } from '../../js/data/typed-arrays.js'
import { createEngine, NO_FRAME } from '../../js/engine/engine.js'
import type { Type } from '../../js/index.js'
import type { Piece } from './dataset.js'
import { bytesOf, dtypeOf } from './dtypes.js'
import { exportModule } from './printer.js'

/** In the order of the engine's numbers. */
const FORMATS = ['CSV', 'JSON', 'NPY', 'NDJSON'] as const
export type Format = (typeof FORMATS)[number]

/** Bytes of items that become text in one step. */
const STEP = 2 ** 18

const UTF8 = new TextEncoder()

/** The parts of a file. For structures `dtype` is the file's text. Fails as `unsupported` if the format cannot hold the values. */
export async function parts(
  format: Format,
  dtype: string | null,
  type: Type,
  { data, shape }: Piece,
  /** How bytes and NaN are written, by the engine's numbers. */
  style: readonly [number, number],
): Promise<Uint8Array<ArrayBuffer>[]> {
  const engine = createEngine(await exportModule())
  const description = [UTF8.encode(descr(type, dtype)), Float64Array.from(shape)]
  const wrong = engine.call(NO_FRAME, 'begin', description, textOf, FORMATS.indexOf(format), ...style)
  if (wrong) throw new B2ndError('unsupported', wrong)
  const bytes = bytesOf(type, data)
  const step = Math.max(1, Math.floor(STEP / type.size)) * type.size
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0; at < bytes.length; at += step)
    parts.push(await yieldThen(() => engine.call(NO_FRAME, 'part', bytes.subarray(at, at + step), copyOf)))
  parts.push(engine.call(NO_FRAME, 'part', new Uint8Array(), copyOf))
  return parts
}

/** The dtype of decoded data, as NumPy describes it. */
function descr(type: Type, dtype: string | null): string {
  if (dtype && base(type)?.kind === 'struct') return dtype
  const { item, shape } = type
  if (!item) return dtypeOf(type)
  const inner = descr(item, null)
  return `(${inner.startsWith('(') ? inner : `'${inner}'`}, (${shape!.join(', ')},))`
}
