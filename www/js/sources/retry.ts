import { onAbort } from '../base/abort.js'

/** A failure that may pass. */
export class Retry extends Error {
  readonly error: Error
  /** When the server wants to be asked again, as it puts it. */
  readonly after: string
  /** How often it is worth to try again. */
  readonly most: number

  constructor(error: Error, after: string | null = '', most = Infinity) {
    super()
    this.error = error
    this.after = after ?? ''
    this.most = most
  }
}

/**
 * Repeats `attempt` after failures that may pass: when the server wants, if that is soon, or else after pauses that grow and are
 * a little random, so that waiters spread.
 */
export async function retrying<T>(
  retries: number,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let count = 0; ; count++) {
    try {
      return await attempt()
    } catch (failure) {
      if (signal?.aborted) throw signal.reason
      if (!(failure instanceof Retry)) throw failure
      if (count >= Math.min(retries, failure.most)) throw failure.error
      const delay = wanted(failure.after) ?? 200 * 2 ** count * (0.75 + Math.random() / 2)
      // Who asks for more is not waited for at all.
      if (delay > LONGEST) throw failure.error
      await pause(delay, signal)
    }
  }
}

/** Milliseconds. */
const LONGEST = 30_000

/** `Retry-After`: seconds, or a date. */
function wanted(after: string): number | undefined {
  const delay = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now()
  return Number.isNaN(delay) ? undefined : Math.max(delay, 0)
}

/** Ends early if the signal is aborted. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let leave = () => {}
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, milliseconds)
    leave = onAbort(signal, () => {
      clearTimeout(timer)
      resolve()
    })
  })
  leave()
}
