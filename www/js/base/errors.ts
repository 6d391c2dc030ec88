/** Gives a class the name that it has in the documentation, whatever a minifier calls it. */
export function named(type: object, name: string): void {
  Object.defineProperty(type, 'name', { value: name })
}

/**
 * Whose fault it is: the bytes (`format`), what this build can do (`unsupported`), the caller (`argument`), the limits
 * (`limit`); or the source: its answer's status (`http`), the connection (`network`), a server that only sends whole
 * files (`not-ranged`), bytes that changed while they were read (`changed`), and what else it does wrong (`source`).
 */
export type ErrorCode =
  | 'format'
  | 'unsupported'
  | 'argument'
  | 'limit'
  | 'http'
  | 'network'
  | 'not-ranged'
  | 'changed'
  | 'source'

/** What is known about a failure. */
export interface ErrorDetails {
  /** Byte of the frame, or of the chunk where `chunk` is given. */
  offset?: number | undefined
  /** Number of the chunk, in C order. */
  chunk?: number | undefined
  /** Number of the block in its chunk. */
  block?: number | undefined
  /** Id of a codec that is not built in. */
  codec?: number | undefined
  /** Id of a filter that is not built in. */
  filter?: number | undefined
  /** What was fetched. */
  url?: string | undefined
  /** HTTP status. */
  status?: number | undefined
  /** The error behind this one, if there is one. */
  cause?: unknown
}

const DETAILS = ['offset', 'chunk', 'block', 'codec', 'filter', 'url', 'status'] as const

/** Every failure of this library, except that an aborted call rejects with the reason of its signal. */
export class B2ndError extends Error {
  /** Whose fault it is. */
  readonly code: ErrorCode
  /** Byte of the frame, or of the chunk where `chunk` is given. */
  declare readonly offset?: number
  /** Number of the chunk, in C order. */
  declare readonly chunk?: number
  /** Number of the block in its chunk. */
  declare readonly block?: number
  /** Id of a codec that is not built in. */
  declare readonly codec?: number
  /** Id of a filter that is not built in. */
  declare readonly filter?: number
  /** What was fetched. */
  declare readonly url?: string
  /** HTTP status. */
  declare readonly status?: number

  static {
    // Minifiers rename classes. The prototype has it for stacks, which begin with it.
    named(this, 'B2ndError')
    this.prototype.name = 'B2ndError'
  }

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details)
    this.code = code
    for (const name of DETAILS) if (details[name] !== undefined) this[name] = details[name] as never
  }
}

/** Whether `error` is a `B2ndError`, and of one of `codes` if any are given. Works across copies of the library. */
export function isB2ndError(error: unknown, ...codes: ErrorCode[]): error is B2ndError {
  return (
    error instanceof Error && error.name === 'B2ndError' && (!codes.length || codes.includes((error as B2ndError).code))
  )
}

/** Makes an error of the caller. */
export const argument = (message: string, details?: ErrorDetails): B2ndError =>
  new B2ndError('argument', message, details)

/** An error of somebody else's code, as one of this library, unless it is one already. */
export const foreign = (code: ErrorCode, what: string, cause: unknown, details?: ErrorDetails): B2ndError =>
  isB2ndError(cause)
    ? cause
    : new B2ndError(code, `${what}: ${(cause as Error | undefined)?.message || shown(cause)}`, { ...details, cause })

/** A value as messages have it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  return Object(value) === value ? typeof value : String(value)
}

/** Makes an error of the index. */
export const damaged = (chunk: number): B2ndError =>
  new B2ndError('format', `the index says nothing valid about chunk ${chunk}`, { chunk })
