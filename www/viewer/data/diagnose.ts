// Identifies a file that is not a Blosc2 file by its first bytes.
import type { Openable } from '../../js/index.js'
import type { Words } from '../panels/trouble.js'

/** The number of bytes to examine. */
const HEAD = 1024

export async function diagnose(openable: Openable): Promise<Words | null> {
  const bytes = await head(openable).catch(() => null)
  if (!bytes) return null
  const text = String.fromCharCode(...bytes)
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
  if (text.startsWith('PK\x03\x04'))
    return ['This is a ZIP archive', 'Unpack it, and open the .b2nd files that are in it.']
  const others: [sign: string, name: string][] = [
    ['\x89HDF', 'an HDF5 file'],
    ['\x93NUMPY', 'a NumPy file'],
    ['\x1f\x8b', 'a gzip file'],
    ['\x28\xb5\x2f\xfd', 'a Zstandard file'],
    ['II*\0', 'a TIFF image'],
    ['MM\0*', 'a TIFF image'],
    ['\x89PNG', 'a PNG image'],
    ['PAR1', 'a Parquet file'],
    ['CDF', 'a NetCDF file'],
  ]
  const known = others.find(([sign]) => text.startsWith(sign))
  return known ? [`This is ${known[1]}`, 'The viewer shows Blosc2 files: .b2nd, .b2frame, .blosc2.'] : null
}

/** The first bytes; `null` of what has none of its own. */
export async function head(openable: Openable): Promise<Uint8Array | null> {
  if (openable instanceof Blob) return new Uint8Array(await openable.slice(0, HEAD).arrayBuffer())
  if (typeof openable === 'object' && 'kind' in openable && openable.kind === 'file')
    return head(await openable.getFile())
  if (typeof openable !== 'string' || openable.endsWith('/')) return null
  const response = await fetch(openable, { headers: { range: `bytes=0-${HEAD - 1}` } })
  const reader = response.body!.getReader()
  const { value } = await reader.read()
  void reader.cancel()
  return value ? value.subarray(0, HEAD) : null
}
