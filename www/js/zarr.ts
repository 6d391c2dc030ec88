import { Blosc } from './codecs.js'

export { Blosc } from './codecs.js'

/** The registry of codecs that zarrita exports, as far as it matters here. */
export interface Registry {
  /** Has a codec of this name made by the class that `load` gives, which may be awaited. */
  // Of its own type: what `set` takes is compared with what zarrita's takes.
  // oxlint-disable-next-line typescript/no-explicit-any
  set(name: string, load: () => any): unknown
}

/** Makes zarrita decode Blosc with this package: `register(registry)`. */
export function register(registry: Registry): void {
  for (const name of ['blosc', 'numcodecs.blosc']) registry.set(name, () => Blosc)
}
