// Advice for errors, loaded when one is shown.
import { isB2ndError } from '../../js/index.js'

export type Words = [title: string, advice: string, way?: Way]

/** A button that may help. */
export type Way = [label: string, use: () => void]

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
  'not-ranged': [
    'The server sends whole files only',
    'It does not answer requests for a part of a file, and this one is too large to be loaded whole. Download it and open it from this device.',
  ],
  changed: ['The file has changed since it was opened', 'Open it again.'],
  source: ['The file cannot be read', 'It may have been moved or deleted since it was opened.'],
}

const CUT =
  'Its end is missing, and with it the index of its chunks, so that none of its values can be found. Copy or download it again.'
const LEFT =
  ' The chunks that are left can be shown in the order in which they are stored: in wrong places if one before them is special, such as one of zeros only, or if the file was changed after it was written.'

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

/** Says in plain words what happened, and what helps. */
export function adviceOn(error: unknown, message: string, recover?: () => void): Words {
  const known = isB2ndError(error) ? error : null
  let [title, advice] = ADVICE[known?.code ?? ''] ?? ['Something went wrong', '']
  const status = known?.status === undefined ? null : statusWords(known.status)
  if (status) [title, advice] = status
  if (known?.codec !== undefined)
    title = `Its values are compressed with codec ${known.codec}, which this viewer does not have`
  if (known?.filter !== undefined)
    title = `Its values went through filter ${known.filter}, which this viewer does not have`
  if (message.startsWith('neither'))
    [title, advice] = [
      'This is not a Blosc2 file',
      'It begins neither like a frame nor like a chunk. Files end with .b2nd, .b2frame or .blosc2, as a rule.',
    ]
  if (message.startsWith('the wasm'))
    [title, advice] = ['The viewer itself could not be loaded', 'The connection may have broken: reload the page.']
  if (message.startsWith('truncated')) {
    title = 'The file ends too early'
    if (known?.chunk === undefined) return recover ? [title, CUT + LEFT, ['Show what is left', recover]] : [title, CUT]
  }
  if (message.includes('chunks.b2frame is missing'))
    [title, advice] = [
      'This folder is no sparse frame',
      'There is no chunks.b2frame in it, and no file that ends with .b2nd.',
    ]
  return [title, advice]
}
