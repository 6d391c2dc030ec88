/** Milliseconds, after which others get the thread: a page to paint, a signal to be aborted. */
const PATIENCE = 20

let since = -Infinity
let others: Promise<void> | undefined

/**
 * Does a short piece of work in its turn: all that is done so lets others have the thread from time to time. A signal is looked
 * at before.
 */
export async function inTurn<T>(work: () => T, signal?: AbortSignal): Promise<T> {
  // Of all that waits, the first may use up the next turn.
  while (others) await others
  if (performance.now() - since > PATIENCE) {
    others = pause().then(() => {
      others = undefined
      since = performance.now()
    })
    await others
  }
  signal?.throwIfAborted()
  return work()
}

/** Goes through what is counted, up to `step` of it in a turn. */
export async function inSteps(
  count: number,
  step: number,
  work: (from: number, to: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (let from = 0; from < count; from += step) {
    await inTurn(() => work(from, Math.min(from + step, count)), signal)
  }
}

function pause(): Promise<unknown> {
  const scope = globalThis as { scheduler?: { yield?(): Promise<void> } }
  return scope.scheduler?.yield?.() ?? new Promise(resolve => setTimeout(resolve))
}
