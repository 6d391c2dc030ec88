// A service worker that caches the page for offline use after the first visit. It does not cache data from other servers.
// It takes no messages, and keeps only files with the content that they had when the viewer was built.

/** The files of the page with their hashes, as the attribute `integrity` has them. */
declare const FILES: Record<string, string>
declare const VERSION: string
declare const self: {
  addEventListener(
    name: string,
    use: (event: {
      waitUntil(p: Promise<unknown>): void
      respondWith(p: Promise<Response>): void
      request: Request
    }) => void,
  ): void
  registration: { scope: string }
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
}

/** All pages of an origin share their caches, and several may have a viewer. */
const [START, END] = ['b2nd-viewer ', ` ${self.registration.scope}`]
const NAME = START + VERSION + END
/** The files of HTTP caches may be older, and those that a network gives instead of the page may be anything. */
const requests = () =>
  Object.entries(FILES).map(([path, integrity]) => new Request(path, { cache: 'no-cache', integrity }))

self.addEventListener('install', event =>
  event.waitUntil(
    caches
      .open(NAME)
      .then(cache => cache.addAll(requests()))
      .then(() => self.skipWaiting()),
  ),
)
self.addEventListener('activate', event => event.waitUntil(clean().then(() => self.clients.claim())))
self.addEventListener('fetch', event => {
  const { scope } = self.registration
  const { method, url } = event.request
  const path = url.startsWith(scope) ? url.slice(scope.length).replace(/[?#].*/, '') || 'index.html' : null
  if (method === 'GET' && path !== null && Object.hasOwn(FILES, path)) event.respondWith(answer(event.request, path))
})

async function clean(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(START) && name.endsWith(END) && name !== NAME) await caches.delete(name)
}

async function answer(request: Request, path: string): Promise<Response> {
  const kept = await (await caches.open(NAME)).match(path)
  if (!kept) return fetch(request)
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '')
  return range ? part(kept, Number(range[1]), range[2] ? Number(range[2]) + 1 : Infinity) : plain(kept)
}

/** Some servers redirect to the directory, and a redirected response cannot be used for a navigation. */
function plain(kept: Response): Response {
  return kept.redirected ? new Response(kept.body, { headers: kept.headers }) : kept
}

/** Caches support only whole files. */
async function part(kept: Response, start: number, end: number): Promise<Response> {
  const whole = await kept.arrayBuffer()
  const stop = Math.min(end, whole.byteLength)
  if (start >= stop)
    return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${whole.byteLength}` } })
  const headers = {
    'Content-Range': `bytes ${start}-${stop - 1}/${whole.byteLength}`,
    'Content-Type': 'application/octet-stream',
  }
  return new Response(whole.slice(start, stop), { status: 206, headers })
}
