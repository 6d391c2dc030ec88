// What went wrong, in plain words.
import { isB2ndError, type B2ndError } from '../../js/index.js'
import { button, h } from '../dom.js'

/** What people can do about it. */
const ADVICE: Record<string, [title: string, advice: string]> = {
  format: ['These bytes are damaged, or no Blosc2 data', 'If the file was copied or downloaded, it may have ended early: compare its size with the original. What can be read of it is still shown.'],
  unsupported: ['This viewer cannot decode these values', 'Structure and metadata are shown all the same. The program that wrote the file can read it, and write it again with a codec that every reader has.'],
  argument: ['This cannot be shown', ''],
  limit: ['This is more than a page can hold', 'Choose a smaller part.'],
  http: ['The server refuses', 'The address may be wrong, or have expired, or need a password that this page does not have.'],
  network: ['The server cannot be reached', 'You may be offline, or the server may not let other sites read its files: it has to send “Access-Control-Allow-Origin” and allow the header “Range”.'],
  'not-ranged': ['The server sends whole files only', 'It does not answer requests for a part of a file, and this one is too large to be loaded whole. Download it and open it from this device.'],
  changed: ['The file has changed since it was opened', 'Open it again.'],
  source: ['The file cannot be read', 'It may have been moved or deleted since it was opened.'],
}

export function plainWords(error: unknown): { title: string; advice: string; message: string; details: string } {
  const known = isB2ndError(error) ? error : null
  const message = error instanceof Error ? error.message : String(error)
  let [title, advice] = ADVICE[known?.code ?? ''] ?? ['Something went wrong', '']
  if (known?.codec !== undefined) title = `Its values are compressed with codec ${known.codec}, which this viewer does not have`
  if (known?.filter !== undefined) title = `Its values went through filter ${known.filter}, which this viewer does not have`
  if (known?.status === 404) [title, advice] = ['There is no such file', 'Check the address.']
  if (message.startsWith('neither')) [title, advice] = ['This is not a Blosc2 file', 'It begins neither like a frame nor like a chunk. Files end with .b2nd, .b2frame or .blosc2, as a rule.']
  if (message.startsWith('truncated')) title = 'The file ends too early'
  return { title, advice, message, details: report(error, known) }
}

function report(error: unknown, known: B2ndError | null): string {
  const facts = known
    ? Object.entries({ code: known.code, chunk: known.chunk, block: known.block, byte: known.offset, codec: known.codec, filter: known.filter, status: known.status, url: known.url })
    : []
  const lines = facts.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${String(value)}`)
  const cause = error instanceof Error && error.cause instanceof Error ? [`cause: ${error.cause.message}`] : []
  return [error instanceof Error ? `${error.name}: ${error.message}` : String(error), ...lines, ...cause, navigator.userAgent].join('\n')
}

/** A panel about an error, with what to send to those who can help. */
export function trouble(error: unknown, close: (() => void) | null): HTMLElement {
  const { title, advice, message, details } = plainWords(error)
  const copy = button('Copy details', () => {
    navigator.clipboard.writeText(details).then(() => (copy.textContent = 'Copied'), () => (shown.open = true))
  })
  const shown = h('details', {}, h('summary', {}, 'Details'), h('pre', { tabIndex: 0 }, details))
  return h('div', { class: 'trouble', role: 'alert' }, h('h2', {}, title), h('p', {}, `${message[0]!.toUpperCase()}${message.slice(1)}.`), advice && h('p', {}, advice),
    shown, h('div', { class: 'buttons' }, copy, close && button('Close', close)))
}
