import { engineError } from '../engine/messages.js'

/** Reads bytes of a source as they are now. */
export type ReadNow = (start: number, end: number) => Promise<Uint8Array>

/** Whether bytes are equal. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at])

/**
 * Fails as `changed` if a source has no longer the state that was opened. Calls that wait for their turn share a comparison that
 * begins after them.
 */
export type Check = () => Promise<void>

/**
 * Creates the check for the state that is identified by the bytes of two ranges, the header first. `answers` contain the header that
 * was opened; `undefined` if it is no longer the current one.
 */
export async function checkOf(
  read: ReadNow,
  [start, headerEnd, endStart, end]: readonly number[],
  answers: readonly Uint8Array[],
): Promise<Check | undefined> {
  const header = await read(start!, headerEnd!)
  const last = await read(endStart!, end!)
  if (!answers.some(answer => sameBytes(answer.subarray(0, headerEnd), header))) return undefined
  const compare = async () => {
    // In this order: see `Revision` in Rust.
    if (!sameBytes(await read(start!, headerEnd!), header) || !sameBytes(await read(endStart!, end!), last)) {
      throw engineError([4, 0])
    }
  }
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<void> | undefined
  const check = () => {
    waiting ??= running
      .catch(() => {})
      .then(() => {
        const comparison = compare()
        running = comparison
        waiting = undefined
        return comparison
      })
    return waiting
  }
  return check().then(
    () => check,
    () => undefined,
  )
}
