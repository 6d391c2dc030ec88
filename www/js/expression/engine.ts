// The wasm that computes expressions. It is loaded when the first of them is opened.

import { wrapError } from '../base/errors.js'
import { createEngine, type Engine } from '../engine/engine.js'
import { binary } from './binary.js'

let loading: Promise<WebAssembly.Module> | undefined

/** A new engine that computes an expression: it keeps what is computed. */
export async function expressionEngine(): Promise<Engine> {
  loading ??= binary().catch((cause: unknown) => {
    // The next call tries again.
    loading = undefined
    throw wrapError('unsupported', 'the wasm of expressions', cause)
  })
  return createEngine(await loading, Infinity)
}
