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
    for (const [name, value] of Object.entries(rest)) {
      if (value !== undefined) Object.defineProperty(this, name, { value, enumerable: true })
    }
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

type Numbers = readonly [a: number, b: number, c: number]

const FORMAT: ((n: Numbers, name: string) => string)[] = [
  ([needed, there]) => `truncated: ${needed} bytes needed, ${there} there`,
  () => 'neither a Blosc2 frame nor a Blosc chunk',
  ([value], name) => `${name} cannot be ${value}`,
  ([found, expected], name) => `${name} is ${found} and should be ${expected}`,
  ([marker]) => `MessagePack marker 0x${marker.toString(16)} is out of place`,
  (_, name) => `damaged ${name} stream`,
  ([file]) => `the file of chunk number ${file} is missing`,
]

const UNSUPPORTED: ((id: number) => string)[] = [
  id => `codec ${id} is not built in`,
  id => `filter ${id} is not built in`,
  id => `plugin ${id} needs the shape of an array`,
  version => `chunk format version ${version} is not known`,
  version => `frame format version ${version} is not known`,
  () => 'instrumented chunks hold no data',
  () => 'chunks with blocks of variable length have no items; read them chunk by chunk',
  () => 'the dtype is not understood',
]

const ARGUMENT: ((n: Numbers) => string)[] = [
  ([axis, index, length]) => `index ${index} is out of bounds for axis ${axis} of length ${length}`,
  ([given, there]) => `${given} indices for ${there} dimensions`,
  () => 'not a selection',
  ([axis]) => `the step of axis ${axis} is zero`,
  ([expected, actual]) => `a buffer of ${expected} bytes expected, one of ${actual} given`,
  ([index, count]) => `chunk ${index} of ${count}`,
  ([index, count]) => `block ${index} of ${count}`,
  () => 'not an array',
  () => 'bytes were given that nobody asked for',
]

const LIMIT = ['bytes of memory', 'bytes of metadata', 'levels of nesting']

/** The error that the engine wrote: `blame, kind, a, b, c, offset, chunk, block` and a name. */
export function engineError(numbers: Float64Array, name: string): B2ndError {
  const [blame, kind, a, b, c, offset, chunk, block] = numbers as unknown as number[] as [
    number, number, number, number, number, number, number, number,
  ]
  const known = (number: number) => (Number.isNaN(number) ? undefined : number)
  const details = { offset: known(offset), chunk: known(chunk), block: known(block) }
  const unknown = (what: string) => `${what} (${kind})`
  switch (blame) {
    case 0: {
      const what = FORMAT[kind]?.([a, b, c], name) ?? unknown('damaged')
      return new B2ndError('format', what + place(details), details)
    }
    case 1: {
      const ids = { codec: kind === 0 ? a : undefined, filter: kind === 1 ? a : undefined }
      return new B2ndError('unsupported', UNSUPPORTED[kind]?.(a) ?? unknown('not supported'), ids)
    }
    case 2:
      return new B2ndError('argument', ARGUMENT[kind]?.([a, b, c]) ?? unknown('wrong argument'))
    default:
      return new B2ndError('limit', `${a} ${LIMIT[kind] ?? 'of something'} asked for, ${b} allowed`)
  }
}

function place({ offset, chunk, block }: ErrorDetails): string {
  const parts = Object.entries({ chunk, block, byte: offset }).filter(([, number]) => number !== undefined)
  return parts.length ? ` (${parts.map(([what, number]) => `${what} ${number}`).join(', ')})` : ''
}
