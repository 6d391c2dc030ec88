/** What to do when a signal is aborted. Runtimes take many listeners of one signal for a leak, so each has one here. */
const listening = new WeakMap<AbortSignal, Set<() => void>>()

/** Has `act` called once if the signal is aborted. Returns what ends that. No function may be given twice. */
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

/** What aborts a signal of its own: `signal` does, too, until `leave` is called. */
export function linked(signal: AbortSignal | undefined): { abort: AbortController; leave: () => void } {
  const abort = new AbortController()
  return { abort, leave: onAbort(signal, () => abort.abort(signal!.reason)) }
}
