/**
 * Whose fault it is: the bytes (`format`), what this build can do (`unsupported`), the caller (`argument`), the limits
 * (`limit`); or the source: its answer's status (`http`), the connection (`network`), a server that only sends whole
 * files (`not-ranged`), bytes that changed while they were read (`changed`), and what else it does wrong (`source`).
 */
export type ErrorCode =
  | 'format' | 'unsupported' | 'argument' | 'limit'
  | 'http' | 'network' | 'not-ranged' | 'changed' | 'source'

/** What is known about a failure. */
export interface ErrorDetails {
  /** Byte of the frame, or of the chunk where `chunk` is given. */
  offset?: number
  chunk?: number
  block?: number
  /** Id of a codec that is not built in. */
  codec?: number
  /** Id of a filter that is not built in. */
  filter?: number
  url?: string
  /** HTTP status. */
  status?: number
  cause?: unknown
}

/** Every failure of this library, except that an aborted call rejects with the reason of its signal. */
export class B2ndError extends Error {
  readonly code: ErrorCode
  declare readonly offset?: number
  declare readonly chunk?: number
  declare readonly block?: number
  declare readonly codec?: number
  declare readonly filter?: number
  declare readonly url?: string
  declare readonly status?: number

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    const { cause, ...rest } = details
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'B2ndError'
    this.code = code
    Object.assign(this, rest)
  }
}

/** Whether `error` is a `B2ndError`, and of one of `codes` if any are given. Works across copies of the library. */
export function isB2ndError(error: unknown, ...codes: ErrorCode[]): error is B2ndError {
  if (!(error instanceof Error) || error.name !== 'B2ndError') return false
  return codes.length === 0 || codes.includes((error as B2ndError).code)
}

/** Makes an error of the caller. */
export const argument = (message: string, cause?: unknown): B2ndError => new B2ndError('argument', message, { cause })

/** Makes an error of the index. */
export const damaged = (chunk: number): B2ndError =>
  new B2ndError('format', `the index says nothing valid about chunk ${chunk}`, { chunk })

/** Makes one of a chunk that ends early. */
export const truncated = (needed: number, there: number, chunk: number): B2ndError =>
  new B2ndError('format', `truncated: ${needed} bytes of chunk ${chunk} needed, ${there} there`, { chunk })

const BLAME: ErrorCode[] = ['format', 'unsupported', 'argument', 'limit']
const PLACES = [[1, 'chunk'], [2, 'block'], [0, 'offset']] as const

/** What happened, by blame and kind. ABI.md has the numbers. */
const MESSAGES: ((a: number, b: number, c: number, name: string) => string)[][] = [
  [
    (needed, there) => `truncated: ${needed} bytes needed, ${there} there`,
    () => 'neither a Blosc2 frame nor a Blosc chunk',
    (value, _b, _c, name) => `${name} cannot be ${value}`,
    (found, expected, _c, name) => `${name} is ${found} and should be ${expected}`,
    marker => `MessagePack marker 0x${marker.toString(16)} is out of place`,
    (_a, _b, _c, name) => `damaged ${name} stream`,
    file => `the file of chunk number ${file} is missing`,
  ],
  [
    id => `codec ${id} is not built in`,
    id => `filter ${id} is not built in`,
    id => `plugin ${id} needs the shape of an array`,
    version => `chunk format version ${version} is not known`,
    version => `frame format version ${version} is not known`,
    () => 'instrumented chunks hold no data',
    () => 'chunks with blocks of variable length have no items; read them chunk by chunk',
    () => 'the dtype is not understood',
  ],
  [
    (axis, index, length) => `index ${index} is out of bounds for axis ${axis} of length ${length}`,
    (given, there) => `${given} indices for ${there} dimensions`,
    () => 'not a selection',
    axis => `the step of axis ${axis} is zero`,
    (expected, actual) => `a buffer of ${expected} bytes needed, one of ${actual} given`,
    (index, count) => `chunk ${index} of ${count}`,
    (index, count) => `block ${index} of ${count}`,
    () => 'not an array',
    () => 'bytes were given that nobody asked for',
  ],
  [
    (wanted, allowed) => `${wanted} bytes of memory asked for, ${allowed} allowed`,
    (wanted, allowed) => `${wanted} bytes of metadata asked for, ${allowed} allowed`,
    (wanted, allowed) => `${wanted} levels of nesting, ${allowed} allowed`,
  ],
]

/** The error that the engine wrote: `blame, kind, a, b, c, offset, chunk, block` and a name. */
export function engineError([blame, kind, a, b, c, ...place]: readonly number[], name = ''): B2ndError {
  const message = MESSAGES[blame!]?.[kind!]?.(a!, b!, c!, name) ?? `error ${blame}.${kind}`
  const details: Record<string, number> = {}
  if (blame === 1 && kind! < 2) details[kind ? 'filter' : 'codec'] = a!
  let where = ''
  for (const [k, what] of PLACES) {
    const number = place[k]
    // NaN is not known.
    if (!(number! >= 0)) continue
    details[what] = number!
    where += `${where && ', '}${what} ${number}`
  }
  return new B2ndError(BLAME[blame!] ?? 'format', message + (where && ` (${where})`), details)
}
