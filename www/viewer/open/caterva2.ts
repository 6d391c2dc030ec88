// A server of Caterva2: the datasets of its roots are members, which are read in ranges, or computed by the server.
import { B2ndError, open, type Attributes, type NDArray, type OpenOptions, type SChunk } from '../../js/index.js'
import type { Account, Members } from '../model/members.js'

/** Datasets that are arrays or frames, and files whose leaves are. */
const FRAME = /\.(?:b2nd|b2frame)$/i
const CONTAINER = /\.(?:b2z|h5|hdf5)$/i
/** Leaves of files of HDF5, whose chunks are no frames. */
const FOREIGN = /\.(?:h5|hdf5)\//i
/** The root that anybody may read. */
const PUBLIC = '@public'
/** The bytes of an array that the server computes, which comes as a whole. */
const MAX_COMPUTED = 2 ** 28

/** The server at an address that ends with a slash; `null` if there is none. */
export async function serverAt(url: string, options: OpenOptions): Promise<Members | null> {
  const server = new Server(new URL('api/', url), options.signal)
  const roots = await server.roots()
  if (!roots) return null
  const [keys, account] = await Promise.all([keysOf(server, roots), server.account(roots)])
  return new ServerMembers(server, keys, account)
}

/** Its calls. */
class Server {
  readonly #api: URL
  readonly #signal: AbortSignal | undefined

  constructor(api: URL, signal: AbortSignal | undefined) {
    this.#api = api
    this.#signal = signal
  }

  url(call: string, path: string): string {
    return new URL(`${call}/${path.split('/').map(encodeURIComponent).join('/')}`, this.#api).href
  }

  get(url: string, signal = this.#signal): Promise<Response> {
    return this.#ask(url, signal ? { signal } : {})
  }

  async #ask(url: string, init: RequestInit): Promise<Response> {
    const response = await fetch(url, init).catch((cause: unknown) => {
      init.signal?.throwIfAborted()
      throw new B2ndError('network', `${url}: cannot be reached`, { url, cause })
    })
    const { ok, status } = response
    if (!ok) throw new B2ndError('http', `${url}: HTTP status ${status}`, { url, status })
    return response
  }

  async json(call: string, path: string, signal?: AbortSignal): Promise<unknown> {
    return (await this.get(this.url(call, path), signal)).json()
  }

  /** Where the page has the origin of the server: browsers send the cookie of an account to no other. */
  async account(roots: readonly string[]): Promise<Account | undefined> {
    if (this.#api.origin !== location.origin) return undefined
    const address = (call: string) => new URL(`../auth/jwt/${call}`, this.#api).href
    const { status } = await fetch(address('login')).catch(() => ({ status: 0 }))
    // It takes only POST.
    if (status !== 405) return undefined
    const post = async (call: string, body?: URLSearchParams) =>
      void (await this.#ask(address(call), { method: 'POST', ...(body && { body }) }))
    return {
      isSignedIn: roots.some(root => root !== PUBLIC),
      signIn: (username, password) => post('login', new URLSearchParams({ username, password })),
      signOut: () => post('logout'),
    }
  }

  /** The names of the roots that the user may read; `null` if this is no such server. */
  async roots(): Promise<string[] | null> {
    try {
      const roots = (await (await this.get(new URL('roots', this.#api).href)).json()) as Record<
        string,
        { name?: unknown }
      >
      const names = Object.keys(roots)
      return names.length && names.every(name => roots[name]?.name === name) ? names : null
    } catch {
      this.#signal?.throwIfAborted()
      return null
    }
  }

  /** The paths below a root, or the leaves of a file. */
  async list(path: string): Promise<string[]> {
    const names = await this.json('list', path)
    return Array.isArray(names) ? names.filter(name => typeof name === 'string') : []
  }
}

async function keysOf(server: Server, roots: readonly string[]): Promise<string[]> {
  const inRoot = async (root: string) => {
    const paths = (await server.list(root)).map(name => `${root}/${name}`)
    // A file that cannot be listed hides no other.
    const leaves = paths
      .filter(path => CONTAINER.test(path))
      .map(async path => (await server.list(path).catch(() => [])).map(name => `${path}/${name}`))
    return [...paths.filter(path => FRAME.test(path)), ...(await Promise.all(leaves)).flat()]
  }
  return (await Promise.all(roots.map(inRoot))).flat().map(path => `/${path}`)
}

class ServerMembers implements Members {
  readonly kind = 'Caterva2 server'
  readonly #server: Server
  readonly #keys: readonly string[]

  constructor(
    server: Server,
    keys: readonly string[],
    readonly account: Account | undefined,
  ) {
    this.#server = server
    this.#keys = keys.toSorted()
  }

  keys(): string[] {
    return [...this.#keys]
  }

  /** The address of the frame of a dataset. */
  urlOf(key: string): string {
    return this.#server.url('fetch', key.slice(1))
  }

  async get(key: string, options: OpenOptions): Promise<NDArray | SChunk> {
    const facts = Object(await this.#server.json('info', key.slice(1), options.signal)) as Facts
    // Of leaves the server does not tell it.
    const isStored = facts.accept_ranges ? facts.accept_ranges === 'bytes' : facts.schunk && !FOREIGN.test(key)
    return open(isStored ? this.urlOf(key) : await this.#computed(key, facts, options), options)
  }

  /** The frame that the server makes of a lazy array, or of one in another format. */
  async #computed(key: string, { shape }: Facts, { signal }: OpenOptions): Promise<Blob> {
    const url = this.urlOf(key)
    const items = (shape ?? []).reduce((product, length) => product * length, 1)
    // No dtype has fewer bytes; what comes counts, too.
    if (items > MAX_COMPUTED) throw tooLarge(url)
    const response = await this.#server.get(url, signal)
    const pieces: Uint8Array<ArrayBuffer>[] = []
    let length = 0
    for (const reader = response.body!.getReader(); ;) {
      const { value } = await reader.read()
      if (!value) return new Blob(pieces)
      length += value.length
      if (length > MAX_COMPUTED) {
        void reader.cancel()
        throw tooLarge(url)
      }
      pieces.push(value)
    }
  }

  async attrs(): Promise<Attributes> {
    return {}
  }

  async close(): Promise<void> {}
}

/** The facts that the server has of a dataset. */
interface Facts {
  shape?: readonly number[]
  schunk?: unknown
  /** Whether ranges can be read: `bytes` or `none`. */
  accept_ranges?: string | null
}

const tooLarge = (url: string) =>
  new B2ndError(
    'limit',
    `${url}: the server computes this array and sends it as a whole, of over ${MAX_COMPUTED} bytes`,
  )
