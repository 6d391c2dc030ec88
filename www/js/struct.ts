import { argument, named, shown } from './errors.js'
import { scalar, toData, widthOf, type Data, type Int64, type Scalar } from './dtype.js'
import type { Field, Type } from './facts.js'
import { engineError } from './messages.js'

/** Structured items: a table whose columns are the fields. Nothing is converted before it is asked for. */
export class StructArray {
  static {
    named(this, 'StructArray')
  }
  /** Number of items. */
  readonly length: number
  /** The bytes of the items as the file has them. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** What each item has. */
  readonly fields: readonly Field[]
  readonly #type: Type
  readonly #int64: Int64

  constructor(type: Type, bytes: Uint8Array<ArrayBuffer>, int64: Int64) {
    this.fields = type.fields!
    this.bytes = bytes
    this.length = bytes.length / type.size || 0
    this.#type = type
    this.#int64 = int64
  }

  /** The names of the fields. */
  get names(): string[] {
    return this.fields.map(field => field.name)
  }

  /** The values of a field, one after the other. */
  column(name: string): Data {
    const field = this.fields.find(field => field.name === name || (field.title ?? field.name) === name)
    if (!field) throw argument(`no field is called ${shown(name)}: these are ${this.names.join(', ')}`)
    return this.#values(field, 0, this.length)
  }

  /** An item, as an object. */
  row(at: number): { [field: string]: Scalar } {
    if (!(Number.isInteger(at) && at >= 0 && at < this.length)) throw engineError([2, 0, 0, at, this.length])
    const row = Object.create(null) as { [field: string]: Scalar }
    for (const field of this.fields) {
      row[field.name] = scalar(field.type, this.#values(field, at, at + 1), 0, widthOf(field.type, field.type.size))
    }
    return row
  }

  /** The items one after the other, as `row` gives them. */
  *[Symbol.iterator](): Iterator<{ [field: string]: Scalar }> {
    for (let at = 0; at < this.length; at++) yield this.row(at)
  }

  #values({ type, offset }: Field, from: number, to: number): Data {
    const bytes = new Uint8Array((to - from) * type.size)
    for (let at = from; at < to; at++) {
      const start = at * this.#type.size + offset
      bytes.set(this.bytes.subarray(start, start + type.size), (at - from) * type.size)
    }
    return toData(type, bytes, this.#int64)
  }
}
