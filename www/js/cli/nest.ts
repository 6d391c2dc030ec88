/** The places of items within a shape, in C order. */
export class Nest {
  /** The number of items. */
  readonly length: number
  readonly #strides: readonly number[]

  constructor(readonly shape: readonly number[]) {
    const strides: number[] = []
    let length = 1
    for (const len of shape.toReversed()) {
      strides.unshift(length)
      length *= len
    }
    this.#strides = strides
    this.length = length
  }

  /** The index of an item along an axis. */
  index(item: number, axis: number): number {
    return Math.floor(item / this.#strides[axis]!) % this.shape[axis]!
  }

  /** The number of innermost axes that begin with this item. */
  starts(item: number): number {
    return this.#innermost(axis => this.index(item, axis) === 0)
  }

  /** The number of innermost axes that end with this item. */
  ends(item: number): number {
    return this.#innermost(axis => this.index(item, axis) + 1 === this.shape[axis])
  }

  #innermost(test: (axis: number) => boolean): number {
    const { length } = this.shape
    for (let axis = length - 1; axis >= 0; axis--) if (!test(axis)) return length - 1 - axis
    return length
  }
}
