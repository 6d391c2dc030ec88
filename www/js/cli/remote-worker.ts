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
/** Requests have at least so many bytes: others that lie near are often next. */
const LEAST = 2 ** 16

const { port, flag } = workerData as { port: MessagePort; flag: Int32Array }
const opened = new Map<string, { readonly source: ByteSource; readonly cache: Cache }>()

function open(url: string) {
  const source = httpSource(new Request(url), {})
  // What is asked for at once has been merged.
  const cache = createCache(source, { bytes: CACHE, concurrency: CONCURRENCY, merge: ranges => [...ranges] })
  return { source, cache }
}

async function answerTo({ url, spans }: Question): Promise<Answer> {
  try {
    const { source, cache } = opened.get(url) ?? open(url)
    opened.set(url, { source, cache })
    const ranges = spans.map(({ offset, length }) => ({
      part: -1,
      start: offset,
      end: offset + (spans.length > 1 ? length : Math.max(length, LEAST)),
    }))
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
