import { joined } from '../base/bytes.js'
import { B2ndError, foreign, shown, type ErrorCode, type ErrorDetails } from '../base/errors.js'
import { retrying, Retry } from './retry.js'
import type { ByteSource, ReadOptions } from './source.js'

/** How to fetch. */
export interface HttpOptions {
  /**
   * Instead of the global `fetch`: to sign, to add headers, to go through a proxy. Every request that it gets is for the URL that
   * was opened; without it, later ones are for where a redirect led.
   */
  fetch?: ((request: Request) => Promise<Response>) | undefined
  /**
   * How often a request is repeated that failed for a reason that may pass. 4 unless told otherwise. It is not where the server
   * wants it to be more than 30 seconds later.
   */
  retries?: number | undefined
  /** Up to this size a file is taken whole from a server that cannot send parts. 16 MiB unless told otherwise. */
  maxWhole?: number | undefined
}

/** Bytes behind a URL, through range requests: never HEAD, never a suffix range, so that signed URLs and CORS suffice. */
export function httpSource(base: Request, options: HttpOptions): ByteSource {
  const { retries = 4, maxWhole = 2 ** 24 } = options
  const { url } = base
  let size: number | undefined
  let stamp: string | undefined
  /** The file, if the server sends nothing less. */
  let whole: Uint8Array | undefined
  let reached = false
  /** Where a redirect led: later ranges are asked for there. */
  let moved: Request | undefined
  /** How often what a redirect led to may fail, until redirects are followed anew each time. */
  let trust = 2

  const failed = (code: ErrorCode, message: string, details?: ErrorDetails) =>
    new B2ndError(code, `${url}: ${message}`, { url, ...details })

  const broken = (cause: unknown): never => {
    throw new Retry(failed('network', 'the connection broke', { cause }))
  }

  /** What tells versions of the file apart, as far as the server shows it, has to stay what it was. */
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
    // A server may send less than it was asked for.
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
        // Signed addresses expire.
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
      // What is left of the body would keep the connection busy.
      if (!response.bodyUsed) response.body?.cancel().catch(() => {})
    }
    // Nothing is there.
    if (status === 416 && !(offset < size!)) return new Uint8Array()
    const after = response.headers.get('retry-after')
    const again = after ? ` (Retry-After: ${after})` : ''
    const error = failed('http', `HTTP status ${status} ${response.statusText}`.trimEnd() + again, { status })
    // It may pass: too slow, too much, or the server failed, unless that is for what it cannot do.
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
      if (!(cause instanceof TypeError)) throw foreign('network', `${url}: \`fetch\` failed`, cause, { url })
      if (reached) return broken(cause)
      // A server that has never been reached, and one that forbids, will hardly change its mind.
      throw new Retry(failed('network', unreachable(cause), { cause }), '', 1)
    }
    if (typeof response?.arrayBuffer !== 'function')
      throw failed('source', `\`fetch\` gave ${shown(response)} and no Response`)
    reached = true
    // A function of the caller's may sign or send elsewhere what it is given: that stays what it was.
    if (response.ok && response.redirected && target === base && trust && !options.fetch)
      moved = redirected(base, response.url)
    return response
  }

  async function part(response: Response, offset: number, length: number): Promise<Uint8Array> {
    // Absent where CORS hides it.
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

  /** The server ignores ranges. */
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

  return { read }
}

/** The request for where a redirect led. Another origin gets no credentials, as when `fetch` follows. */
function redirected(base: Request, url: string): Request {
  const request = new Request(url, base)
  if (new URL(url).origin !== new URL(base.url).origin) request.headers.delete('authorization')
  return request
}

/** Why nothing came. Browsers do not tell. */
function unreachable({ message, cause }: Error): string {
  const inner = cause as (Error & { code?: string }) | undefined
  const why = inner?.message || inner?.code || message
  return /redirect/.test(why)
    ? `redirects in a circle: ${why}`
    : `cannot be reached, redirects in a circle, or does not allow this page to read it (CORS): ${why}`
}
