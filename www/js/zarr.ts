import { Blosc } from './codecs.js'

export { Blosc } from './codecs.js'

/** The registry of codecs that zarrita exports, as far as it matters here. */
export interface Registry {
  /** Has a codec of this name made by what `load` gives. */
  set(name: string, load: () => Promise<any>): unknown
}

/** Makes zarrita decode Blosc with this package: `register(registry)`. */
export function register(registry: Registry): void {
  for (const name of ['blosc', 'numcodecs.blosc']) registry.set(name, async () => Blosc)
}
