// A test server with ranges, CORS headers, a log of requests, and faults on request: what js/cli/serve.ts, which shows users the viewer,
// must not have. Tests of that one start it as users do.

import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hold, spoil } from './manners.mjs'

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}
const EXPOSED = 'Accept-Ranges, Content-Encoding, Content-Length, Content-Range, ETag'

/**
 * Serves `files`: keys are paths, values bytes or text; where a key ends with `/`, the value is a folder's path.
 * `manner` is one of manners.mjs and can be changed at any time, as can `latency`, in milliseconds, and `moved`: addresses by the
 * paths that redirect to them.
 */
export async function serve(files, { manner = 'good', latency = 0, moved = {} } = {}) {
  const server = new Server(files, { manner, latency, moved })
  await new Promise(done => server.http.listen(0, '127.0.0.1', done))
  return server
}

class Server {
  /** What was asked: `{ method, path, range, authorization, status, bytes, aborted }`, and how much at once at most. */
  requests = []
  peak = 0
  #active = 0
  #files

  constructor(files, settings) {
    this.#files = files
    Object.assign(this, settings)
    this.http = createServer((request, response) => {
      this.#answer(request, response).catch(error => response.destroy(error))
    })
  }

  get origin() {
    return `http://127.0.0.1:${this.http.address().port}`
  }

  url(path) {
    return new URL(path, this.origin).href
  }

  /** Bytes of bodies, as sent. */
  get bytes() {
    return this.requests.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Forgets what was asked so far. */
  reset() {
    this.requests = []
    this.peak = 0
  }

  async close() {
    this.http.closeAllConnections()
    await new Promise(done => this.http.close(done))
  }

  async #answer(request, response) {
    const path = decodeURIComponent(new URL(request.url, this.origin).pathname)
    // Browsers ask for an icon and before they ask another origin; neither is what tests count.
    if (path === '/favicon.ico') return send(response, { status: 204 })
    if (request.method === 'OPTIONS') return send(response, preflight())
    const entry = this.#record(request, response, path)
    const to = this.moved[path]
    if (to) return send(response, { status: (entry.status = 302), headers: { Location: to } })
    const content = await this.#find(path)
    if (this.latency) await sleep(this.latency)
    const { manner } = this
    const asked = this.requests.filter(other => other.path === path && other.range === entry.range).length
    const answer = spoil(manner, content ? respond(request, path, content) : missing(), { asked, content })
    entry.status = answer.status
    if (request.method === 'HEAD') answer.body = undefined
    await send(response, answer, { manner, sent: count => (entry.bytes += count) })
  }

  #record(request, response, path) {
    const { method, headers } = request
    const entry = {
      method,
      path,
      range: headers.range ?? null,
      authorization: headers.authorization ?? null,
      status: 0,
      bytes: 0,
      aborted: false,
    }
    this.requests.push(entry)
    this.peak = Math.max(this.peak, ++this.#active)
    response.on('close', () => {
      this.#active--
      entry.aborted = !response.writableFinished
    })
    return entry
  }

  async #find(path) {
    for (const [key, value] of Object.entries(this.#files)) {
      if (key === path) return Buffer.isBuffer(value) ? value : Buffer.from(value)
      if (!key.endsWith('/') || !path.startsWith(key)) continue
      // A normal path that begins with no `..` does not leave the folder.
      const rest = normalize(path.slice(key.length))
      if (!rest.startsWith('..')) return readOnce(join(value, rest)).catch(() => undefined)
    }
  }
}

const contents = new Map()

/** Large files are asked for in many small parts. */
async function readOnce(path) {
  const { mtimeMs } = await stat(path)
  const known = contents.get(path)
  if (known?.mtimeMs === mtimeMs) return known.content
  const content = await readFile(path)
  contents.set(path, { mtimeMs, content })
  return content
}

/** A faultless answer. */
function respond({ headers }, path, content) {
  const etag = etagOf(content)
  const common = {
    'Accept-Ranges': 'bytes',
    'Access-Control-Expose-Headers': EXPOSED,
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    ETag: etag,
  }
  if (headers['if-match'] && headers['if-match'] !== etag) return { status: 412, headers: common }
  const unchanged = (headers['if-range'] ?? etag) === etag
  const range = unchanged ? parseRange(headers.range, content.length) : null
  if (!range) return { status: 200, headers: common, body: content }
  const [start, end] = range
  if (start >= end) return { status: 416, headers: { ...common, 'Content-Range': `bytes */${content.length}` } }
  const contentRange = `bytes ${start}-${end - 1}/${content.length}`
  return { status: 206, headers: { ...common, 'Content-Range': contentRange }, body: content.subarray(start, end) }
}

const etags = new WeakMap()

function etagOf(content) {
  if (!etags.has(content)) etags.set(content, `"${createHash('sha1').update(content).digest('hex')}"`)
  return etags.get(content)
}

/** Start and end of the one range that is asked for; null where the whole is to be sent. */
function parseRange(header, length) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || match[0] === 'bytes=-') return null
  const [, first, last] = match
  if (first === '') return [Math.max(0, length - Number(last)), length]
  return [Number(first), last === '' ? length : Math.min(length, Number(last) + 1)]
}

function missing() {
  return { status: 404, headers: { 'Access-Control-Expose-Headers': EXPOSED }, body: Buffer.from('not found') }
}

function preflight() {
  const headers = {
    'Access-Control-Allow-Headers': 'Range, If-Range, If-Match, Authorization, X-Test',
    'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  }
  return { status: 204, headers }
}

async function send(response, { status, headers = {}, body }, { manner, sent = () => {} } = {}) {
  response.writeHead(status, {
    'Access-Control-Allow-Origin': '*',
    ...(body && { 'Content-Length': body.length }),
    ...headers,
  })
  for await (const part of hold(manner, body)) {
    // The other side may have gone.
    if (response.destroyed) return
    await new Promise(done => response.write(part, done))
    sent(part.length)
  }
  if (manner === 'truncated' && body) response.destroy()
  else response.end()
}
