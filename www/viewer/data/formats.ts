// Slices as files: CSV, JSON, NDJSON, NPY, as the library writes them. The part of it that does is loaded when first needed.
import { copyOf, textOf } from '../../js/base/bytes.js'
import { B2ndError } from '../../js/base/errors.js'
import { yieldThen } from '../../js/base/yielding.js'
import { base } from '../../js/data/typed-arrays.js'
import { float16Bits } from '../../js/data/values.js'
import { download } from '../../js/engine/download.js'
import { createEngine, NO_FRAME } from '../../js/engine/engine.js'
import { StructArray, type Data, type Type } from '../../js/index.js'
import type { Piece } from './dataset.js'

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
  const engine = createEngine(await download(new URL('./export.wasm', import.meta.url)))
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

/** The dtype of decoded data, in the byte order of the machine, which is little-endian. */
export function dtypeOf({ kind, size, unit, count }: Type): string {
  const order = size > 1 ? '<' : '|'
  const time = unit ? `[${count && count > 1 ? count : ''}${unit}]` : ''
  switch (kind) {
    case 'bool':
      return '|b1'
    case 'int':
      return `${order}i${size}`
    case 'uint':
      return `${order}u${size}`
    case 'float':
      return `${order}f${size}`
    case 'complex':
      return `<c${size}`
    case 'datetime':
      return `<M8${time}`
    case 'timedelta':
      return `<m8${time}`
    case 'bytes':
      return `|S${size}`
    case 'str':
      return `<U${size / 4}`
    default:
      return `|V${size}`
  }
}

/** The bytes of decoded items. */
function bytesOf(type: Type, data: Data): Uint8Array {
  if (data instanceof StructArray) return data.bytes
  const { kind, size } = base(type)!
  if (kind === 'float' && size === 2 && data instanceof Float32Array)
    return new Uint8Array(Uint16Array.from(data, float16Bits).buffer)
  if (!Array.isArray(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  const out = new Uint8Array(data.length * size)
  const view = new DataView(out.buffer)
  data.forEach((text, k) => {
    if (kind === 'bytes') for (let at = 0; at < text.length; at++) out[k * size + at] = text.charCodeAt(at)
    else Array.from(text).forEach((point, at) => view.setUint32(k * size + 4 * at, point.codePointAt(0)!, true))
  })
  return out
}
