/** Calls that run one after the other, whatever becomes of those before. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs a call after those before it. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const next = this.#last.then(work)
    this.#last = next.catch(() => {})
    return next
  }

  /** Waits for the calls so far. */
  async idle(): Promise<void> {
    await this.#last
  }
}
