// Answers questions about the rows of a file. This is the script of a worker, which reads the file itself.
import { isB2ndError, open, type ErrorCode } from '../../js/index.js'
import type { Source } from '../model/dataset.js'
import { Dataset } from '../model/dataset.js'
import { openMember } from '../model/members.js'
import { RowQueries, type Asking } from '../model/row-queries.js'
import { rowsOfObjects, type Rows } from '../model/rows.js'
import { membersOf } from './stores.js'

/** A file, and the member of a store. */
export interface Place {
  source: Source
  key: string | null
}

export type Name = 'select' | 'read' | 'statistics' | 'pair' | 'text'
export type Request = { place: Place } | { id: number; name: Name; rest: unknown[] } | { cancelled: number }
/** Several shares may come before one of the others. */
export type Answer = { id: number } & (
  | { share: number }
  | { value: unknown }
  | { error: { code: ErrorCode; message: string } }
)

async function rowsAt({ source, key }: Place): Promise<Rows> {
  const rows =
    key === null
      ? await rowsOfObjects(await open(source.openable, { asStored: true }))
      : await openMember((await membersOf(source, {}))!, key, source, {})
  if (!rows || rows instanceof Dataset) throw new TypeError('these are no rows')
  return rows
}

interface Port {
  onmessage: (event: { data: Request }) => void
  postMessage(answer: Answer): void
}

function serve(port: Port): void {
  let queries: Promise<RowQueries> | undefined
  const underway = new Map<number, AbortController>()
  const answer = async (id: number, name: Name, rest: unknown[]): Promise<Answer> => {
    const abort = new AbortController()
    underway.set(id, abort)
    const asking: Asking = { signal: abort.signal, onProgress: share => port.postMessage({ id, share }) }
    try {
      const asked = (await queries!)[name] as (...rest: unknown[]) => Promise<unknown>
      return { id, value: await asked.call(await queries, ...rest, asking) }
    } catch (error) {
      const { message } = error as Error
      return { id, error: { code: isB2ndError(error) ? error.code : 'unsupported', message } }
    } finally {
      underway.delete(id)
    }
  }
  port.onmessage = ({ data }) => {
    if ('place' in data) {
      queries = rowsAt(data.place).then(rows => new RowQueries(rows))
      // Whoever asks is told.
      queries.catch(() => {})
    } else if ('cancelled' in data) underway.get(data.cancelled)?.abort()
    else void answer(data.id, data.name, data.rest).then(found => port.postMessage(found))
  }
}

if (!('document' in globalThis)) serve(globalThis as unknown as Port)
