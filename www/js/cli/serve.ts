// Shows a file in the viewer: a server for this machine alone.

import { spawn } from 'node:child_process'
import { createReadStream, existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { basename, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { argument } from '../base/errors.js'
import { partName } from '../sources/directory.js'
import { forward } from './forward.js'

const VIEWER = fileURLToPath(new URL('./viewer/', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}
/** Below it is the server that requests are forwarded to. */
const THROUGH = '/through/'
const CSP =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self' http: https:; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface ViewOptions {
  port: number
  open: boolean
  /** Whether the server at the URL is asked by this one instead of by the browser. */
  proxy: boolean
}

/** Serves the viewer, perhaps with a file, a directory of a sparse frame, or a URL to show. Returns the address. */
export async function view(what: string | undefined, { port, open, proxy }: ViewOptions): Promise<string> {
  const isUrl = what !== undefined && /^https?:\/\//.test(what)
  if (proxy && !isUrl) throw argument('--proxy is for a URL')
  const there = proxy ? new URL(what!) : undefined
  const base = there && new URL('./', there)
  const path = what === undefined || isUrl ? undefined : what
  if (path && !existsSync(path)) throw argument(`there is no ${path}`)
  const isFolder = !!path && statSync(path).isDirectory()
  if (path && !isFolder && !statSync(path).isFile()) throw argument(`${path} is no file`)
  const name = path && basename(resolve(path))
  const files = (parts: string[]): string | undefined => {
    if (parts[0] !== 'file') return join(VIEWER, ...parts)
    const [, file, part] = parts
    if (!path || file !== name) return undefined
    if (!isFolder) return part === undefined ? path : undefined
    const known = part === partName(-1) || /^[0-9A-F]{8}\.chunk$/.test(part ?? '')
    // Links in a frame are not followed.
    return known && lstatSync(join(path, part!), { throwIfNoEntry: false })?.isFile() ? join(path, part!) : undefined
  }
  const server = createServer((request, response) => {
    const through = base && request.url?.startsWith(THROUGH) ? request.url.slice(THROUGH.length) : undefined
    answer(request, response, files, base && through !== undefined ? { base, through } : undefined)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve())
  })
  const beyond = there && THROUGH.slice(1) + there.href.slice(base!.href.length)
  const shown = name ? `file/${encodeURIComponent(name)}${isFolder ? '/' : ''}` : (beyond ?? what)
  const query = shown === undefined ? '' : `?url=${readable(shown)}`
  const address = `http://127.0.0.1:${(server.address() as { port: number }).port}/${query}`
  if (open) show(address)
  return address
}

/** Encodes `text` for a query, with as few escapes as possible. */
const readable = (text: string): string => encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%3A', ':')

function plain(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  files: (parts: string[]) => string | undefined,
  other?: { base: URL; through: string },
): void {
  const headers = { 'Content-Security-Policy': CSP, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' }
  const end = (status: number, more = {}) => void response.writeHead(status, { ...headers, ...more }).end()
  // Other sites must not read files through their own host names (DNS rebinding).
  if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? '')) return end(403)
  if (other) {
    // Other sites must not sign anybody in.
    const { host, origin = `http://${host}` } = request.headers
    if (origin !== `http://${host}`) return end(403)
    return void forward(request, response, other.through, other.base, headers).catch(() =>
      response.headersSent ? response.destroy() : end(502),
    )
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(405)
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const parts = pathname.slice(1).split('/').map(plain)
  // A part that is more than a name could lead elsewhere.
  const path = parts.every(part => !/[\\/:]|^\.\.?$/.test(part) && !part.includes('\0')) ? files(parts) : undefined
  if (pathname === '/') {
    response.writeHead(200, { ...headers, 'Content-Type': TYPES['.html'] }).end(page())
    return
  }
  const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
  if (!path || !stats?.isFile()) return end(404)
  const { size, mtimeMs } = stats
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const start = range ? Number(range[1]) : 0
  const stop = range?.[2] ? Math.min(size, Number(range[2]) + 1) : size
  if (range && start >= stop) return end(416, { 'Content-Range': `bytes */${size}` })
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'Accept-Ranges': 'bytes',
    'Content-Length': stop - start,
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    ETag: `"${size}-${mtimeMs}"`,
    ...(range && { 'Content-Range': `bytes ${start}-${stop - 1}/${size}` }),
  })
  if (request.method === 'HEAD' || start === stop) return void response.end()
  createReadStream(path, { start, end: stop - 1 })
    .on('error', () => response.destroy())
    .pipe(response)
}

/** The package has no examples. */
function page(): string {
  const text = readFileSync(join(VIEWER, 'index.html'), 'utf8')
  return existsSync(join(VIEWER, 'examples')) ? text : text.replace('<div id="samples">', '<div id="samples" hidden>')
}

/** Opens the browser, if there is a display and a user. */
function show(address: string): void {
  const { CI, DISPLAY, WAYLAND_DISPLAY } = process.env
  const programs: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
    darwin: ['open'],
    win32: ['cmd', '/c', 'start', ''],
  }
  const [program, ...words] = programs[process.platform] ?? ['xdg-open']
  if (CI || (program === 'xdg-open' && !DISPLAY && !WAYLAND_DISPLAY)) return
  // Without such a program the user follows the link.
  spawn(program, [...words, address], { detached: true, stdio: 'ignore' })
    .on('error', () => {})
    .unref()
}
