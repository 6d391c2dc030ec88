// The other formats that the viewer opens.
import type { Values } from './values.js'

export type Reader = (file: Blob, name: string, signal: AbortSignal) => Promise<Values>

const readNpy: Reader = async file => (await import('./npy.js')).readNpy(file)
const readPng: Reader = async file => (await import('./picture.js')).readPng(file)
const readPicture: Reader = async file => (await import('./picture.js')).readPicture(file)
const readTiff: Reader = async (file, _, signal) => (await import('./tiff.js')).readTiff(file, signal)
const readCsv: Reader = async (file, name, signal) => (await import('./csv.js')).readCsv(file, name, signal)

interface Format {
  /** How files of it begin. */
  readonly sign: RegExp
  readonly name: string
  readonly read: Reader
}

const FORMATS: Format[] = [
  { sign: /^\x93NUMPY/, name: 'NumPy file', read: readNpy },
  { sign: /^\x89PNG/, name: 'PNG image', read: readPng },
  { sign: /^(II[*+]\0|MM\0[*+])/, name: 'TIFF image', read: readTiff },
  { sign: /^(\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP|[^]{4}ftypavif)/, name: 'image', read: readPicture },
]
const TABLE: Format = { sign: /^\s*[^<]/, name: 'table', read: readCsv }

/** The format of a file by its first bytes, or for tables by its name. */
export function formatOf(head: string, name: string): Format | undefined {
  return (
    FORMATS.find(({ sign }) => sign.test(head)) ??
    (/\.(csv|tsv)$/i.test(name) && TABLE.sign.test(head) ? TABLE : undefined)
  )
}
