/** What to do when a signal is aborted. Runtimes take many listeners of one signal for a leak, so each has one here. */
const listening = new WeakMap<AbortSignal, Set<() => void>>()

/** Has `act` called once if the signal is aborted. Returns what ends that. */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (!signal) return () => {}
  const acts = listening.get(signal) ?? listen(signal)
  // The same function may be given twice.
  const own = () => act()
  acts.add(own)
  return () => acts.delete(own)
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

function listen(signal: AbortSignal): Set<() => void> {
  const acts = new Set<() => void>()
  listening.set(signal, acts)
  signal.addEventListener('abort', () => {
    for (const act of acts) act()
    acts.clear()
  }, { once: true })
  return acts
}
