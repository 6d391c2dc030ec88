import { joined } from '../base/bytes.js'
import { B2ndError, wrapError, formatValue, type ErrorCode, type ErrorDetails } from '../base/errors.js'
import { retrying, Retry } from './retry.js'
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
export function httpSource(base: Request, options: HttpOptions): ByteSource {
  const { retries = 4, maxWhole = 2 ** 24 } = options
  const { url } = base
  let size: number | undefined
  let stamp: string | undefined
  /** The whole file, if the server does not support ranges. */
  let whole: Uint8Array | undefined
  let reached = false
  /** The target of a redirect, for later requests. */
  let moved: Request | undefined
  /** The number of failures of a redirect's target after which every request follows the redirect again. */
  let trust = 2

  const failed = (code: ErrorCode, message: string, details?: ErrorDetails) =>
    new B2ndError(code, `${url}: ${message}`, { url, ...details })

  const broken = (cause: unknown): never => {
    throw new Retry(failed('network', 'the connection broke', { cause }))
  }

  /** Fails if a property that identifies the version of the file has changed. */
  const same = <T>(known: T | undefined, now: T | null | undefined): T | undefined => {
    if (known !== undefined && (now ?? known) !== known)
      throw failed('changed', 'the file has changed since it was opened')
    return now ?? known
  }

  async function read(offset: number, length: number, { signal }: ReadOptions = {}): Promise<Uint8Array> {
    if (whole) return whole.subarray(offset, offset + length)
    const bytes = await retrying(retries, signal, () => attempt(offset, length, signal))
    const end = offset + bytes.length
    if (!bytes.length || bytes.length === length || !(end < size!)) return bytes
    // A server may send less than the requested range.
    return joined([bytes, await read(end, length - bytes.length, { signal })], Uint8Array)
  }

  async function attempt(offset: number, length: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const target = moved
    if (target) {
      try {
        const bytes = await answered(target, offset, length, signal)
        trust = 2
        return bytes
      } catch {
        signal?.throwIfAborted()
        // Signed URLs expire.
        if (moved === target) {
          moved = undefined
          trust--
        }
      }
    }
    return answered(base, offset, length, signal)
  }

  async function answered(
    target: Request,
    offset: number,
    length: number,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const response = await ask(target, `bytes=${offset}-${offset + length - 1}`, signal)
    const { status } = response
    try {
      const encoding = response.headers.get('content-encoding') ?? 'identity'
      if (status === 206 && encoding !== 'identity') {
        throw failed('source', `the server compresses (${encoding}) the part that it sends`)
      }
      if (response.ok) stamp = same(stamp, response.headers.get('etag') ?? response.headers.get('last-modified'))
      if (status === 206) return await part(response, offset, length)
      if (status === 200) return (whole = await all(response)).subarray(offset, offset + length)
    } finally {
      // An unread body would keep the connection busy.
      if (!response.bodyUsed) response.body?.cancel().catch(() => {})
    }
    // The range begins beyond the end.
    if (status === 416 && !(offset < size!)) return new Uint8Array()
    const after = response.headers.get('retry-after')
    const again = after ? ` (Retry-After: ${after})` : ''
    const error = failed('http', `HTTP status ${status} ${response.statusText}`.trimEnd() + again, { status })
    // Transient: timeout, too many requests, and server errors except 501 and 505.
    throw /408|429|5(?!01|05)../.test(`${status}`) ? new Retry(error, after) : error
  }

  async function ask(target: Request, range: string, signal: AbortSignal | undefined): Promise<Response> {
    const request = new Request(target, { signal: signal ?? target.signal })
    request.headers.set('range', range)
    let response
    try {
      response = await (options.fetch ?? fetch)(request)
    } catch (cause) {
      signal?.throwIfAborted()
      if (!(cause instanceof TypeError)) throw wrapError('network', `${url}: \`fetch\` failed`, cause, { url })
      if (reached) return broken(cause)
      // A server that was never reached, or that forbids access, is retried only once.
      throw new Retry(failed('network', unreachable(cause), { cause }), '', 1)
    }
    if (typeof response?.arrayBuffer !== 'function')
      throw failed('source', `\`fetch\` gave ${formatValue(response)} and no Response`)
    reached = true
    // A custom `fetch` may sign or redirect requests itself: it always gets the original URL.
    if (response.ok && response.redirected && target === base && trust && !options.fetch)
      moved = redirected(base, response.url)
    return response
  }

  async function part(response: Response, offset: number, length: number): Promise<Uint8Array> {
    // CORS may hide this header.
    const [sent, first, last, total] =
      /^bytes (\d+)-(\d+)\/(\d+|\*)/.exec(response.headers.get('content-range') ?? '') ?? []
    const promised = sent ? Number(last) + 1 - offset : Number(response.headers.get('content-length'))
    if (sent && (Number(first) !== offset || promised > length || promised < 1)) {
      throw failed('source', `bytes ${offset}-${offset + length - 1} asked for, ${sent} sent`)
    }
    size = same(size, Number(total) || undefined)
    const bytes = new Uint8Array(await response.arrayBuffer().catch(broken))
    if (bytes.length > length) throw failed('source', `${length} bytes asked for, ${bytes.length} sent`)
    if (bytes.length < promised) throw new Retry(failed('network', `${promised} bytes promised, ${bytes.length} sent`))
    return bytes
  }

  /** Reads the whole file from a server that ignores ranges. */
  async function all(response: Response): Promise<Uint8Array> {
    const pieces: Uint8Array[] = []
    let length = 0
    for (const reader = response.body?.getReader(); reader;) {
      const { value } = await reader.read().catch(broken)
      if (!value) break
      length += value.length
      if (Math.max(length, Number(response.headers.get('content-length'))) > maxWhole) {
        void reader.cancel()
        throw failed('not-ranged', `the server sends only whole files, and this one is over ${maxWhole} bytes`)
      }
      pieces.push(value)
    }
    size = length
    return joined(pieces, Uint8Array)
  }

  return {
    read,
    /** Known after the first read. */
    get size() {
      return size
    },
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
