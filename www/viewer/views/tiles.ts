// A cache of the tiles of a table, and requests for them.
import { StructArray, type Type } from '../../js/index.js'
import type { Cut } from '../model/cuts.js'
import type { Slab } from '../model/loader.js'
import { strideOf } from '../model/plane.js'
import type { Session } from '../model/session.js'
import { clamp } from '../model/suggest.js'
import { loadPrinter } from '../model/texts.js'
import { fieldText, textOf } from '../model/values.js'
import type { Why } from '../model/why.js'

const ROWS = 128
const COLUMNS = 64
/** The maximum number of cached tiles. The oldest one is dropped first. */
const MAX_TILES = 64

/** The typical width of values of a type, in pixels. */
export function widthOf({ kind, size }: Type): number {
  if (kind === 'str' || kind === 'bytes') return clamp((size / (kind === 'str' ? 4 : 1)) * 8 + 20, 92, 320)
  if (kind === 'complex') return 200
  if (kind === 'datetime' || kind === 'timedelta') return 190
  return size > 8 ? 240 : size === 8 ? 190 : 96
}

export class Tiles {
  readonly #session: Session
  readonly #arrived: (row: number) => void
  readonly #tiles = new Map<string, Slab>()
  readonly #asked = new Set<string>()
  #abort = new AbortController()

  /** `arrived` is called with the row for which a tile was requested. */
  constructor(session: Session, arrived: (row: number) => void) {
    this.#session = session
    this.#arrived = arrived
  }

  /** Of structures the fields are columns. */
  get fields() {
    const { type } = this.#session.dataset
    return type.kind === 'struct' ? type.fields! : null
  }

  /** Switches to another plane, or to none. */
  forget(): void {
    this.#abort.abort(new DOMException('the table shows something else', 'AbortError'))
    this.#abort = new AbortController()
    this.#tiles.clear()
    this.#asked.clear()
  }

  /** The reason why a cell has no value; null if it has one. */
  why(row: number, column: number): Why | null {
    const {
      dataset: { missing },
      state: { x, y, index },
    } = this.#session
    return (
      missing?.at(index.map((position, axis) => (axis === y ? row : axis === x && !this.fields ? column : position))) ??
      null
    )
  }

  /** The text of a cell; null while it is being read. */
  text(row: number, column: number): string | null {
    const why = this.why(row, column)
    if (why && why !== 'uninit') return '–'
    const tile = this.#tile(row, this.fields ? 0 : column)
    return tile ? this.textIn(tile, row, column) : null
  }

  /** The text of a cell in a slice. */
  textIn({ piece }: Slab, row: number, column: number): string {
    const why = this.why(row, column)
    if (why && why !== 'uninit') return ''
    const {
      dataset,
      state: { x, y },
    } = this.#session
    const offset = (axis: number | null, at: number) => {
      const cut = axis === null ? 0 : piece.cuts[axis]!
      return typeof cut === 'number' ? 0 : (at - cut.start) * strideOf(piece, axis!)
    }
    const at = offset(y, row) + (this.fields ? 0 : offset(x, column))
    const field = this.fields?.[column]
    if (field && piece.data instanceof StructArray) return fieldText(field.type, piece.data, at, field.name)
    return textOf(dataset.type, piece.data, at, piece.width)
  }

  /** The tile with an item, if it is cached; otherwise requests it. */
  #tile(row: number, column: number): Slab | undefined {
    const [r, c] = [Math.floor(row / ROWS) * ROWS, Math.floor(column / COLUMNS) * COLUMNS]
    const key = `${r} ${c}`
    const tile = this.#tiles.get(key)
    if (tile || this.#asked.has(key)) return tile
    this.#asked.add(key)
    const {
      dataset: { shape },
      state: { x, y, index },
    } = this.#session
    const along = (start: number, size: number, length: number): Cut => ({
      start,
      stop: Math.min(length, start + size),
      step: 1,
    })
    const cuts = shape.map((length, axis): Cut =>
      axis === y ? along(r, ROWS, length) : axis === x && !this.fields ? along(c, COLUMNS, length) : index[axis]!,
    )
    const { signal } = this.#abort
    Promise.all([this.#session.obtain(cuts, signal), loadPrinter()]).then(
      ([slab]) => {
        if (signal.aborted) return
        this.#tiles.set(key, slab)
        const [oldest] = this.#tiles.keys()
        if (this.#tiles.size > MAX_TILES) {
          this.#tiles.delete(oldest!)
          this.#asked.delete(oldest!)
        }
        this.#arrived(row)
      },
      (error: unknown) => signal.aborted || this.#session.emit('error', error),
    )
    return undefined
  }
}
