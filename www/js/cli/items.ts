// Items, decoded from the bytes that are stored.

import { dateText, spanText } from '../data/time.js'
import { NAT } from '../data/values.js'
import type { Field, Type } from '../engine/facts.js'
import { readReal, type Real } from './reals.js'

/** An item. Times are texts, or null for NaT; texts and bytes have no zeros at their end. */
export type Item =
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'real'; readonly value: Real }
  | { readonly kind: 'complex'; readonly re: Real; readonly im: Real }
  | { readonly kind: 'time'; readonly text: string | null }
  | { readonly kind: 'bytes' | 'void'; readonly bytes: Uint8Array }
  | { readonly kind: 'str'; readonly text: string }
  | { readonly kind: 'object' }
  | List
  | Structure

/** A sub-array: items along axes of these lengths. */
export interface List {
  readonly kind: 'list'
  readonly type: Type
  readonly shape: readonly number[]
  readonly bytes: Uint8Array
}

/** A structure. */
export interface Structure {
  readonly kind: 'structure'
  readonly fields: readonly (readonly [name: string, item: Item])[]
}

/** Decodes one item, which has these bytes. */
export function readItem(type: Type, bytes: Uint8Array): Item {
  const little = type.order !== '>'
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const { size } = type
  switch (type.kind) {
    case 'bool':
      return { kind: 'bool', value: bytes[0] !== 0 }
    case 'int':
      return { kind: 'integer', value: BigInt.asIntN(8 * size, unsigned(bytes, little)) }
    case 'uint':
      return { kind: 'integer', value: unsigned(bytes, little) }
    case 'float':
      return { kind: 'real', value: readReal(view, 0, size, little) }
    case 'complex':
      return {
        kind: 'complex',
        re: readReal(view, 0, size / 2, little),
        im: readReal(view, size / 2, size / 2, little),
      }
    case 'datetime':
    case 'timedelta': {
      const steps = BigInt.asIntN(64, unsigned(bytes, little))
      const write = type.kind === 'datetime' ? dateText : spanText
      return { kind: 'time', text: steps === NAT ? null : write(steps, type.unit, type.count) }
    }
    case 'bytes':
      return { kind: 'bytes', bytes: withoutZeros(bytes) }
    case 'str':
      return { kind: 'str', text: characters(view, little) }
    case 'object':
      return { kind: 'object' }
    case 'subarray':
      return { kind: 'list', type: type.item!, shape: type.shape!, bytes }
    case 'struct':
      return { kind: 'structure', fields: type.fields!.map(field => fieldOf(field, bytes)) }
    default:
      return { kind: 'void', bytes }
  }
}

const fieldOf = ({ name, type, offset }: Field, bytes: Uint8Array) =>
  [name, readItem(type, bytes.subarray(offset, offset + type.size))] as const

function unsigned(bytes: Uint8Array, little: boolean): bigint {
  let value = 0n
  for (let k = 0; k < bytes.length; k++) value = (value << 8n) | BigInt(bytes[little ? bytes.length - 1 - k : k]!)
  return value
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return bytes.subarray(0, end)
}

/** Code points, with U+FFFD for what is none. */
function characters(view: DataView, little: boolean): string {
  let text = ''
  for (let at = 0; at + 4 <= view.byteLength; at += 4) {
    const point = view.getUint32(at, little)
    const isSurrogate = point >= 0xd800 && point < 0xe000
    text += String.fromCodePoint(point > 0x10ffff || isSurrogate ? 0xfffd : point)
  }
  return text.replace(/\0+$/, '')
}

/** The entries of a sub-array along its first axis; undefined if it has no axes. Entries without bytes are left out. */
export function entriesOf({ type, shape, bytes }: List): List[] | undefined {
  const [length, ...rest] = shape
  if (length === undefined) return undefined
  const size = Math.floor(bytes.length / length) || 1
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, k) => ({
    kind: 'list',
    type,
    shape: rest,
    bytes: bytes.subarray(k * size, (k + 1) * size),
  }))
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes as text: UTF-8 if valid, else Latin-1. */
export function bytesAsText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    return String.fromCharCode(...bytes)
  }
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
