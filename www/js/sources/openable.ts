import { bytesIn } from '../base/bytes.js'
import { argument } from '../base/errors.js'
import { check, position } from '../base/validation.js'
import { missing, partName } from './directory.js'
import { httpSource, type HttpOptions } from './http.js'
import { callSource, sliceSource, sourceOf, type ByteSource, type SparseSource } from './source.js'

/** The used part of `FileSystemFileHandle` in browsers. */
interface FileHandle {
  readonly kind: 'file'
  getFile(): Promise<Blob>
}

/** The used part of `FileSystemDirectoryHandle`. */
interface DirectoryHandle {
  readonly kind: 'directory'
  getFileHandle(name: string): Promise<FileHandle>
}

/**
 * Anything that can be opened: a URL or request (for a directory it ends with `/`), a `Blob` or `File`, bytes, a file or directory handle,
 * an object with `byteLength` and `slice`, which may be asynchronous, or a custom source. A directory holds a sparse frame.
 * `b2nd/node` opens paths.
 */
export type Openable =
  | string
  | URL
  | Request
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | FileHandle
  | DirectoryHandle
  | { byteLength: number; slice(start: number, end: number): ArrayBuffer | Promise<ArrayBuffer> }
  | ByteSource
  | SparseSource

type Sliceable = Extract<Openable, { slice: unknown; byteLength: number }>

/** Creates the source, or returns the bytes if they are already in memory. */
export async function toSource(
  openable: Openable,
  options: HttpOptions,
): Promise<ByteSource | SparseSource | Uint8Array> {
  const { read, part, kind, slice } = Object(openable) as Partial<
    ByteSource & SparseSource & Sliceable & Pick<FileHandle, 'kind'>
  >
  if (typeof read === 'function') return sourceOf(openable as ByteSource)
  if (typeof part === 'function') return sparseOf(openable as SparseSource)
  // Node.js loads `Request` on first use, which takes 20 ms. Files are opened before.
  if (typeof openable === 'string' || openable instanceof URL || openable instanceof Request) {
    const request = requestOf(openable)
    const [, folder, query = ''] = /^([^?#]*\/)([?#].*)?$/.exec(request.url) ?? []
    if (!folder) return httpSource(request, options)
    return { part: number => httpSource(new Request(folder + partName(number) + query, request), options) }
  }
  const bytes = bytesIn(openable)
  if (bytes) return bytes
  if (openable instanceof Blob) return blobSource(openable)
  if (kind) return handleSource(openable as FileHandle | DirectoryHandle)
  if (typeof slice !== 'function') throw unknown()
  const { byteLength } = openable as Sliceable
  check('byteLength', byteLength, position)
  return sliceSource(byteLength, (start, end) => (openable as Sliceable).slice(start, end))
}

const unknown = () => argument('give a URL, bytes, a Blob, a file handle or a source with `read`')

function requestOf(target: string | URL | Request): Request {
  try {
    // `Cache` keeps ranges. The HTTP cache of browsers would run only one request for a URL at a time.
    return target instanceof Request ? target : new Request(target, { cache: 'no-store' })
  } catch (cause) {
    throw argument(`${target as string} is not a URL that can be fetched; b2nd/node opens paths`, { cause })
  }
}

const blobSource = (blob: Blob) => sliceSource(blob.size, (start, end) => blob.slice(start, end).arrayBuffer())

const handleSource = (handle: FileHandle | DirectoryHandle) =>
  handle.kind === 'file'
    ? fileSource(handle)
    : {
        part: (number: number) =>
          handle
            .getFileHandle(partName(number))
            .then(fileSource)
            .catch((cause: unknown) => {
              throw missing(number, cause)
            }),
      }

const fileSource = async (handle: FileHandle) => blobSource(await callSource(() => handle.getFile()))

const sparseOf = (source: SparseSource): SparseSource => ({
  part: async number => sourceOf(await callSource(() => source.part(number))),
  close: () => callSource(() => source.close?.()),
})
