import { onAbort } from '../base/abort.js'

/** A transient error, with the error to throw after the last attempt as its cause. */
export class TransientError extends Error {
  /** The header `Retry-After`. */
  readonly after: string
  /** The maximum number of retries after this error. */
  readonly most: number

  constructor(cause: Error, after: string | null = '', most = Infinity) {
    super('', { cause })
    this.after = after ?? ''
    this.most = most
  }
}

/**
 * Repeats `attempt` after transient errors. Waits as long as the server asks, or else with exponential backoff and jitter.
 */
export async function retrying<T>(
  retries: number,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let count = 0; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (!(error instanceof TransientError)) throw error
      if (count >= Math.min(retries, error.most)) throw error.cause
      const delay = wanted(error.after) ?? 200 * 2 ** count * (0.75 + Math.random() / 2)
      if (delay > MAX_WAIT_MS) throw error.cause
      await pause(delay, signal)
    }
  }
}

/** The longest wait in milliseconds. */
const MAX_WAIT_MS = 30_000

/** Milliseconds to wait by `Retry-After`, which is in seconds or a date. */
function wanted(after: string): number | undefined {
  const delay = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now()
  return Number.isNaN(delay) ? undefined : Math.max(delay, 0)
}

/** Waits, or ends early when the signal is aborted. */
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
