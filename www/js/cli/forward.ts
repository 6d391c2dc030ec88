// Forwards requests to one server, which then has the origin of the viewer: it may allow no other, or browsers may not send its cookie.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

const ASKED = ['accept', 'content-type', 'cookie', 'if-match', 'if-range', 'range']
const ANSWERED = ['accept-ranges', 'content-range', 'etag', 'last-modified', 'retry-after', 'set-cookie']
/** The calls that sign in and out: POST sends a name and a password. */
const SIGNING = /\/auth\/jwt\/log(?:in|out)$/
const MAX_SENT = 2 ** 14
const MAX_REDIRECTS = 4

/** Answers with what the server says at `path`, an address relative to `base`. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  base: URL,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const to = new URL(`./${path}`, base)
  const isSigning = request.method === 'POST' && SIGNING.test(to.pathname)
  if (!to.href.startsWith(base.href)) return void response.writeHead(404, headers).end()
  if (!isSigning && request.method !== 'GET') return void response.writeHead(405, headers).end()
  const some = (from: (name: string) => string | null | undefined, names: readonly string[]) =>
    names.flatMap(name => (from(name) ? [[name, from(name)!] as [string, string]] : []))
  const answer = await ask(to, base, {
    method: request.method ?? 'GET',
    headers: [...some(name => request.headers[name] as string | undefined, ASKED), ['accept-encoding', 'identity']],
    ...(isSigning && { body: await sent(request) }),
  })
  // Nothing that comes from elsewhere is a page or a script of this origin.
  const type = { 'Content-Type': 'application/octet-stream' }
  // What was compressed all the same is longer here.
  const length = answer.headers.has('content-encoding') ? [] : ['content-length']
  const told = Object.fromEntries(some(name => answer.headers.get(name), [...ANSWERED, ...length]))
  response.writeHead(answer.status, { ...headers, ...type, ...told })
  if (!answer.body) return void response.end()
  const body = Readable.fromWeb(answer.body as ReadableStream)
  response.on('close', () => body.destroy())
  body.on('error', () => response.destroy()).pipe(response)
}

/** Asks the server. It may redirect reads to itself only: neither a password nor a cookie goes elsewhere. */
async function ask(to: URL, base: URL, init: RequestInit, redirects = MAX_REDIRECTS): Promise<Response> {
  const answer = await fetch(to, { ...init, redirect: 'manual' })
  const location = answer.headers.get('location')
  if (answer.status < 300 || answer.status >= 400 || location === null) return answer
  await answer.body?.cancel()
  const next = new URL(location, to)
  if (init.method !== 'GET' || redirects === 0 || !next.href.startsWith(base.href))
    throw new Error(`redirected to ${next.origin}`)
  return ask(next, base, init, redirects - 1)
}

async function sent(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    pieces.push(piece)
    if ((length += piece.length) > MAX_SENT) throw new Error('too long')
  }
  return Buffer.concat(pieces).toString()
}
