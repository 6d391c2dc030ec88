// Decoded data as NumPy describes and stores them.
import { base, constructorOf } from '../../js/data/typed-arrays.js'
import { float16Bits } from '../../js/data/values.js'
import { StructArray, type Data, type Type } from '../../js/index.js'

/** The dtype of decoded data: numbers in the byte order of the machine, which is little-endian, other items as they are stored. */
export function dtypeOf(type: Type): string {
  const { kind, size, unit, count } = type
  // Numbers that no typed array holds stay bytes.
  const order = size === 1 ? '|' : constructorOf(type) === Uint8Array ? type.order : '<'
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
      return `${order}c${size}`
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
export function bytesOf(type: Type, data: Data): Uint8Array {
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
