import { SCHUNK } from './job.js'
import { slice, type Selection } from './selection.js'
import { Stored } from './stored.js'

/** A super-chunk: items, or chunks, of nothing but bytes. */
export class SChunk extends Stored {
  protected override readonly items = SCHUNK

  /** Bytes of an item. */
  get typesize(): number {
    return this.frame.facts.typesize
  }

  /** Bytes of all items. */
  get nbytes(): number {
    return this.frame.facts.nbytes
  }

  /** The bytes of the items from `start` up to and without `stop`, or of all. Positions are those of `slice`. */
  get(start: number | null = null, stop: number | null = null, options: { signal?: AbortSignal } = {}) {
    return this.select([slice(start, stop)], options)
  }

  /** The bytes of the items that a selection along one axis takes. */
  async select(selection: Selection, options: { signal?: AbortSignal } = {}): Promise<Uint8Array<ArrayBuffer>> {
    const { reading, plan } = this.planned(selection, options)
    const bytes = new Uint8Array(plan.nbytes)
    await this.fill(reading, plan, bytes)
    return bytes
  }

  /** The number of chunks. Reads the index. */
  async nchunks(options: { signal?: AbortSignal } = {}): Promise<number> {
    return (await this.frame.index(options.signal)).length
  }

  /** The bytes of a chunk; of an array's, its padding included. */
  chunk(nchunk: number, options: { signal?: AbortSignal } = {}): Promise<Uint8Array> {
    return this.frame.chunk(nchunk, options.signal)
  }
}
