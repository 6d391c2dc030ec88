// Ranges that stay as they are while only another position is looked at.
import type { Range } from '../draw/scale.js'

export class KeptRanges {
  readonly #ranges = new Map<string, { key: string; range: Range }>()

  /** The range that was made for a plane before, unless `key` has changed since, or it was of values that are all alike. */
  keep(plane: string, key: string, make: () => Range): Range {
    const kept = this.#ranges.get(plane)
    if (kept?.key === key && kept.range.min < kept.range.max) return kept.range
    const range = make()
    this.#ranges.set(plane, { key, range })
    return range
  }

  /** Lets ranges follow what is shown now. */
  forget(): void {
    this.#ranges.clear()
  }
}
