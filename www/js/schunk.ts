import { B2ndError } from './errors.js'
import type { Frame } from './frame.js'
import { Stored } from './ndarray.js'
import { place } from './place.js'
import { type ReadOptions, plan, read } from './reading.js'
import { encode, slice } from './selection.js'
import { getEngine } from './wasm.js'

/** A super-chunk: items in a row, of which only the size is known. */
export class SChunk extends Stored {
  /** Bytes of an item, and of all items. */
  readonly typesize: number
  readonly nbytes: number

  constructor(frame: Frame) {
    super(frame)
    this.typesize = frame.facts.typesize
    this.nbytes = frame.facts.nbytes
  }

  /** How many chunks there are. */
  async nchunks({ signal }: { signal?: AbortSignal } = {}): Promise<number> {
    return (await this.frame.index(signal)).length
  }

  /** Some items, as bytes. Positions are NumPy's; where chunks differ in size, read {@link chunk}s instead. */
  async get(start: number | null = null, stop: number | null = null, options: ReadOptions = {}): Promise<Uint8Array> {
    const wanted = { items: 1 as const, selection: encode([slice(start, stop)]) }
    const planned = await plan(this.frame, wanted)
    const bytes = new Uint8Array(planned.nbytes)
    await read(this.frame, wanted, planned, box => place(box, bytes, planned.shape, planned.itemsize), options)
    return bytes
  }

  /** A whole chunk, plain. */
  async chunk(nchunk: number, { signal }: { signal?: AbortSignal } = {}): Promise<Uint8Array> {
    const index = await this.frame.index(signal)
    const location = index[nchunk]
    if (location === undefined) throw new B2ndError('argument', `chunk ${nchunk} of ${index.length}`)
    const engine = await getEngine()
    const { recipe } = this.frame
    if (location < 0) return engine.chunk(recipe, nchunk, location, new Uint8Array())
    const { part, offset } = this.frame.place(location)
    const head = await this.frame.read(part, offset, offset + Math.min(32, this.frame.extent(index, location, 32)), signal)
    const { cbytes } = engine.chunkInfo(head)
    return engine.chunk(recipe, nchunk, location, await this.frame.read(part, offset, offset + cbytes, signal))
  }
}
