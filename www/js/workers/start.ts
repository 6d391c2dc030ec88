import type { WorkerLike } from './protocol.js'

/** The source of b2nd.worker.js. The build inserts it. */
declare const WORKER_SOURCE: string
/** A constant, so that the build contains the long text only once. */
const source = WORKER_SOURCE

/** The ways to start a worker. A way that worked comes first. */
const WAYS = [fromFile, fromSource]

/** The ways to start a worker, in the order to try. */
export const ways = (): (() => WorkerLike)[] => [...WAYS]

/** Remembers the way that works, because the other one may cost a failed request. */
export function prefer(way: () => WorkerLike): void {
  if (way === WAYS[1]) WAYS.reverse()
}

/** Starts it from the file next to this one. Bundlers recognize this expression, and strict policies require a file. */
function fromFile(): WorkerLike {
  if (typeof Worker === 'function') return new Worker(new URL('./b2nd.worker.js', import.meta.url), { type: 'module' })
  // The options of this process may be invalid for a worker.
  return new (Thread())(new URL('./b2nd.worker.js', import.meta.url), { execArgv: [] })
}

/** Starts it from the source in this file, for bundlers that do not copy the other file and for other origins. */
function fromSource(): WorkerLike {
  if (typeof Worker !== 'function') return new (Thread())(source, { eval: true, execArgv: [] })
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  return new Worker(url, { type: 'module' })
}

/** The `Worker` class of Node.js. */
function Thread() {
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads')
  if (!threads) throw new Error('there are none here')
  return threads.Worker
}
