/** Milliseconds, after which others get the thread: a page to paint, a signal to be aborted. */
const PATIENCE = 20

let since = -Infinity
let others: Promise<void> | undefined

/** Does a short piece of work in its turn: all that is done so lets others have the thread from time to time. */
export async function inTurn<T>(work: () => T): Promise<T> {
  if (performance.now() - since > PATIENCE) {
    others ??= pause().then(() => {
      others = undefined
      since = performance.now()
    })
  }
  while (others) await others
  return work()
}

function pause(): Promise<unknown> {
  const scope = globalThis as { scheduler?: { yield?(): Promise<void> } }
  return scope.scheduler?.yield?.() ?? new Promise(resolve => setTimeout(resolve))
}
