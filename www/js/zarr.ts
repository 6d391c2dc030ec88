import { Blosc, Blosc2, getModule } from './codecs.js'
import type { Pool } from './workers/pool.js'
import type { Selected, ZarrArray, ZarrSelection } from './zarr/array.js'
import type { BytesCodec } from './zarr/b2nd.js'
import type { SliceOptions } from './zarr/slice.js'

export { zarrStore, type ZarrStore, type ZarrStoreOptions } from './arrays/zarr-store.js'
export { Blosc, Blosc2 } from './codecs.js'
export type {
  ChunkOf,
  ItemOf,
  ReadableStore,
  Selected,
  StoreBytes,
  StoreOptions,
  StoreRange,
  ZarrArray,
  ZarrChunk,
  ZarrSelection,
  ZarrSlice,
} from './zarr/array.js'
export type { Workers } from './zarr/calls.js'
export type { SliceOptions } from './zarr/slice.js'

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

/** How chunks are decoded. */
export interface RegisterOptions {
  /** Decodes chunks in workers: a pool of `b2nd/pool`. */
  pool?: Pick<Pool, 'call'> | undefined
}

/**
 * Registers the codecs `blosc`, `blosc2` and `b2nd` of this package with zarrita: `register(registry)`. What `b2nd` needs is
 * loaded when the first array has it.
 */
export function register(registry: Registry, { pool }: RegisterOptions = {}): void {
  const [blosc, blosc2] = [Blosc, Blosc2].map(codec => (pool ? decodingIn(pool, codec) : codec))
  for (const name of ['blosc', 'numcodecs.blosc']) registry.set(name, () => blosc)
  registry.set('blosc2', () => blosc2)
  registry.set('b2nd', async () => {
    const bytes = registry.get('bytes') as () => BytesCodec | Promise<BytesCodec>
    const [{ b2ndWith }, codec] = await Promise.all([import('./zarr/parts.js'), bytes()])
    return b2ndWith(codec, pool)
  })
}

/** The codec, whose chunks are decoded in workers. */
const decodingIn = (pool: Pick<Pool, 'call'>, codec: typeof Blosc): typeof Blosc =>
  class extends codec {
    override async decode(chunk: Uint8Array, out?: Uint8Array): Promise<Uint8Array> {
      if (out) return super.decode(chunk, out)
      return pool.call({ call: 'chunk_decode', numbers: [], input: chunk }, { module: await getModule() })
    }
  }

/**
 * Reads a slice of an array of zarrita, as `get` of zarrita does. With `partial` it reads of each chunk only the blocks that the
 * slice touches, by ranges of bytes, if Blosc encoded the chunk as the last codec and the store has `getRange`; other chunks are
 * read whole. What this needs is loaded by the first call.
 */
export async function getSlice<A extends ZarrArray, const S extends ZarrSelection = null>(
  array: A,
  selection?: S,
  options?: SliceOptions,
): Promise<Selected<A, S>> {
  const { getSlice: read } = await import('./zarr/parts.js')
  return read(array, selection ?? (null as S), options)
}
