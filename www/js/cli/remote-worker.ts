// Reads URLs for the command, which waits meanwhile.

import { workerData, type MessagePort } from 'node:worker_threads'
import { B2ndError } from '../base/errors.js'
import { createCache, markHandled, type Cache } from '../reading/cache.js'
import { httpSource } from '../sources/http.js'
import type { ByteSource } from '../sources/source.js'
import type { Answer, Question } from './remote.js'

/** Bytes that are kept for each URL. */
const CACHE = 2 ** 26
const CONCURRENCY = 16
/** Requests have at least so many bytes: others that lie near are often next. The more follow each other, the more are read ahead. */
const MIN_REQUEST_BYTES = 2 ** 16
const MAX_REQUEST_BYTES = 2 ** 22

const { port, flag } = workerData as { port: MessagePort; flag: Int32Array }
const opened = new Map<string, Opened>()

interface Opened {
  readonly source: ByteSource
  readonly cache: Cache
  /** Where the last request began and ended, and how far the next one goes if it continues that. */
  start: number
  end: number
  ahead: number
}

function open(url: string): Opened {
  const source = httpSource(new Request(url), {})
  // What is asked for at once has been merged.
  const cache = createCache(source, { bytes: CACHE, concurrency: CONCURRENCY, merge: ranges => [...ranges] })
  return { source, cache, start: 0, end: -1, ahead: MIN_REQUEST_BYTES }
}

/** Makes a range longer that is not in the cache. */
function widen(file: Opened, range: { start: number; end: number }): void {
  const continues = file.start <= range.start && range.start <= file.end && file.end < range.end
  file.ahead = continues ? Math.min(2 * file.ahead, MAX_REQUEST_BYTES) : MIN_REQUEST_BYTES
  range.end = Math.max(range.end, range.start + file.ahead)
  file.start = range.start
  file.end = range.end
}

async function answerTo({ url, spans }: Question): Promise<Answer> {
  try {
    const file = opened.get(url) ?? open(url)
    opened.set(url, file)
    const { source, cache } = file
    const ranges = spans.map(({ offset, length }) => ({ part: -1, start: offset, end: offset + length }))
    if (ranges.length === 1 && cache.cost(ranges).requests) widen(file, ranges[0]!)
    const [first, ...others] = cache.read(ranges)
    for (const other of others) void markHandled(other)
    return { bytes: (await first!).slice(0, spans[0]!.length), size: source.size }
  } catch (error) {
    const { status } = error instanceof B2ndError ? error : {}
    return { message: (error as Error).message, missing: status === 404 || status === 410 }
  }
}

port.on('message', (question: Question) => {
  void answerTo(question).then(answer => {
    port.postMessage(answer)
    Atomics.store(flag, 0, 1)
    Atomics.notify(flag, 0)
  })
})
