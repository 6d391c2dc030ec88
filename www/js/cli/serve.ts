// Shows a file in the viewer: a server for this machine alone.

import { spawn } from 'node:child_process'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { argument } from '../base/errors.js'
import { partName } from '../sources/directory.js'

const VIEWER = fileURLToPath(new URL('./viewer/', import.meta.url))
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.wasm': 'application/wasm' }
const CSP =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; connect-src 'self' http: https:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const escaped = (text: string): string => text.replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`)

const page = (title: string, source: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>html, body { margin: 0; height: 100% } b2nd-viewer { display: block; height: 100vh }</style>
<script type="module" src="/viewer/b2nd-viewer.js"></script>
<b2nd-viewer src="${escaped(source)}"></b2nd-viewer>
`

/** Serves the viewer with a file, a directory of a sparse frame, or a URL, and opens the browser. Returns the address. */
export async function view(what: string, { port, open }: { port: number; open: boolean }): Promise<string> {
  const isUrl = /^https?:\/\//.test(what)
  if (!isUrl && !existsSync(what)) throw argument(`there is no ${what}`)
  const isFolder = !isUrl && statSync(what).isDirectory()
  const name = basename(what)
  const place = isUrl ? what : `/file/${encodeURIComponent(name)}${isFolder ? '/' : ''}`
  const files = (path: string): string | undefined => {
    const [, root, file = '', part] = path.split('/').map(plain)
    if (root === 'viewer') return /^[\w-]+\.(js|wasm)$/.test(file) ? join(VIEWER, file) : undefined
    if (root !== 'file' || isUrl || file !== name) return undefined
    if (!isFolder) return part === undefined ? what : undefined
    const known = part === partName(-1) || /^[0-9A-F]{8}\.chunk$/.test(part ?? '')
    return known ? join(what, part!) : undefined
  }
  const server = createServer((request, response) => answer(request, response, files, page(name, place)))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve())
  })
  const address = `http://127.0.0.1:${(server.address() as { port: number }).port}/`
  if (open) show(address)
  return address
}

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
  files: (path: string) => string | undefined,
  index: string,
): void {
  const headers = { 'Content-Security-Policy': CSP, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' }
  const end = (status: number, more = {}) => void response.writeHead(status, { ...headers, ...more }).end()
  // Other sites must not read files through their own host names (DNS rebinding).
  if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? '')) return end(403)
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(405)
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/') {
    response.writeHead(200, { ...headers, 'Content-Type': 'text/html; charset=utf-8' }).end(index)
    return
  }
  const path = files(pathname)
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
