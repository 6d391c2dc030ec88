import type { WorkerLike } from './protocol.js'

/** What b2nd.worker.js holds; the build puts it in. */
declare const WORKER_SOURCE: string
/** The text is long: it is there once. */
const source = WORKER_SOURCE

/** Ways to start a worker, that which has worked before the other. */
const WAYS = [fromFile, fromSource]

/** The ways to start a worker, in the order to try them. */
export const ways = (): (() => WorkerLike)[] => [...WAYS]

/** Remembers which way works: the other may cost a request that fails. */
export function prefer(way: () => WorkerLike): void {
  if (way === WAYS[1]) WAYS.reverse()
}

/** From the file beside this one. Bundlers know it by these words, and a strict policy allows no other way. */
function fromFile(): WorkerLike {
  if (typeof Worker === 'function') return new Worker(new URL('./b2nd.worker.js', import.meta.url), { type: 'module' })
  // Options of this thread may be none for a file.
  return new (Thread())(new URL('./b2nd.worker.js', import.meta.url), { execArgv: [] })
}

/** From the text in this file: where a bundler leaves the other one behind, or it is of another origin. */
function fromSource(): WorkerLike {
  if (typeof Worker !== 'function') return new (Thread())(source, { eval: true, execArgv: [] })
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  return new Worker(url, { type: 'module' })
}

/** The class of Node's workers. */
function Thread() {
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads')
  if (!threads) throw new Error('there are none here')
  return threads.Worker
}
