// The messages between the page of the editor and the extension.
import type { Answer, Request } from '../viewer/open/reader.js'

/** A file that the extension reads for the page. */
export interface HostFile {
  name: string
  size: number
}

export type FromPage = { kind: 'ready' } | ({ kind: 'read' } & Request)

/**
 * The first file is the image; a second one its segmentation. `first` is the number of the first, by which reads name it. Files that are
 * opened anew have new numbers: a read of a file from before a change fails.
 */
export type FromExtension =
  | { kind: 'open'; first: number; files: readonly HostFile[] }
  | ({ kind: 'answer'; bytes?: Uint8Array<ArrayBuffer> } & Answer)
