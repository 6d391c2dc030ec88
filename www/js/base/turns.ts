/** Milliseconds between pauses that let other tasks run, such as painting and aborting signals. */
const PAUSE_INTERVAL = 20

let lastPause = -Infinity
let pausing: Promise<void> | undefined

/**
 * Runs a short task. Before it, pauses if the last pause is long ago, and rejects if the signal is aborted.
 */
export async function inTurn<T>(work: () => T, signal?: AbortSignal): Promise<T> {
  // One waiting task runs after each pause, and may use up the time.
  while (pausing) await pausing
  if (performance.now() - lastPause > PAUSE_INTERVAL) {
    pausing = pause().then(() => {
      pausing = undefined
      lastPause = performance.now()
    })
    await pausing
  }
  signal?.throwIfAborted()
  return work()
}

/** Runs `work` on consecutive ranges of up to `step` indices, with pauses between. */
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
