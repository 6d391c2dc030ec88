import { joined } from '../base/bytes.js'
import { B2ndError, wrapError, formatValue, type ErrorCode, type ErrorDetails } from '../base/errors.js'
import { retrying, TransientError } from './retry.js'
import type { ByteSource, ReadOptions } from './source.js'

/** Options of HTTP requests. */
export interface HttpOptions {
  /**
   * Replaces the global `fetch`, for example to sign requests, add headers or use a proxy. It always gets the URL that was
   * opened. Without it, requests after a redirect go to the final URL.
   */
  fetch?: ((request: Request) => Promise<Response>) | undefined
  /**
   * The number of retries after a transient failure. Default: 4. There is no retry if the server asks to wait more than 30
   * seconds.
   */
  retries?: number | undefined
  /** The largest file in bytes to download whole from a server without range requests. Default: 16 MiB. */
  maxWhole?: number | undefined
}

/** A source for a URL. It uses no HEAD and no suffix ranges, so it works with signed URLs and simple CORS rules. */
export const httpSource = (base: Request, options: HttpOptions): ByteSource => new HttpSource(base, options)

/** A range of bytes that is asked for. */
interface Asked {
  offset: number
  length: number
  signal: AbortSignal | undefined
}

class HttpSource implements ByteSource {
  /** Known after the first read. */
  size: number | undefined
  readonly #base: Request
  readonly #options: HttpOptions
  /** The mark of the version of the file. */
  #stamp: string | undefined
  /** The whole file, if the server does not support ranges. */
  #whole: Uint8Array | undefined
  #reached = false
  /** The target of a redirect, for later requests. */
  #moved: Request | undefined
  /** The number of failures of a redirect's target after which every request follows the redirect again. */
  #trust = 2

  constructor(base: Request, options: HttpOptions) {
    this.#base = base
    this.#options = options
  }

  async read(offset: number, length: number, { signal }: ReadOptions = {}): Promise<Uint8Array> {
    if (this.#whole) return this.#whole.subarray(offset, offset + length)
    const { retries = 4 } = this.#options
    const bytes = await retrying(retries, signal, () => this.#attempt({ offset, length, signal }))
    const end = offset + bytes.length
    if (!bytes.length || bytes.length === length || !(end < this.size!)) return bytes
    // A server may send less than the requested range.
    return joined([bytes, await this.read(end, length - bytes.length, { signal })], Uint8Array)
  }

  /** Asks the target of the last redirect, or else the URL itself. */
  async #attempt(asked: Asked): Promise<Uint8Array> {
    const target = this.#moved
    if (target) {
      try {
        const bytes = await this.#answered(target, asked)
        this.#trust = 2
        return bytes
      } catch {
        asked.signal?.throwIfAborted()
        // Signed URLs expire.
        if (this.#moved === target) {
          this.#moved = undefined
          this.#trust--
        }
      }
    }
    return this.#answered(this.#base, asked)
  }

  async #answered(target: Request, asked: Asked): Promise<Uint8Array> {
    const response = await this.#ask(target, asked)
    try {
      const bytes = await this.#bytes(response, asked)
      if (bytes) return bytes
    } finally {
      // An unread body would keep the connection busy.
      if (!response.bodyUsed) response.body?.cancel().catch(() => {})
    }
    // The range begins beyond the end.
    if (response.status === 416 && !(asked.offset < this.size!)) return new Uint8Array()
    throw this.#refused(response)
  }

  async #ask(target: Request, { offset, length, signal }: Asked): Promise<Response> {
    const request = new Request(target, { signal: signal ?? target.signal })
    request.headers.set('range', `bytes=${offset}-${offset + length - 1}`)
    let response
    try {
      response = await (this.#options.fetch ?? fetch)(request)
    } catch (cause) {
      signal?.throwIfAborted()
      throw this.#unreached(cause)
    }
    if (typeof response?.arrayBuffer !== 'function')
      throw this.#failed('source', `\`fetch\` gave ${formatValue(response)} and no Response`)
    this.#reached = true
    // A custom `fetch` may sign or redirect requests itself: it always gets the original URL.
    if (response.ok && response.redirected && target === this.#base && this.#trust && !this.#options.fetch)
      this.#moved = redirected(target, response.url)
    return response
  }

  /** The bytes of an answer; `undefined` if it has none. */
  async #bytes(response: Response, asked: Asked): Promise<Uint8Array | undefined> {
    const { status, headers } = response
    const encoding = headers.get('content-encoding') ?? 'identity'
    if (status === 206 && encoding !== 'identity')
      throw this.#failed('source', `the server compresses (${encoding}) the part that it sends`)
    if (response.ok) this.#stamp = this.#same(this.#stamp, headers.get('etag') ?? headers.get('last-modified'))
    if (status === 206) return this.#part(response, asked)
    if (status !== 200) return undefined
    this.#whole = await this.#all(response)
    return this.#whole.subarray(asked.offset, asked.offset + asked.length)
  }

  async #part(response: Response, { offset, length }: Asked): Promise<Uint8Array> {
    // CORS may hide this header.
    const [sent, first, last, total] =
      /^bytes (\d+)-(\d+)\/(\d+|\*)/.exec(response.headers.get('content-range') ?? '') ?? []
    const promised = sent ? Number(last) + 1 - offset : Number(response.headers.get('content-length'))
    if (sent && (Number(first) !== offset || promised > length || promised < 1))
      throw this.#failed('source', `bytes ${offset}-${offset + length - 1} asked for, ${sent} sent`)
    this.size = this.#same(this.size, Number(total) || undefined)
    const bytes = new Uint8Array(await response.arrayBuffer().catch(this.#broken))
    if (bytes.length > length) throw this.#failed('source', `${length} bytes asked for, ${bytes.length} sent`)
    if (bytes.length < promised)
      throw new TransientError(this.#failed('network', `${promised} bytes promised, ${bytes.length} sent`))
    return bytes
  }

  /** Reads the whole file from a server that ignores ranges. */
  async #all(response: Response): Promise<Uint8Array> {
    const { maxWhole = 2 ** 24 } = this.#options
    const pieces: Uint8Array[] = []
    let length = 0
    for (const reader = response.body?.getReader(); reader;) {
      const { value } = await reader.read().catch(this.#broken)
      if (!value) break
      length += value.length
      if (Math.max(length, Number(response.headers.get('content-length'))) > maxWhole) {
        void reader.cancel()
        throw this.#failed('not-ranged', `the server sends only whole files, and this one is over ${maxWhole} bytes`)
      }
      pieces.push(value)
    }
    this.size = length
    return joined(pieces, Uint8Array)
  }

  /** Fails if a property that identifies the version of the file has changed. */
  #same<T>(known: T | undefined, now: T | null | undefined): T | undefined {
    if (known !== undefined && (now ?? known) !== known)
      throw this.#failed('changed', 'the file has changed since it was opened')
    return now ?? known
  }

  #failed(code: ErrorCode, message: string, details?: ErrorDetails): B2ndError {
    const { url } = this.#base
    return new B2ndError(code, `${url}: ${message}`, { url, ...details })
  }

  readonly #broken = (cause: unknown): never => {
    throw new TransientError(this.#failed('network', 'the connection broke', { cause }))
  }

  /** The error if `fetch` fails. */
  #unreached(cause: unknown): Error {
    const { url } = this.#base
    if (!(cause instanceof TypeError)) return wrapError('network', `${url}: \`fetch\` failed`, cause, { url })
    if (this.#reached) return this.#broken(cause)
    // A server that was never reached, or that forbids access, is retried only once.
    return new TransientError(this.#failed('network', unreachable(cause), { cause }), '', 1)
  }

  /** The error of an answer without bytes. */
  #refused({ status, statusText, headers }: Response): Error {
    const after = headers.get('retry-after')
    const again = after ? ` (Retry-After: ${after})` : ''
    const error = this.#failed('http', `HTTP status ${status} ${statusText}`.trimEnd() + again, { status })
    // Transient: timeout, too many requests, and server errors except 501 and 505.
    return /408|429|5(?!01|05)../.test(`${status}`) ? new TransientError(error, after) : error
  }
}

/** Creates the request for the target of a redirect. As in `fetch`, another origin gets no credentials. */
function redirected(base: Request, url: string): Request {
  const request = new Request(url, base)
  if (new URL(url).origin !== new URL(base.url).origin) request.headers.delete('authorization')
  return request
}

/** Describes why a server cannot be reached. Browsers do not disclose the reason. */
function unreachable({ message, cause }: Error): string {
  const inner = cause as (Error & { code?: string }) | undefined
  const why = inner?.message || inner?.code || message
  return /redirect/.test(why)
    ? `redirect loop: ${why}`
    : `cannot be reached, redirect loop, or forbidden by CORS: ${why}`
}
