// The other formats that the viewer opens.
import type { Kind } from './decode.js'

interface Format {
  /** How files of it begin. */
  readonly sign: RegExp
  readonly name: string
  /** How a worker decodes it; the items of a .npy file need no decoding. */
  readonly kind: Kind | 'npy'
}

const FORMATS: Format[] = [
  { sign: /^\x93NUMPY/, name: 'NumPy file', kind: 'npy' },
  { sign: /^\x89PNG/, name: 'PNG image', kind: 'png' },
  { sign: /^(II[*+]\0|MM\0[*+])/, name: 'TIFF image', kind: 'tiff' },
  { sign: /^(\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP|[^]{4}ftypavif)/, name: 'image', kind: 'picture' },
]
const TABLE: Format = { sign: /^\s*[^<]/, name: 'table', kind: 'csv' }

/** The format of a file by its first bytes, or for tables by its name. */
export function formatOf(head: string, name: string): Format | undefined {
  return (
    FORMATS.find(({ sign }) => sign.test(head)) ??
    (/\.(csv|tsv)$/i.test(name) && TABLE.sign.test(head) ? TABLE : undefined)
  )
}
