/** Milliseconds between pauses, in which other tasks run, such as painting and aborting. */
const INTERVAL = 20

let lastPause = -Infinity
let pausing: Promise<void> | undefined

/** Yields to the event loop unless it did so recently, then runs a short task. Rejects if the signal is aborted. */
export async function yieldThen<T>(work: () => T, signal?: AbortSignal): Promise<T> {
  // The first task after a pause may take so long that the next one has to wait again.
  while (pausing) await pausing
  if (performance.now() - lastPause > INTERVAL) {
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
    await yieldThen(() => work(from, Math.min(from + step, count)), signal)
  }
}

function pause(): Promise<unknown> {
  const scope = globalThis as { scheduler?: { yield?(): Promise<void> } }
  return scope.scheduler?.yield?.() ?? new Promise(resolve => setTimeout(resolve))
}
