// Decodes files in other formats. This is the script of a worker; pages that cannot start one import it.
import { isB2ndError, type ErrorCode } from '../../js/base/errors.js'
import type { Reading, Values } from './values.js'

export type Kind = 'csv' | 'png' | 'picture' | 'tiff'
type Reader = (file: Blob, name: string, reading: Reading) => Promise<Values>

const readers: Record<Kind, () => Promise<Reader>> = {
  csv: async () => (await import('./csv.js')).readCsv,
  png: async () => (await import('./png.js')).readPng,
  picture: async () => (await import('./picture.js')).readPicture,
  tiff: async () => (await import('./tiff.js')).readTiff,
}

export async function decode(request: Request, reading: Reading): Promise<Values> {
  const { kind, file } = request
  if (kind === 'fortran') {
    const { shape, size } = request
    const { inCOrder } = await import('./npy.js')
    const items = inCOrder(new Uint8Array(await file.arrayBuffer()), shape, size)
    return { dtype: `|V${size}`, shape, items }
  }
  const read = await readers[kind]()
  return read(file, request.name, reading)
}

export type Request =
  | { kind: Kind; file: Blob; name: string }
  /** Items of `size` bytes, which get into C order. */
  | { kind: 'fortran'; file: Blob; shape: readonly number[]; size: number }
/** Several shares may come before one of the others. */
export type Answer = { share: number } | { values: Values } | { error: { code: ErrorCode; message: string } }

interface Port {
  onmessage: (event: { data: Request }) => void
  postMessage(answer: Answer, transfer?: ArrayBufferLike[]): void
}

/** Answers a request. The page ends the worker if it does not wait any more. */
async function answer(port: Port, request: Request): Promise<void> {
  try {
    const { signal } = new AbortController()
    const values = await decode(request, { signal, onProgress: share => port.postMessage({ share }) })
    port.postMessage({ values }, ArrayBuffer.isView(values.items) ? [values.items.buffer] : [])
  } catch (error) {
    const { message } = error as Error
    port.postMessage({ error: { code: isB2ndError(error) ? error.code : 'unsupported', message } })
  }
}

if (!('document' in globalThis)) {
  const port = globalThis as unknown as Port
  port.onmessage = ({ data }) => void answer(port, data)
}
