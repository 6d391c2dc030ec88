// Panels about errors.
import { isB2ndError } from '../../js/index.js'
import { button, fill, h } from '../dom.js'
import type { Words } from './advice.js'

const wasCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** Whether a retry may succeed. */
const passes = (error: unknown): boolean =>
  wasCancelled(error) ||
  (isB2ndError(error, 'http', 'network', 'source') && !['404', '410'].includes(String(error.status)))

/** Words for errors that may also prevent advice from being loaded. */
function wordsAtOnce(error: unknown, message: string): Words | null {
  if (wasCancelled(error)) return ['Cancelled', '']
  if (!isB2ndError(error, 'network')) return null
  return message.includes('cannot be reached')
    ? [
        'The server cannot be reached',
        'You may be offline, or the server may not let other sites read its files: it has to send “Access-Control-Allow-Origin” and allow the header “Range”.',
      ]
    : ['The connection broke', 'Try again.']
}

function report(error: unknown): string {
  const known = isB2ndError(error) ? error : null
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
  /** Shows what is left of a file that ends early. */
  recover?: (() => void) | undefined
  /** A more precise description than the error's. */
  words?: Words | null
}

/** Shows a panel about an error in `place`, and the message alone until advice is loaded. */
export async function showError(place: HTMLElement, error: unknown, { words, ...ways }: Ways = {}): Promise<void> {
  const message = error instanceof Error ? error.message : String(error)
  const first = h('p', { class: 'error' }, message)
  fill(place, first)
  const known =
    words ??
    wordsAtOnce(error, message) ??
    (await import('./advice.js').then(
      ({ adviceOn }) => adviceOn(error, message, ways.recover),
      (): Words => ['Something went wrong', ''],
    ))
  if (first.parentNode === place) first.replaceWith(errorBox(message, report(error), known, passes(error), ways))
}

/** A panel with details for a bug report. */
function errorBox(
  message: string,
  details: string,
  [title, advice, way]: Words,
  passes: boolean,
  { close, retry }: Ways,
): HTMLElement {
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
    h('h2', {}, title),
    h('p', {}, sentence(message)),
    advice && h('p', {}, advice),
    shown,
    h(
      'div',
      { class: 'buttons' },
      way && button(...way),
      retry && passes && button('Retry', retry, { class: 'primary' }),
      copy,
      close && button('Close', close),
    ),
  )
}
