// Questions about rows, answered by a worker of its own, so that the page stays responsive whatever the number of rows.
import { B2ndError } from '../../js/index.js'
import type { Asking, ColumnStatistics, Numbers, Queries, Selection, Values } from '../model/row-queries.js'
import type { TextFormat } from '../model/row-text.js'
import type { Rows } from '../model/rows.js'
import type { Answer, Name, Place, Request } from './rows-worker.js'

/** The queries of the rows at a place. `rows` answers where no worker can read them. */
export async function queriesOf(rows: Rows, place: Place | null): Promise<Queries> {
  const url = new URL('./rows.js', import.meta.url)
  // Browsers do not start workers from another origin.
  if (place && url.origin === location.origin) {
    const worker = new Worker(url, { type: 'module' })
    try {
      const { name, openable, url, folder } = place.source
      const source = { name, openable, ...(url && { url }), ...(folder && { folder }) }
      return new WorkerQueries(worker, { source, key: place.key })
    } catch {
      // A source of functions cannot be sent.
      worker.terminate()
    }
  }
  const { RowQueries } = await import('../model/row-queries.js')
  return new RowQueries(rows)
}

interface Waiting {
  resolve(value: never): void
  reject(error: unknown): void
  onProgress: Asking['onProgress']
}

class WorkerQueries implements Queries {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #last = 0
  /** Why nothing is answered any more. */
  #failure: B2ndError | undefined

  constructor(worker: Worker, place: Place) {
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<Answer | null>) => this.#answered(data)
    worker.onerror = ({ message }) => this.#fail(message)
    worker.onmessageerror = () => this.#fail('its answer cannot be received')
    this.#send({ place })
  }

  select(selection: Selection, asking?: Asking): Promise<Numbers> {
    return this.#ask('select', [selection], asking)
  }

  read(numbers: Uint32Array, asking?: Asking): Promise<unknown[][]> {
    return this.#ask('read', [numbers], asking)
  }

  statistics(column: number, numbers: Numbers, asking?: Asking): Promise<ColumnStatistics> {
    return this.#ask('statistics', [column, numbers], asking)
  }

  pair(x: number, y: number, numbers: Numbers, asking?: Asking): Promise<[Values, Values]> {
    return this.#ask('pair', [x, y, numbers], asking)
  }

  text(format: TextFormat, numbers: Numbers, asking?: Asking): Promise<Blob> {
    return this.#ask('text', [format, numbers], asking)
  }

  close(): void {
    this.#worker.terminate()
  }

  #ask<T>(name: Name, rest: unknown[], { signal, onProgress }: Asking = {}): Promise<T> {
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      if (this.#failure) throw this.#failure
      signal?.addEventListener('abort', () => {
        this.#waiting.delete(id)
        this.#send({ cancelled: id })
        reject(signal.reason)
      })
      this.#waiting.set(id, { resolve, reject, onProgress })
      this.#send({ id, name, rest })
    })
  }

  #send(request: Request): void {
    this.#worker.postMessage(request, [])
  }

  #answered(answer: Answer | null): void {
    // Tools of others may send messages, too.
    const asked = this.#waiting.get(answer?.id ?? 0)
    if (!answer || !asked) return
    if ('share' in answer) return asked.onProgress?.(answer.share)
    this.#waiting.delete(answer.id)
    if ('error' in answer) asked.reject(new B2ndError(answer.error.code, answer.error.message))
    else asked.resolve(answer.value as never)
  }

  #fail(message?: string): void {
    this.#failure = new B2ndError(
      'unsupported',
      `the worker that reads rows has failed${message ? `: ${message}` : ''}`,
    )
    for (const { reject } of this.#waiting.values()) reject(this.#failure)
    this.#waiting.clear()
  }
}
