import { B2ndError } from './errors.js'
import { Frame, type FrameOptions } from './frame.js'
import { NDArray } from './ndarray.js'
import { SChunk } from './schunk.js'
import { type Fetch, type HttpOptions, ofUrl } from './source/http.js'
import { type ByteSource, SPARSE_INDEX, type Sliceable, type SparseSource, ofBlob, ofBytes, ofDirectory, ofSliceable } from './source/source.js'
import { chunkFile } from './errors.js'
import { getEngine, setLimits } from './wasm.js'
import type { Facts } from './engine.js'

/** What can be opened. A URL that ends in `/` is that of a sparse frame's directory. */
export type Openable =
  | string | URL | Request
  | Blob
  | ArrayBuffer | SharedArrayBuffer | ArrayBufferView
  | FileSystemFileHandle | FileSystemDirectoryHandle
  | Sliceable
  | ByteSource
  | SparseSource

export interface OpenOptions extends FrameOptions, HttpOptions {
  signal?: AbortSignal
  /** Bytes that a call may take, and that metadata may: for all arrays of this module. 1 GiB and 64 MiB by default. */
  limits?: { memory?: number; metadata?: number }
}

/** Opens an array, a super-chunk, or a chunk on its own, which reads as a super-chunk. Costs one request of 8 KiB. */
export async function open(source: Openable, options: OpenOptions = {}): Promise<NDArray | SChunk> {
  const frame = await openFrame(source, options)
  return frame.facts.array ? new NDArray(frame) : new SChunk(frame)
}

/** Opens an array. */
export async function openArray(source: Openable, options: OpenOptions = {}): Promise<NDArray> {
  const opened = await open(source, options)
  if (opened instanceof NDArray) return opened
  const damaged = opened.frame.facts.damaged
  await opened.close()
  throw new B2ndError(damaged ? 'format' : 'argument', damaged ? 'the metalayer that describes the array is damaged' : 'not an n-dimensional array')
}

/** What a file is, cheaply: the facts of its header. */
export async function probe(source: Openable, options: OpenOptions = {}): Promise<Facts> {
  const frame = await openFrame(source, options)
  await frame.close()
  return frame.facts
}

async function openFrame(source: Openable, options: OpenOptions): Promise<Frame> {
  options.signal?.throwIfAborted()
  if (options.limits) setLimits(options.limits)
  const [found] = await Promise.all([resolve(source, options), getEngine()])
  return Frame.open(found, options, options.signal)
}

async function resolve(source: Openable, options: HttpOptions): Promise<SparseSource> {
  if (typeof source === 'string' || source instanceof URL || source instanceof Request) return ofAddress(source, options)
  if (source instanceof Blob) return plain(ofBlob(source))
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source) || isShared(source)) return plain(ofBytes(source))
  if ('kind' in source) {
    if (source.kind === 'file') return plain(ofBlob(await source.getFile()))
    return ofDirectory(source, ofBlob(await (await source.getFileHandle(SPARSE_INDEX)).getFile()))
  }
  if ('read' in source) return plain(source)
  if ('frame' in source) return source
  if ('slice' in source) return plain(ofSliceable(source))
  throw new B2ndError('argument', 'nothing that can be opened')
}

function isShared(source: object): source is SharedArrayBuffer {
  return typeof SharedArrayBuffer !== 'undefined' && source instanceof SharedArrayBuffer
}

/** A frame whose chunks are all in it. */
function plain(frame: ByteSource): SparseSource {
  return {
    frame,
    chunk(file) {
      throw new B2ndError('argument', `a sparse frame: open its directory, where ${chunkFile(file)} is`)
    },
  }
}

function ofAddress(source: string | URL | Request, options: HttpOptions): SparseSource {
  const address = source instanceof Request ? source.url : String(source)
  if (!/\/([?#].*)?$/.test(address)) return plain(ofUrl(source, options))
  const file = (name: string) => {
    const url = new URL(address, (globalThis as { location?: Location }).location?.href)
    url.pathname += name
    return ofUrl(source instanceof Request ? new Request(url, source) : url, options)
  }
  return { frame: file(SPARSE_INDEX), chunk: number => file(chunkFile(number)) }
}

export type { Fetch }
