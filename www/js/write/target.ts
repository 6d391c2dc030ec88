import type { PositionedFile } from './memory-file.js'

/** A file while it is written. */
export interface Target extends Omit<PositionedFile, 'read'> {
  /** Reads bytes that were written. */
  read?: PositionedFile['read']
  /** Whether the file still has these bytes, and its place. Without this method they are read. */
  compare?(offset: number, bytes: Uint8Array): Promise<boolean>
  /** Makes the file complete. Closes it if this library has opened it. */
  close?(): Promise<void> | void
  /** Gives a new file its place, where it replaces another. It stays open. */
  publish?(): Promise<void> | void
  /** Leaves the file as it was before, as far as possible. */
  abort?(reason: unknown): Promise<void> | void
  /** Creates a file that replaces this one when it is published. */
  successor?(): Promise<Target>
}
