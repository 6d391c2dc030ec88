// The bytes of a file in another format: the first ones, by which it is known, and the whole.
import { B2ndError, type ByteSource, type Openable } from '../../js/index.js'
import { checkSize } from './values.js'

/** The number of bytes to examine. */
const HEAD = 1024

const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

/** A source of a known size, such as a file of a notebook's kernel. */
const isSized = (openable: Openable): openable is ByteSource & { size: number } =>
  typeof openable === 'object' && 'read' in openable && 'size' in openable && typeof openable.size === 'number'

/** Bytes to read at a time. */
const PIECE = 2 ** 24

/** The first bytes of a file as characters; `null` if it is no single file. */
export async function headOf(openable: Openable): Promise<string | null> {
  if (openable instanceof Blob) return text(new Uint8Array(await openable.slice(0, HEAD).arrayBuffer()))
  if (isSized(openable)) return text(await openable.read(0, Math.min(HEAD, openable.size), {}))
  if (typeof openable === 'object' && 'kind' in openable && openable.kind === 'file')
    return headOf(await openable.getFile())
  if (typeof openable !== 'string' || openable.endsWith('/')) return null
  const response = await fetch(openable, { headers: { range: `bytes=0-${HEAD - 1}` } })
  // An empty file has no such range.
  if (response.status === 416) return ''
  const reader = response.body!.getReader()
  const { value } = await reader.read()
  void reader.cancel()
  return text(value?.subarray(0, HEAD) ?? new Uint8Array())
}

/** The file itself, or that behind a URL, which is loaded whole. */
export async function blobOf(openable: Openable, signal: AbortSignal | undefined): Promise<Blob> {
  if (openable instanceof Blob) return openable
  if (typeof openable === 'object' && 'getFile' in openable) return openable.getFile()
  if (isSized(openable)) {
    checkSize(openable.size, 'the file')
    const pieces: Uint8Array<ArrayBuffer>[] = []
    for (let at = 0; at < openable.size; at += PIECE)
      pieces.push(new Uint8Array(await openable.read(at, Math.min(PIECE, openable.size - at), { signal })))
    return new Blob(pieces)
  }
  const url = openable as string
  const response = await fetch(url, signal ? { signal } : {})
  if (!response.ok) throw new B2ndError('http', `HTTP status ${response.status}`, { url, status: response.status })
  checkSize(Number(response.headers.get('content-length')), url)
  return response.blob()
}
