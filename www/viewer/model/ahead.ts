// What a large array far away needs is begun while its view is made.
import type { Dataset } from './dataset.js'
import { ready, startWorker, workers } from './workers.js'

/** Arrays of more bytes are not decoded by the page itself. */
const LARGE = 2 ** 25

/** Begins to read the index of the chunks, and starts workers. */
export function hurry({ remote, array, opened }: Dataset, signal: AbortSignal): void {
  if (!remote || opened.info.nbytes <= LARGE) return
  if (workers?.workers === 0) while (ready.length < Math.min(2, workers.size)) ready.push(started())
  array
    ?.plan(
      array.shape.map(() => 0),
      { signal },
    )
    .catch(() => {})
}

/** A worker that is not used if it fails before: the next one will say why. */
function started(): Worker {
  const worker = startWorker()
  worker.onerror = event => {
    event.preventDefault()
    const at = ready.indexOf(worker)
    if (at >= 0) ready.splice(at, 1)
  }
  return worker
}
