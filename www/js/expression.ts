// The entry `b2nd/expression`: expressions of arrays, and lazy arrays of python-blosc2.

import { B2ndError, openArray, type OpenOptions } from './index.js'
import type { OperandOpener } from './reading/frame.js'

export { evaluate, LazyArray, type EvaluateOptions } from './arrays/lazy.js'
export { B2ndError, isB2ndError, type ErrorCode, type ErrorDetails } from './base/errors.js'
export type { Operand, OperandOpener } from './reading/frame.js'

/**
 * Opens the operands of a lazy array whose file is at a URL: `open(url, { operands: operandsBeside(url) })`. Their paths begin at its
 * folder. Fails as `argument` for a path to another origin. Operands that are lazy arrays themselves are not computed.
 */
export function operandsBeside(url: string | URL, options: OpenOptions = {}): OperandOpener {
  const base = new URL(url, globalThis.location?.href)
  return async ({ name, path, key }) => {
    // No path becomes a URL of its own.
    const at = new URL(path.split('/').map(encodeURIComponent).join('/'), base)
    if (at.origin !== base.origin) throw new B2ndError('argument', `operand ${name} is at another origin: ${at.href}`)
    if (key === null) return openArray(at, options)
    const { openStore } = await import('./store.js')
    return (await openStore(at, options)).getArray(key)
  }
}
