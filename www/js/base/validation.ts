// Validation of options and arguments. An invalid one fails as `argument` with its name.

import { bytesIn } from './bytes.js'
import { argument, formatValue } from './errors.js'

/** A description of valid values, and a test for them. */
export type Rule = readonly [words: string, fits: (value: unknown) => unknown]

/** The rules of options, by name. */
export type Rules = Readonly<Record<string, Rule>>

export const number = (least: number, most: number, whole: boolean): Rule => [
  `${whole ? 'an integer' : 'a number'} from ${least} to ${most}`,
  value => typeof value === 'number' && value >= least && value <= most && !(whole && value % 1 > 0),
]
/** Tests for a property that is truthy. */
export function having(name: string | symbol): (value: unknown) => unknown {
  return value => (value as Record<string | symbol, unknown> | null | undefined)?.[name]
}

function isRange(value: unknown): unknown {
  const range = value as number[] | null | undefined
  return range?.every?.(Number.isFinite) && range[0]! <= range[1]!
}

const fraction = /* @__PURE__ */ number(0, Infinity, false)
const amount = /* @__PURE__ */ number(0, Infinity, true)
const count = /* @__PURE__ */ number(1, Infinity, true)
export const position = /* @__PURE__ */ number(0, Number.MAX_SAFE_INTEGER, true)
export const callback: Rule = ['a function', value => typeof value === 'function']
export const signal: Rule = ['an AbortSignal', having('throwIfAborted')]
export const flag: Rule = ['a boolean', value => typeof value === 'boolean']
export const object: Rule = ['an object', value => Object(value) === value]
export const bytes: Rule = ['bytes', bytesIn]
export const limits: Rule = [
  '',
  value => checked(value as object, { memory: amount, metadata: amount, expansion: amount }, 'limits'),
]

export const READ = {
  signal,
  onProgress: callback,
  int64: [`'bigint' or 'number'`, value => value === 'bigint' || value === 'number'],
  bins: /* @__PURE__ */ number(1, 2 ** 24, true),
  range: ['[low, high]', isRange],
} satisfies Rules
export const OPEN: Rules = {
  signal,
  limits,
  fetch: callback,
  retries: amount,
  maxWhole: amount,
  offset: position,
  cache: amount,
  concurrency: count,
  gap: amount,
  waste: fraction,
  asStored: flag,
  operands: callback,
  onTraffic: callback,
  decoder: ['a decoder', having('decode')],
}
export const CHUNK: Rules = { limits, out: ['a Uint8Array', value => value instanceof Uint8Array] }
export const POOL: Rules = { size: count, createWorker: callback, idleMs: amount }
export const INIT: Rules = {
  module: ['a WebAssembly.Module', value => value instanceof WebAssembly.Module],
  url: ['a URL', value => typeof value === 'string' || having('href')(value)],
  bytes,
}

/** Fails if a value is invalid. */
export function check(name: string, value: unknown, [words, fits]: Rule): void {
  if (!fits(value)) throw argument(`${name}: ${formatValue(value)} is not ${words}`)
}

/** Returns options after it has checked each that is given. Fails for one without a rule, which is probably misspelt. */
export function checked<T extends object>(options: T, rules: Rules, name = 'options'): T {
  check(name, options, object)
  for (const [option, value] of Object.entries(options)) {
    if (value !== undefined) check(option, value, rules[option] ?? [`one of ${Object.keys(rules).join(', ')}`, () => 0])
  }
  return options
}

/** Fails unless there is a length of a chunk or a block for each axis. */
export function checkLengths(name: string, lengths: readonly number[], ndim: number): void {
  if (lengths.length !== ndim) throw argument(`${name}: ${ndim} lengths needed, ${lengths.length} given`)
  if (lengths.some(length => !(length >= 1 && length < 2 ** 31)))
    throw argument(`${name}: a length is not from 1 to 2^31 − 1`)
}
