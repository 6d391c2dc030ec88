import { B2ndError } from '../errors.js'
import type { ByteSource } from './source.js'

/** How to ask. A function of this shape can sign requests, or answer them itself. */
export type Fetch = (request: Request) => Promise<Response>

export interface HttpOptions {
  fetch?: Fetch
  /** How often a request is repeated that failed in a way that may pass. 4 by default. */
  retries?: number
  /** A body as large as this is taken even from a server that does not serve parts. 8 MiB by default. */
  wholeUpTo?: number
}

/** Statuses that may be others soon. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504])

/** The longest wait before a request is repeated, in milliseconds. */
const LONGEST = 20_000

/**
 * A file behind a URL, read by ranges. Never asks HEAD, which signed URLs forbid, nor for suffixes, which cost a CORS
 * preflight; a frame tells its own length.
 */
export function ofUrl(target: string | URL | Request, options: HttpOptions = {}): ByteSource {
  return new HttpSource(target, options)
}

class HttpSource implements ByteSource {
  size?: number
  #target: string | URL | Request
  #options: HttpOptions
  /** What told one version of the file from another, when it was first seen. */
  #stamp?: string
  /** The whole file, from a server that would give nothing less. */
  #whole?: Uint8Array

  constructor(target: string | URL | Request, options: HttpOptions) {
    this.#target = target
    this.#options = options
  }

  get #url(): string {
    return this.#target instanceof Request ? this.#target.url : String(this.#target)
  }

  async read(offset: number, length: number, { signal }: { signal?: AbortSignal } = {}): Promise<Uint8Array> {
    if (this.#whole) return this.#whole.subarray(offset, offset + length)
    const end = Math.min(offset + length, this.size ?? Infinity)
    if (end <= offset) return new Uint8Array()
    const retries = this.#options.retries ?? 4
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(offset, end, signal)
      } catch (error) {
        signal?.throwIfAborted()
        if (attempt >= retries || !(error instanceof Passing)) throw error instanceof Passing ? error.error : error
        await pause(error.after ?? 250 * 2 ** attempt * (0.75 + 0.5 * Math.random()), signal)
      }
    }
  }

  async #attempt(offset: number, end: number, signal?: AbortSignal): Promise<Uint8Array> {
    const response = await this.#ask(offset, end, signal)
    const { status } = response
    if (status === 206) return this.#part(response, offset, end)
    if (status === 200) return this.#all(response, offset, end)
    await response.body?.cancel().catch(() => {})
    if (status === 416) return new Uint8Array()
    const error = this.#error('http', `the server answered ${status}${response.statusText && ` ${response.statusText}`}`, { status })
    throw PASSING.has(status) ? new Passing(error, retryAfter(response)) : error
  }

  async #ask(offset: number, end: number, signal?: AbortSignal): Promise<Response> {
    const request = new Request(this.#target, { signal: signal ?? null })
    request.headers.set('Range', `bytes=${offset}-${end - 1}`)
    try {
      return await (this.#options.fetch ?? fetch)(request)
    } catch (cause) {
      const hint = 'the network failed, or the server does not allow this page to read from it (CORS)'
      throw new Passing(this.#error('network', `no answer: ${hint}`, { cause }))
    }
  }

  async #part(response: Response, offset: number, end: number): Promise<Uint8Array> {
    this.#compare(response)
    const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '')
    const encoding = response.headers.get('content-encoding')
    if (encoding && encoding !== 'identity') {
      throw this.#error('not-ranged', `the server compresses parts of files (${encoding}), which says nothing about their place`)
    }
    if (range && Number(range[1]) !== offset) {
      throw this.#error('not-ranged', `asked for bytes from ${offset} on, the server sent those from ${range[1]} on`)
    }
    const total = range && range[3] !== '*' ? Number(range[3]) : undefined
    this.size ??= total
    // CORS may hide Content-Range; then only the length tells.
    const promised = range ? Number(range[2]) + 1 - offset : undefined
    const bytes = await this.#body(response)
    if (bytes.length > end - offset || (promised !== undefined && bytes.length > promised)) {
      throw this.#error('not-ranged', `asked for ${end - offset} bytes, the server sent ${bytes.length}`)
    }
    const least = Math.min(end, total ?? (range ? offset + promised! : end)) - offset
    if (bytes.length < least && (range || bytes.length === 0)) {
      throw new Passing(this.#error('network', `asked for ${least} bytes, the connection ended after ${bytes.length}`))
    }
    return bytes
  }

  /** A server that ignores ranges is put up with for small files. */
  async #all(response: Response, offset: number, end: number): Promise<Uint8Array> {
    this.#compare(response)
    const most = this.#options.wholeUpTo ?? 8 << 20
    const bytes = await this.#upTo(response, most)
    if (!bytes) throw this.#error('not-ranged', 'the server sends whole files only, and this one is large')
    this.#whole = bytes
    this.size = bytes.length
    return bytes.subarray(offset, end)
  }

  /** The body, if it is no longer than that. */
  async #upTo(response: Response, most: number): Promise<Uint8Array | undefined> {
    if (Number(response.headers.get('content-length') ?? 0) > most) {
      await response.body?.cancel().catch(() => {})
      return undefined
    }
    const parts: Uint8Array[] = []
    let length = 0
    const reader = response.body?.getReader()
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      length += next.value.length
      if (length > most) {
        await reader?.cancel().catch(() => {})
        return undefined
      }
      parts.push(next.value)
    }
    const promised = response.headers.get('content-encoding') ? null : response.headers.get('content-length')
    if (promised && length < Number(promised)) {
      throw new Passing(this.#error('network', `the connection ended after ${length} of ${promised} bytes`))
    }
    const bytes = new Uint8Array(length)
    let at = 0
    for (const part of parts) {
      bytes.set(part, at)
      at += part.length
    }
    return bytes
  }

  async #body(response: Response): Promise<Uint8Array> {
    try {
      return new Uint8Array(await response.arrayBuffer())
    } catch (cause) {
      throw new Passing(this.#error('network', 'the connection ended early', { cause }))
    }
  }

  #compare(response: Response): void {
    const { headers } = response
    // Weak tags may differ from server to server of one site, and so may times.
    const stamp = headers.get('etag') ?? headers.get('last-modified') ?? undefined
    this.#stamp ??= stamp
    if (stamp && stamp !== this.#stamp) {
      void response.body?.cancel().catch(() => {})
      throw this.#error('changed', 'the file has changed on the server since it was opened')
    }
  }

  #error(code: 'http' | 'network' | 'not-ranged' | 'changed', message: string, details: { status?: number; cause?: unknown } = {}) {
    return new B2ndError(code, `${message} (${this.#url})`, { url: this.#url, ...details })
  }
}

/** An error that another try may not meet. */
class Passing {
  constructor(
    readonly error: B2ndError,
    readonly after?: number,
  ) {}
}

/** What the server asks to wait, in milliseconds. */
function retryAfter({ headers }: Response): number | undefined {
  const value = headers.get('retry-after')
  if (!value) return undefined
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST)
}

function pause(time: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, Math.min(time, LONGEST))
    signal?.addEventListener('abort', stop, { once: true })
  })
}
