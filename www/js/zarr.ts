import { Blosc } from './codecs.js'

export { Blosc } from './codecs.js'

/** The used part of the codec registry of zarrita. */
export interface Registry {
  /** Registers a codec. `load` returns its class or a promise of it. */
  // `any`, because the parameter must be compatible with zarrita's.
  // oxlint-disable-next-line typescript/no-explicit-any
  set(name: string, load: () => any): unknown
}

/** Registers the Blosc codec of this package with zarrita: `register(registry)`. */
export function register(registry: Registry): void {
  for (const name of ['blosc', 'numcodecs.blosc']) registry.set(name, () => Blosc)
}
