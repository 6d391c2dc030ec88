// Descriptions of errors.
import { isB2ndError, type B2ndError } from '../../js/index.js'
import { button, h } from '../dom.js'

export type Words = [title: string, advice: string]

/** Advice for each error code. */
const ADVICE: Record<string, Words> = {
  format: [
    'These bytes are damaged, or no Blosc2 data',
    'If the file was copied or downloaded, it may have ended early: compare its size with the original. What can be read of it is still shown.',
  ],
  unsupported: [
    'This viewer cannot decode these values',
    'Structure and metadata are shown all the same. The program that wrote the file can read it, and write it again with a codec that every reader has.',
  ],
  argument: ['This cannot be shown', ''],
  limit: ['This is more than a page can hold', 'Choose a smaller part.'],
  http: ['The server refuses', ''],
  network: [
    'The server cannot be reached',
    'You may be offline, or the server may not let other sites read its files: it has to send “Access-Control-Allow-Origin” and allow the header “Range”.',
  ],
  'not-ranged': [
    'The server sends whole files only',
    'It does not answer requests for a part of a file, and this one is too large to be loaded whole. Download it and open it from this device.',
  ],
  changed: ['The file has changed since it was opened', 'Open it again.'],
  source: ['The file cannot be read', 'It may have been moved or deleted since it was opened.'],
}

/** Descriptions of HTTP status codes. */
function statusWords(status: number): Words | null {
  if (status === 404 || status === 410) return ['There is no such file', 'Check the address.']
  if (status === 401 || status === 403 || status === 407)
    return [
      'The server does not let you read this file',
      'The address may have expired, or the file needs a password or a login, which this page does not have.',
    ]
  if (status === 429 || status === 503) return ['The server is busy', 'Try again in a while.']
  if (status >= 500) return ['The server failed', 'That is its own fault, and may pass: try again in a while.']
  return null
}

export function plainWords(error: unknown): { title: string; advice: string; message: string; details: string } {
  const known = isB2ndError(error) ? error : null
  const message = error instanceof Error ? error.message : String(error)
  let [title, advice] = ADVICE[known?.code ?? ''] ?? ['Something went wrong', '']
  const status = known?.status === undefined ? null : statusWords(known.status)
  if (status) [title, advice] = status
  if (known?.codec !== undefined)
    title = `Its values are compressed with codec ${known.codec}, which this viewer does not have`
  if (known?.filter !== undefined)
    title = `Its values went through filter ${known.filter}, which this viewer does not have`
  if (known?.code === 'network' && !message.includes('cannot be reached'))
    [title, advice] = ['The connection broke', 'Try again.']
  if (message.startsWith('neither'))
    [title, advice] = [
      'This is not a Blosc2 file',
      'It begins neither like a frame nor like a chunk. Files end with .b2nd, .b2frame or .blosc2, as a rule.',
    ]
  if (message.startsWith('the wasm'))
    [title, advice] = ['The viewer itself could not be loaded', 'The connection may have broken: reload the page.']
  if (message.startsWith('truncated')) title = 'The file ends too early'
  if (message.includes('chunks.b2frame is missing'))
    [title, advice] = [
      'This folder is no sparse frame',
      'There is no chunks.b2frame in it, and no file that ends with .b2nd.',
    ]
  if (wasCancelled(error)) [title, advice] = ['Cancelled', '']
  return { title, advice, message, details: report(error, known) }
}

const wasCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** Whether a retry may succeed. */
const passes = (error: unknown): boolean =>
  wasCancelled(error) ||
  (isB2ndError(error, 'http', 'network', 'source') && !['404', '410'].includes(String(error.status)))

function report(error: unknown, known: B2ndError | null): string {
  const facts = known
    ? Object.entries({
        code: known.code,
        chunk: known.chunk,
        block: known.block,
        byte: known.offset,
        codec: known.codec,
        filter: known.filter,
        status: known.status,
        url: known.url,
      })
    : []
  const lines = facts.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${String(value)}`)
  const cause = error instanceof Error && error.cause instanceof Error ? [`cause: ${error.cause.message}`] : []
  return [
    error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    ...lines,
    ...cause,
    navigator.userAgent,
  ].join('\n')
}

/** Capitalises a message, unless it begins with an address or a name. */
const sentence = (text: string): string =>
  `${/^[a-z]+(?![\w.:/-])/.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text}.`

/** Immediate remedies. */
export interface Ways {
  close?: (() => void) | null
  /** Retries; offered if that may help. */
  retry?: (() => void) | null
  /** A more precise description than the error's. */
  words?: Words | null
}

/** A panel about an error, with details for a bug report. */
export function errorBox(error: unknown, { close, retry, words }: Ways = {}): HTMLElement {
  const { title, advice, message, details } = plainWords(error)
  const copy = button('Copy details', () => {
    navigator.clipboard.writeText(details).then(
      () => (copy.textContent = 'Copied'),
      () => (shown.open = true),
    )
  })
  const shown = h('details', {}, h('summary', {}, 'Details'), h('pre', { tabIndex: 0 }, details))
  return h(
    'div',
    { class: 'error', role: 'alert' },
    h('h2', {}, words?.[0] ?? title),
    h('p', {}, sentence(message)),
    (words?.[1] ?? advice) && h('p', {}, words?.[1] ?? advice),
    shown,
    h(
      'div',
      { class: 'buttons' },
      retry && passes(error) && button('Retry', retry, { class: 'primary' }),
      copy,
      close && button('Close', close),
    ),
  )
}
