import { named } from '../base/errors.js'
import { checked, READ } from '../base/validation.js'
import { SCHUNK, type Items } from '../engine/protocol.js'
import { integer, slice, type Selection } from '../reading/selection.js'
import { OpenedFrame } from './opened-frame.js'

/** A super-chunk: items, or chunks, of nothing but bytes. */
export class SChunk extends OpenedFrame {
  static {
    named(this, 'SChunk')
  }
  protected override get items(): Items {
    return SCHUNK
  }

  /** Bytes of an item. */
  get typesize(): number {
    return this.info.typesize
  }

  /** Bytes of all items. */
  get nbytes(): number {
    return this.info.nbytes
  }

  /** The bytes of the items from `start` up to and without `stop`, or of all. Positions are those of `slice`. */
  get(start: number | null = null, stop: number | null = null, options: { signal?: AbortSignal | undefined } = {}) {
    return this.select([slice(start, stop)], options)
  }

  /** The bytes of the items that a selection along one axis takes. */
  async select(
    selection: Selection,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    return this.fill(this.planned(selection, options))
  }

  /** The number of chunks. Reads the index. */
  async nchunks(options: { signal?: AbortSignal | undefined } = {}): Promise<number> {
    return (await this.frame.chunkIndex(checked(options, READ).signal)).nchunks
  }

  /** The bytes of a chunk; of an array's, its padding included. */
  async chunk(nchunk: number, options: { signal?: AbortSignal | undefined } = {}): Promise<Uint8Array> {
    return this.frame.chunk(integer(nchunk), checked(options, READ).signal)
  }
}
