// Ranges that are kept while only the position changes.
import type { Range } from './scale.js'

export class KeptRanges {
  readonly #ranges = new Map<string, { key: string; range: Range }>()

  /** The range of a previous plane, unless `key` has changed since, or all of its values were equal. */
  keep(plane: string, key: string, make: () => Range): Range {
    const kept = this.#ranges.get(plane)
    if (kept?.key === key && kept.range.min < kept.range.max) return kept.range
    const range = make()
    this.#ranges.set(plane, { key, range })
    return range
  }

  /** Makes ranges follow the visible values again. */
  forget(): void {
    this.#ranges.clear()
  }
}
