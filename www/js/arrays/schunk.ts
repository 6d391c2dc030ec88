import { setName } from '../base/errors.js'
import { checked, READ } from '../base/validation.js'
import { SCHUNK, type Items } from '../engine/protocol.js'
import { integer, slice, type Selection } from '../reading/selection.js'
import { OpenedFrame } from './opened-frame.js'

/** A super-chunk: a sequence of chunks with items of bytes. */
export class SChunk extends OpenedFrame {
  static {
    setName(this, 'SChunk')
  }
  protected override get items(): Items {
    return SCHUNK
  }

  /** Size of an item in bytes. */
  get typesize(): number {
    return this.info.typesize
  }

  /** Uncompressed size in bytes. */
  get nbytes(): number {
    return this.info.nbytes
  }

  /** Reads the bytes of the items from `start` up to but excluding `stop`. The arguments are those of `slice`. */
  get(start: number | null = null, stop: number | null = null, options: { signal?: AbortSignal | undefined } = {}) {
    return this.select([slice(start, stop)], options)
  }

  /** Reads the bytes of the items of a selection with one axis. */
  async select(
    selection: Selection,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    return this.fill(this.planned(selection, options))
  }

  /** The number of chunks. The first call reads the index. */
  async nchunks(options: { signal?: AbortSignal | undefined } = {}): Promise<number> {
    return (await this.frame.chunkIndex(checked(options, READ).signal)).nchunks
  }

  /** Reads the bytes of a chunk. The chunk of an array includes padding. */
  async chunk(nchunk: number, options: { signal?: AbortSignal | undefined } = {}): Promise<Uint8Array> {
    return this.frame.chunk(integer(nchunk), checked(options, READ).signal)
  }

  /**
   * Reads the bytes of a chunk that has at most `most`. Others fail as `limit`, before they are decoded.
   * @internal
   */
  chunkWithin(nchunk: number, most: number, signal?: AbortSignal): Promise<Uint8Array> {
    return this.frame.chunk(nchunk, signal, most)
  }
}
