/** After so many milliseconds progress is shown. */
const PATIENCE = 1000
/** Milliseconds between changes. */
const PAUSE = 200

/** Shows on a terminal how much of long work is done. */
export class Progress {
  readonly #what: string
  readonly #total: number
  #done = 0
  #next = performance.now() + PATIENCE
  #isShown = false

  /** `total` is in the unit of what is `advance`d by. */
  constructor(what: string, total: number) {
    this.#what = what
    this.#total = total
  }

  advance(amount: number): void {
    this.#done += amount
    if (!process.stderr.isTTY || performance.now() < this.#next) return
    this.#next = performance.now() + PAUSE
    this.#isShown = true
    process.stderr.write(`\r${this.#what}: ${Math.floor((100 * this.#done) / (this.#total || 1))} %`)
  }

  /** Removes the line. */
  end(): void {
    if (this.#isShown) process.stderr.write('\r\u001b[K')
  }
}
