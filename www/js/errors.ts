/** Who is to blame, or which source failed. */
export type Code =
  | 'format' // the bytes are wrong
  | 'unsupported' // valid, but not built in
  | 'argument' // the call makes no sense
  | 'limit' // more than the limits allow
  | 'http' // the server said no
  | 'network' // there was no answer, or CORS hides it
  | 'not-ranged' // the server does not serve parts of files
  | 'changed' // the file is not the one that was opened
  | 'source' // a source broke its promise

/** What an error knows besides its message. All of it is optional. */
export interface Details {
  /** Byte offset of the wrong bytes, from the start of the frame, or of the chunk if it was read on its own. */
  offset?: number
  /** Number of the chunk. */
  chunk?: number
  /** Number of the block within its chunk. */
  block?: number
  /** Id of the codec that is not built in. */
  codec?: number
  /** Id of the filter that is not built in. */
  filter?: number
  url?: string
  /** HTTP status. */
  status?: number
  cause?: unknown
}

/** The one class of errors. `code` tells what to do about it, the message what to tell people. */
export class B2ndError extends Error {
  override readonly name = 'B2ndError'
  readonly code: Code
  declare readonly offset?: number
  declare readonly chunk?: number
  declare readonly block?: number
  declare readonly codec?: number
  declare readonly filter?: number
  declare readonly url?: string
  declare readonly status?: number

  constructor(code: Code, message: string, { cause, ...details }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    Object.assign(this, details)
  }
}

/** Whether something that was thrown is a {@link B2ndError}, with one of these codes if any are given. */
export function isB2ndError(error: unknown, ...codes: Code[]): error is B2ndError {
  return error instanceof B2ndError && (codes.length === 0 || codes.includes(error.code))
}

const BLAME: Code[] = ['format', 'unsupported', 'argument', 'limit']

/** Messages by blame and kind, as ABI.md numbers them. */
const MESSAGES: ((a: number, b: number, name: string, c: number) => string)[][] = [
  [
    (a, b) => `cut short: ${a} bytes needed, ${b} there`,
    () => 'neither a Blosc2 frame nor a Blosc chunk',
    (a, _, name) => `${name} cannot be ${a}`,
    (a, b, name) => `${name} is ${a}, should be ${b}`,
    a => `unexpected MessagePack marker 0x${a.toString(16)}`,
    (_a, _b, name) => `corrupt ${name} stream`,
    a => `no chunk file ${chunkFile(a)}`,
  ],
  [
    a => `codec ${a} is not built in`,
    a => `filter ${a} is not built in`,
    a => `plugin ${a} needs the array's shape, not just its chunk`,
    a => `chunk format version ${a} is unknown`,
    a => `frame format version ${a} is unknown`,
    () => 'an instrumented chunk holds measurements, not data',
    () => 'chunks of variable length have no items to select',
    () => 'dtype not known',
  ],
  [
    (a, b, _, c) => `index ${b} is outside axis ${a} of length ${c}`,
    (a, b) => `${a} indices for ${b} dimensions`,
    () => 'selection not understood',
    a => `the step of axis ${a} is zero`,
    (a, b) => `buffer of ${b} bytes, ${a} needed`,
    (a, b) => `chunk ${a} of ${b}`,
    (a, b) => `block ${a} of ${b}`,
    () => 'not an n-dimensional array',
    () => 'bytes given that were not asked for',
  ],
  [
    (a, b) => `${a} bytes wanted at once, limited to ${b}`,
    (a, b) => `${a} bytes of metadata, limited to ${b}`,
    (a, b) => `nested ${a} levels deep, limited to ${b}`,
  ],
]

/** The name of a chunk's file in the directory of a sparse frame. */
export function chunkFile(number: number): string {
  return `${number.toString(16).toUpperCase().padStart(8, '0')}.chunk`
}

/** The error that wasm tells in numbers. */
export function errorOf(answer: Uint8Array): B2ndError {
  const numbers = new DataView(answer.buffer, answer.byteOffset)
  const at = (k: number) => numbers.getFloat64(8 * k, true)
  const [blame, kind, a, b, c] = [at(0), at(1), at(2), at(3), at(4)]
  const name = new TextDecoder().decode(answer.subarray(64))
  const details: Record<string, number> = {}
  const place: string[] = []
  for (const [k, key, words] of [[6, 'chunk', 'chunk'], [7, 'block', 'block'], [5, 'offset', 'at byte']] as const) {
    if (!Number.isNaN(at(k))) {
      details[key] = at(k)
      place.push(`${words} ${at(k)}`)
    }
  }
  if (blame === 1 && (kind === 0 || kind === 1)) details[kind ? 'filter' : 'codec'] = a
  const message = MESSAGES[blame]?.[kind]?.(a, b, name, c) ?? 'unknown error'
  return new B2ndError(BLAME[blame] ?? 'format', place.length ? `${message} (${place.join(', ')})` : message, details)
}
