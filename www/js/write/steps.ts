import type { Target } from './target.js'

/** An operation on the file, as ABI.md describes it. */
export interface Step {
  readonly kind: 'write' | 'sync' | 'truncate' | 'successor' | 'copy' | 'publish' | 'compare'
  readonly offset: number
  readonly length: number
  readonly from: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Carries out a step that needs no other file: to write, to truncate, or else to sync. */
export async function carryOut({ kind, offset, bytes }: Step, file: Target): Promise<void> {
  if (kind === 'write') return file.write(offset, bytes)
  if (kind === 'truncate') return file.truncate(offset)
  return file.sync?.()
}
