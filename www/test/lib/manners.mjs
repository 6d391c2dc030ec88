// Faults of servers and proxies.

import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/** What each does to a good answer. */
const SPOILERS = {
  good: answer => answer,
  /** Knows nothing of ranges. */
  'no-range': (answer, { content }) => {
    if (![206, 416].includes(answer.status)) return without(answer, 'Accept-Ranges')
    return { ...without(answer, 'Accept-Ranges', 'Content-Range'), status: 200, body: content }
  },
  /** Sends other bytes than it was asked for, and says so. */
  'wrong-range': (answer, { content }) =>
    ranged(answer, ([start, end]) => {
      const moved = start > 0 ? [start - 1, end - 1] : [start + 1, end + 1]
      return { ...answer, ...slice(answer, content, moved) }
    }),
  /** Sends fewer bytes than it was asked for, and says so: it is allowed to. */
  short: (answer, { content }) =>
    ranged(answer, ([start, end]) => ({
      ...answer,
      ...slice(answer, content, [start, start + Math.ceil((end - start) / 2)]),
    })),
  /** Says how much there is to come and breaks off in the midst of it: see `hold`. */
  truncated: answer => answer,
  /** Has no time, at first. */
  busy: (answer, { asked }) =>
    asked > 1 ? answer : { status: 429, headers: { ...answer.headers, 'Retry-After': '0' }, body: Buffer.from('busy') },
  /** Has no time for an hour. */
  'away for long': answer => ({
    status: 503,
    headers: { ...answer.headers, 'Retry-After': '3600' },
    body: Buffer.from('away'),
  }),
  /** Has another version of the file each time. */
  changing: answer => ({ ...answer, headers: { ...answer.headers, ETag: `"${++versions}"` } }),
  /** Takes its time: see `hold`. */
  slow: answer => answer,
  /** Sends headers that the script of another origin is not shown. */
  'no-cors-exposure': answer => without(answer, 'Access-Control-Expose-Headers'),
  /** Compresses the range that was asked for. */
  gzip: answer =>
    answer.body
      ? { ...answer, headers: { ...answer.headers, 'Content-Encoding': 'gzip' }, body: gzipSync(answer.body) }
      : answer,
  /** Fails. */
  broken: answer => ({ status: 500, headers: answer.headers, body: Buffer.from('broken') }),
}
let versions = 0

export const MANNERS = Object.keys(SPOILERS)
/** Of a body that is sent slowly. */
const PARTS = 8
const PAUSE = 25

/** An answer `{ status, headers, body }` with a manner. `asked` says how often the very same was asked, this time included. */
export function spoil(manner, answer, { asked, content }) {
  return SPOILERS[manner](answer, { asked, content })
}

/** The parts in which a body is sent. */
export async function* hold(manner, body) {
  if (!body) return
  if (manner === 'truncated') yield body.subarray(0, body.length >> 1)
  else if (manner !== 'slow') yield body
  else yield* trickle(body)
}

async function* trickle(body) {
  const step = Math.max(1, Math.ceil(body.length / PARTS))
  for (let start = 0; start < body.length; start += step) {
    await sleep(PAUSE)
    yield body.subarray(start, start + step)
  }
}

function without(answer, ...names) {
  const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !names.includes(name)))
  return { ...answer, headers }
}

/** Answers with a part of the file are changed, others are let be. */
function ranged(answer, change) {
  const match = /^bytes (\d+)-(\d+)\//.exec(answer.headers['Content-Range'] ?? '')
  return match && answer.status === 206 ? change([Number(match[1]), Number(match[2]) + 1]) : answer
}

function slice({ headers }, content, [start, end]) {
  const body = content.subarray(start, end)
  const range = `bytes ${start}-${start + body.length - 1}/${content.length}`
  return { headers: { ...headers, 'Content-Range': range }, body }
}
