import { B2ndError, argument } from '../errors.js'
import { joined } from '../lists.js'
import { retrying, Retry } from './retry.js'
import type { ByteSource, ReadOptions } from './source.js'

/** How to fetch. */
export interface HttpOptions {
  /** Instead of the global `fetch`: to sign, to add headers, to go through a proxy. */
  fetch?: (request: Request) => Promise<Response>
  /** How often a request is repeated that failed for a reason that may pass. 4 unless told otherwise. */
  retries?: number
  /** Up to this size a file is taken whole from a server that cannot send parts. 16 MiB unless told otherwise. */
  maxWhole?: number
}

/** Bytes behind a URL, through range requests: never HEAD, never a suffix range, so that signed URLs and CORS suffice. */
export class HttpSource implements ByteSource {
  size: number | undefined
  stamp: string | undefined
  readonly url: string
  readonly #request: Request
  readonly #options: HttpOptions
  /** The file, if the server sends nothing less. */
  #whole: Uint8Array | undefined
  #reached = false

  constructor(target: string | URL | Request, options: HttpOptions = {}) {
    try {
      // Ranges are cached here. The browser's cache would let only one request for a URL proceed at a time.
      this.#request = target instanceof Request ? target : new Request(target, { cache: 'no-store' })
    } catch (cause) {
      throw argument(`${String(target)} is not a URL that can be fetched`, cause)
    }
    this.url = this.#request.url
    this.#options = options
  }

  async read(offset: number, length: number, options: ReadOptions = {}): Promise<Uint8Array> {
    const { signal } = options
    signal?.throwIfAborted()
    if (length <= 0) return new Uint8Array()
    if (this.#whole) return this.#whole.subarray(offset, offset + length)
    const bytes = await retrying(this.#options.retries ?? 4, signal, () => this.#attempt(offset, length, signal))
    const end = offset + bytes.length
    if (bytes.length === 0 || bytes.length === length || !(end < (this.size ?? 0))) return bytes
    // A server may send less than it was asked for.
    const rest = await this.read(end, length - bytes.length, options)
    return joined([bytes, rest])
  }

  async #attempt(offset: number, length: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const response = await this.#fetch(offset, length, signal)
    const { status } = response
    try {
      if (status === 206) return await this.#part(response, offset, length)
      if (status === 200) return (await this.#all(response)).subarray(offset, offset + length)
    } finally {
      // What is left of the body would keep the connection busy.
      if (!response.bodyUsed) void response.body?.cancel().catch(() => {})
    }
    // Nothing is there.
    if (status === 416 && !(offset < (this.size ?? 0))) return new Uint8Array()
    const error = this.#error('http', `HTTP status ${status} ${response.statusText}`.trimEnd(), { status })
    const passing = status === 429 || status === 408 || (status >= 500 && status !== 501 && status !== 505)
    throw passing ? new Retry(error, response.headers.get('retry-after')) : error
  }

  async #fetch(offset: number, length: number, signal: AbortSignal | undefined): Promise<Response> {
    const headers = new Headers(this.#request.headers)
    headers.set('range', `bytes=${offset}-${offset + length - 1}`)
    const request = new Request(this.#request, { headers, signal: signal ?? null })
    try {
      const response = await (this.#options.fetch ?? fetch)(request)
      this.#reached = true
      return response
    } catch (cause) {
      if (signal?.aborted || !(cause instanceof TypeError)) throw cause
      const message = this.#reached
        ? 'the connection failed'
        : 'cannot be reached: no connection, or the server does not allow this page to read it (CORS)'
      // A server that has never been reached, and one that forbids, will hardly change its mind.
      throw new Retry(this.#error('network', message, { cause }), null, this.#reached ? Infinity : 1)
    }
  }

  async #part(response: Response, offset: number, length: number): Promise<Uint8Array> {
    const { headers } = response
    const encoding = headers.get('content-encoding')
    if (encoding && encoding !== 'identity') {
      throw this.#error('source', `the server compresses (${encoding}) the part that it sends: it cannot be read`)
    }
    this.#check(response)
    // Absent where CORS hides it.
    const range = /^bytes (\d+)-(\d+)\/(\d+|\*)/.exec(headers.get('content-range') ?? '')
    let promised = Number(headers.get('content-length') ?? NaN)
    if (range) {
      promised = Number(range[2]) + 1 - offset
      if (Number(range[1]) !== offset || !(promised > 0 && promised <= length)) {
        throw this.#error('source', `bytes ${offset}-${offset + length - 1} asked for, ${range[0]} sent`)
      }
      if (range[3] !== '*') this.#sized(Number(range[3]))
    }
    const bytes = await this.#body(response)
    if (bytes.length > length) throw this.#error('source', `${length} bytes asked for, ${bytes.length} sent`)
    if (bytes.length < promised) {
      throw new Retry(this.#error('network', `${promised} bytes promised, ${bytes.length} sent`))
    }
    return bytes
  }

  /** The server ignores ranges. */
  async #all(response: Response): Promise<Uint8Array> {
    const most = this.#options.maxWhole ?? 2 ** 24
    this.#check(response)
    const pieces: Uint8Array[] = []
    let length = 0
    for (const reader = response.body?.getReader(); reader; ) {
      const { done, value } = await reader.read().catch(cause => this.#broken(cause))
      if (done) break
      length += value.length
      if (Math.max(length, Number(response.headers.get('content-length'))) > most) {
        void reader.cancel()
        throw this.#error('not-ranged', `the server sends only whole files, and this one is over ${most} bytes`)
      }
      pieces.push(value)
    }
    this.size = length
    return (this.#whole = joined(pieces))
  }

  async #body(response: Response): Promise<Uint8Array> {
    return new Uint8Array(await response.arrayBuffer().catch(cause => this.#broken(cause)))
  }

  #broken(cause: unknown): never {
    // Aborted: the caller's signal tells why.
    if (cause instanceof Error && cause.name === 'AbortError') throw cause
    throw new Retry(this.#error('network', 'the connection broke', { cause }))
  }

  /** Compares what tells versions of the file apart, as far as the server shows it. */
  #check({ headers }: Response): void {
    const stamp = headers.get('etag') ?? headers.get('last-modified') ?? undefined
    if (this.stamp !== undefined && stamp !== undefined && stamp !== this.stamp) throw this.#changed()
    this.stamp ??= stamp
  }

  #sized(size: number): void {
    if (this.size !== undefined && this.size !== size) throw this.#changed()
    this.size = size
  }

  #changed(): B2ndError {
    return this.#error('changed', 'the file has changed since it was opened')
  }

  #error(code: 'http' | 'network' | 'not-ranged' | 'changed' | 'source', message: string, details = {}): B2ndError {
    return new B2ndError(code, `${this.url}: ${message}`, { url: this.url, ...details })
  }
}
