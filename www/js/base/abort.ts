/** The callbacks of each signal. Each signal has only one listener, because runtimes report many listeners as a leak. */
const listening = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls `act` when the signal is aborted. Returns a function that removes the callback. Pass each function only once. */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (!signal) return () => {}
  const acts = listening.get(signal) ?? new Set()
  if (!listening.has(signal)) {
    listening.set(signal, acts)
    signal.addEventListener('abort', () => acts.forEach(act => act()))
  }
  acts.add(act)
  return () => acts.delete(act)
}

/** A controller that `signal` also aborts, until `leave` is called. */
export function linked(signal: AbortSignal | undefined): { abort: AbortController; leave: () => void } {
  const abort = new AbortController()
  return { abort, leave: onAbort(signal, () => abort.abort(signal!.reason)) }
}
