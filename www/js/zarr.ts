import { Blosc, Blosc2 } from './codecs.js'
import type { BytesCodec } from './write/zarr.js'

export { zarrStore, type ZarrStore, type ZarrStoreOptions } from './arrays/zarr-store.js'
export { Blosc, Blosc2 } from './codecs.js'

/** The used part of the codec registry of zarrita. */
export interface Registry {
  // `any`, because parameters must be compatible with zarrita's.
  /** A registered codec. */
  // oxlint-disable-next-line typescript/no-explicit-any
  get(name: string): any
  /** Registers a codec. `load` returns its class or a promise of it. */
  // oxlint-disable-next-line typescript/no-explicit-any
  set(name: string, load: () => any): unknown
}

/**
 * Registers the codecs `blosc`, `blosc2` and `b2nd` of this package with zarrita: `register(registry)`. What `b2nd` needs is
 * loaded when the first array has it.
 */
export function register(registry: Registry): void {
  for (const name of ['blosc', 'numcodecs.blosc']) registry.set(name, () => Blosc)
  registry.set('blosc2', () => Blosc2)
  registry.set('b2nd', async () => {
    const bytes = registry.get('bytes') as () => BytesCodec | Promise<BytesCodec>
    const [{ b2ndWith }, codec] = await Promise.all([import('./write/zarr.js'), bytes()])
    return b2ndWith(codec)
  })
}
