// Serves the built viewer and a file to this machine only: `node serve.mjs [FILE|URL] [--port N] [--open]`.
// `--open` opens the browser; `--until-closed` ends with standard input. `cargo xtask view` uses both.
import { spawn } from 'node:child_process'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, extname, join, normalize, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const viewer = join(import.meta.dirname, '..', 'dist', 'viewer')
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}
const CSP =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self' http: https:; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const OPTIONS = {
  port: { type: 'string', default: '0' },
  open: { type: 'boolean' },
  'until-closed': { type: 'boolean' },
}

const {
  positionals: [what],
  values: { port, open, 'until-closed': untilClosed },
} = parseArgs({ allowPositionals: true, options: OPTIONS })
if (!existsSync(join(viewer, 'index.html'))) fail('there is no viewer in dist/: `cargo xtask build` makes it')
const isUrl = what?.includes('://')
const file = what && !isUrl ? resolve(what) : null
if (file && !existsSync(file)) fail(`there is no ${what}`)
/** Serves only this file, or this directory of a sparse frame. */
const place = file && `file/${encodeURIComponent(basename(file))}${statSync(file).isDirectory() ? '/' : ''}`

const server = createServer((request, response) => {
  const { host = '' } = request.headers
  // Other sites must not read files through their own host names (DNS rebinding).
  if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host)) return end(response, 403)
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405)
  const path = locate(plain(new URL(request.url, 'http://localhost').pathname.slice(1)))
  if (!path || !existsSync(path) || !statSync(path).isFile()) return end(response, 404)
  send(request, response, path)
})
server.listen(Number(port), '127.0.0.1', () => {
  const shown = isUrl ? what : place
  const address = `http://127.0.0.1:${server.address().port}/${shown ? `?url=${readable(shown)}` : ''}`
  console.log(address)
  if (open) show(address)
})
server.on('error', error => fail(error.message))
if (untilClosed) process.stdin.resume().on('end', () => process.exit())

/** Encodes `text` for a query, with as few escapes as possible. */
function readable(text) {
  return encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%3A', ':')
}

/** Opens the browser, if there is a display and a user. */
function show(address) {
  const { CI, DISPLAY, WAYLAND_DISPLAY } = process.env
  const [program, ...words] = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[process.platform] ?? ['xdg-open']
  if (CI || (program === 'xdg-open' && !DISPLAY && !WAYLAND_DISPLAY)) return
  // Without such a program the user follows the link.
  spawn(program, [...words, address], { detached: true, stdio: 'ignore' })
    .on('error', () => {})
    .unref()
}

function plain(path) {
  try {
    return decodeURIComponent(path)
  } catch {
    return '..'
  }
}

function locate(path) {
  if (normalize(path).startsWith('..')) return null
  if (!path.startsWith('file/')) return join(viewer, normalize(path || 'index.html'))
  const [, name, part] = path.split('/')
  if (!file || name !== basename(file)) return null
  return part === undefined ? file : /^(chunks\.b2frame|[0-9A-F]{8}\.chunk)$/.test(part) ? join(file, part) : null
}

function send(request, response, path) {
  const { size, mtimeMs } = statSync(path)
  const headers = {
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': CSP,
    ETag: `"${size}-${mtimeMs}"`,
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    'X-Content-Type-Options': 'nosniff',
  }
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const [start, stop] = range ? [Number(range[1]), range[2] ? Math.min(size, Number(range[2]) + 1) : size] : [0, size]
  if (range && start >= stop) return end(response, 416, { 'Content-Range': `bytes */${size}` })
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'Content-Length': stop - start,
    ...(range && { 'Content-Range': `bytes ${start}-${stop - 1}/${size}` }),
  })
  if (request.method === 'HEAD' || start === stop) return response.end()
  createReadStream(path, { start, end: stop - 1 })
    .on('error', () => response.destroy())
    .pipe(response)
}

function end(response, status, headers = {}) {
  response.writeHead(status, headers).end()
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
