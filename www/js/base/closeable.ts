/// <reference lib="esnext.disposable" preserve="true" />

/** An object that is closed at the end of `await using`. */
export abstract class Closeable {
  static {
    // Runtimes without `Symbol.asyncDispose` get a method of this name.
    Reflect.deleteProperty(this.prototype, 'undefined')
  }

  /** Closes it. A second call does nothing. */
  abstract close(): Promise<void>

  /** `close` for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
