// Identifies a file that is not a Blosc2 file by its first bytes.
import type { B2ndError } from '../../js/index.js'
import type { Source } from '../model/dataset.js'
import { formatOf } from '../open/formats.js'
import { headOf } from '../open/head.js'
import type { Words } from './advice.js'

/** Titles and advice for files in other formats, by the code of the error. */
const OTHERS: Record<string, (name: string) => Words> = {
  format: name => [`This ${name} is damaged`, 'If it was copied or downloaded, it may have ended early.'],
  unsupported: name => [`The viewer cannot read this ${name}`, ''],
  limit: name => [
    `This ${name} is too large for a page`,
    'Files in other formats are converted in memory. Convert it outside of the browser, for example with `b2nd create`, and open the result.',
  ],
}

export async function diagnose({ openable, name }: Source, { code, message }: B2ndError): Promise<Words | null> {
  const text = await headOf(openable).catch(() => null)
  if (text === null) return null
  if (!text) return ['This file is empty', 'Copy or download it again.']
  const format = formatOf(text, name)
  // Not a store with members that cannot be read.
  if (
    !format &&
    text.startsWith('PK') &&
    text.charCodeAt(2) < 8 &&
    (code === 'format' || /^a zip archive/i.test(message))
  )
    return message.startsWith('truncated')
      ? [
          'The archive ends too early',
          'Its end is missing, and with it the list of its members. Copy or download it again.',
        ]
      : ['This is a ZIP archive', 'Unpack it, and open the .b2nd files that are in it.']
  if (format || code !== 'format') return (format && OTHERS[code]?.(format.name)) ?? null
  if (/^(\xef\xbb\xbf)?\s*<(!doctype html|html|head|body)/i.test(text)) {
    return [
      'This is a web page, not a file',
      'The address may be that of a page about the file, or the server wants you to log in first. Open the address in a separate tab, and copy that of the file itself.',
    ]
  }
  if (/^(\xef\xbb\xbf)?\s*<\?xml/i.test(text) || /^\s*[{[]\s*"/.test(text))
    return ['This is a message or a list, not a file of values', `It begins with: ${text.slice(0, 120).trim()}`]
  if (text.startsWith('version https://git-lfs'))
    return [
      'This is a pointer of Git LFS, not the file',
      'The file itself lies elsewhere: download it with `git lfs pull`.',
    ]
  const others: [sign: string, name: string][] = [
    ['\x89HDF', 'an HDF5 file'],
    ['\x1f\x8b', 'a gzip file'],
    ['\x28\xb5\x2f\xfd', 'a Zstandard file'],
    ['PAR1', 'a Parquet file'],
    ['CDF', 'a NetCDF file'],
  ]
  const known = others.find(([sign]) => text.startsWith(sign))
  return known
    ? [
        `This is ${known[1]}`,
        'The viewer shows Blosc2 files (.b2nd, .b2frame, .blosc2), arrays of NumPy (.npy, .npz), tables (.csv, .tsv) and images.',
      ]
    : null
}
