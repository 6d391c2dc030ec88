/** Restores the documented name of a class, which minifiers change. */
export function setName(type: object, name: string): void {
  Object.defineProperty(type, 'name', { value: name })
}

/**
 * The cause of a failure: invalid bytes (`format`), a feature that this build lacks (`unsupported`), a wrong argument
 * (`argument`), a limit (`limit`); or the source: an HTTP status (`http`), the connection (`network`), a server without range
 * requests (`not-ranged`), a file that is no longer what was opened (`changed`), any other fault of a source (`source`).
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

/** Details of a failure, as far as they are known. */
export interface ErrorDetails {
  /** Byte offset in the frame, or in the chunk if `chunk` is given. */
  offset?: number | undefined
  /** Index of the chunk, in C order. */
  chunk?: number | undefined
  /** Index of the block in its chunk. */
  block?: number | undefined
  /** Id of a codec that is not supported. */
  codec?: number | undefined
  /** Id of a filter that is not supported. */
  filter?: number | undefined
  /** The URL that was fetched. */
  url?: string | undefined
  /** HTTP status. */
  status?: number | undefined
  /** The error that caused this one. */
  cause?: unknown
}

/** The error of every failure of this library. Only aborted calls reject with something else: the reason of their signal. */
export class B2ndError extends Error {
  /** The kind of failure. */
  declare readonly code: ErrorCode
  /** Byte offset in the frame, or in the chunk if `chunk` is given. */
  declare readonly offset?: number
  /** Index of the chunk, in C order. */
  declare readonly chunk?: number
  /** Index of the block in its chunk. */
  declare readonly block?: number
  /** Id of a codec that is not supported. */
  declare readonly codec?: number
  /** Id of a filter that is not supported. */
  declare readonly filter?: number
  /** The URL that was fetched. */
  declare readonly url?: string
  /** HTTP status. */
  declare readonly status?: number

  static {
    // Stacks begin with the name in the prototype.
    setName(this, 'B2ndError')
    this.prototype.name = 'B2ndError'
  }

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details)
    const { cause: _, ...known } = details
    Object.assign(this, { code, ...known })
  }
}

/** Whether `error` is a `B2ndError` with one of `codes`, or with any code if none is given. Works across copies of the library. */
export function isB2ndError(error: unknown, ...codes: ErrorCode[]): error is B2ndError {
  return (
    error instanceof Error && error.name === 'B2ndError' && (!codes.length || codes.includes((error as B2ndError).code))
  )
}

/** Creates an error with the code `argument`. */
export const argument = (message: string, details?: ErrorDetails): B2ndError =>
  new B2ndError('argument', message, details)

/** Wraps an error of other code. A `B2ndError` is returned as it is. */
export const wrapError = (code: ErrorCode, what: string, cause: unknown, details?: ErrorDetails): B2ndError =>
  isB2ndError(cause)
    ? cause
    : new B2ndError(code, `${what}: ${(cause as Error | undefined)?.message || formatValue(cause)}`, {
        ...details,
        cause,
      })

/** Formats a value for a message. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  return Object(value) === value ? typeof value : String(value)
}

/** Creates the error for an invalid index entry. */
export const damaged = (chunk: number): B2ndError =>
  new B2ndError('format', `the index entry of chunk ${chunk} is invalid`, { chunk })
