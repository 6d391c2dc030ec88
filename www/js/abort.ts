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

/** A signal that is aborted with another one, and by `end` at the latest. */
export function linked(signal: AbortSignal | undefined): { signal: AbortSignal; end: () => void } {
  const abort = new AbortController()
  const leave = onAbort(signal, () => abort.abort(signal!.reason))
  const end = () => {
    leave()
    abort.abort()
  }
  return { signal: abort.signal, end }
}
