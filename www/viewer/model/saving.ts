// Writes what is shown, or the whole array, as a .b2nd file, and estimates what that takes.
import { product } from '../../js/base/numbers.js'
import { B2ndError, open } from '../../js/index.js'
import type { ArrayOptions, Items, PositionedFile, Sink } from '../../js/write.js'
import { bytes as sizeText } from '../dom.js'
import { regions, samples, type Extract, type Region } from './extract.js'
import { workers } from './workers.js'
import { writing } from './writing.js'

/** The user's choice. What is undefined is chosen by the library. */
export type Choice = Pick<ArrayOptions, 'codec' | 'clevel' | 'filters' | 'chunks' | 'blocks'>

export interface Estimate {
  /** The sizes before and after, in bytes. */
  nbytes: number
  cbytes: number
  seconds: number
  chunks: readonly number[]
  blocks: readonly number[]
}

/** Bytes to read at a time. */
const PIECE = 2 ** 26
/** The maximum size of a file that is written in memory. */
export const MAX_MEMORY_BYTES = 2 ** 30

/** A file in memory, for browsers that have no other place. Fails as `limit` if it becomes too large. */
export async function inMemory(): Promise<{ sink: PositionedFile; bytes: () => Uint8Array<ArrayBuffer> }> {
  const { memoryFile } = await writing()
  const file = memoryFile()
  const write = (offset: number, bytes: Uint8Array) => {
    if (offset + bytes.length > MAX_MEMORY_BYTES)
      throw new B2ndError(
        'limit',
        `the file becomes larger than ${sizeText(MAX_MEMORY_BYTES)}, and this browser has only memory for it`,
      )
    file.write(offset, bytes)
  }
  return { sink: { read: file.read, write, truncate: file.truncate }, bytes: () => file.bytes }
}

/** The bytes of a frame around its chunks, about. */
const AROUND = 350

/** The items that were read already, by their place. */
type Kept = Map<string, { items: Items; seconds: number }>

export class Saving {
  readonly #extract: Extract
  readonly #kept: Kept = new Map()
  #started: Promise<unknown> | undefined

  constructor(extract: Extract) {
    this.#extract = extract
  }

  get nbytes(): number {
    return product(this.#extract.shape) * this.#extract.itemsize
  }

  /** The shapes of chunks and blocks. Fails as `argument` if the choice is invalid. */
  async shapes(choice: Choice): Promise<Pick<Estimate, 'chunks' | 'blocks'>> {
    const { arrayWriter, memoryFile } = await writing()
    const { shape, dtype } = this.#extract
    const writer = await arrayWriter(memoryFile(), { ...choice, shape, dtype })
    await writer.abort()
    return { chunks: writer.chunks, blocks: writer.blocks }
  }

  /** Encodes samples as the choice says. Errors are those of reading, or `argument` if the choice is invalid. */
  async estimate(choice: Choice, signal: AbortSignal): Promise<Estimate> {
    const { nbytes } = this
    const { shape, itemsize } = this.#extract
    const { chunks, blocks } = await this.shapes(choice)
    const places = samples(shape, chunks, blocks, itemsize)
    await this.#warm()
    let [plain, reading, encoding, cbytes] = [0, 0, 0, 0]
    for (const place of places) {
      const { items, seconds } = await this.#sample(place, signal)
      const encoded = await this.#encode(items, place, { ...choice, blocks }, signal)
      plain += product(place.shape) * itemsize
      reading += seconds
      encoding += encoded.seconds
      cbytes += encoded.cbytes
    }
    const times = plain ? nbytes / plain : 0
    const atOnce = Math.min(workers?.size ?? 1, product(shape.map((length, axis) => Math.ceil(length / chunks[axis]!))))
    return {
      nbytes,
      cbytes: AROUND + times * cbytes,
      seconds: times * (reading + encoding / (atOnce || 1)),
      chunks,
      blocks,
    }
  }

  /** Starts a worker, so that its start is not measured. */
  #warm(): Promise<unknown> {
    return (this.#started ??= writing().then(({ encodeArray }) =>
      encodeArray(new Uint8Array(64), { encoder: workers }),
    ))
  }

  async #sample(place: Region, signal: AbortSignal): Promise<{ items: Items; seconds: number }> {
    const key = JSON.stringify(place)
    const kept = this.#kept.get(key)
    if (kept) return kept
    const start = performance.now()
    const items = await this.#extract.read(place, signal)
    const sample = { items, seconds: (performance.now() - start) / 1000 }
    this.#kept.set(key, sample)
    return sample
  }

  /** Encodes a sample as one chunk. */
  async #encode(items: Items, { shape }: Region, choice: Choice & { blocks: readonly number[] }, signal: AbortSignal) {
    const { arrayWriter, memoryFile } = await writing()
    const { dtype } = this.#extract
    const blocks = choice.blocks.map((length, axis) => Math.min(length, shape[axis]!))
    const file = memoryFile()
    const shapes = shape.length ? { chunks: shape, blocks } : {}
    const writer = await arrayWriter(file, { ...choice, ...shapes, shape, dtype, encoder: workers, signal })
    const start = performance.now()
    await writer.write(null, items)
    const seconds = (performance.now() - start) / 1000
    await writer.close()
    const { info } = await open(file.bytes)
    return { cbytes: info.cbytes, seconds }
  }

  /** Writes the file. After an error, or if it is stopped, no file is left in the place. */
  async write(
    sink: Sink,
    choice: Choice & Pick<ArrayOptions, 'attrs' | 'metalayers'>,
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ): Promise<void> {
    const { arrayWriter } = await writing()
    const { shape, dtype, itemsize } = this.#extract
    const writer = await arrayWriter(sink, {
      ...choice,
      shape,
      dtype,
      encoder: workers,
      signal,
      onProgress: ({ loaded, total }) => onProgress(loaded / total),
    })
    try {
      for (const region of regions(shape, writer.chunks, itemsize, PIECE)) {
        const items = await this.#extract.read(region, signal)
        const selection = region.start.map((start, axis) => ({ start, stop: start + region.shape[axis]!, step: null }))
        await writer.write(selection, items)
      }
      await writer.close()
    } catch (error) {
      await writer.abort(error)
      throw error
    }
  }
}
