// The wasm that computes expressions and statistics. This file is an entry of the package, which is imported when the first of them is.

import type { Engine } from '../engine/engine.js'
import { binary } from './binary.js'

let loading: Promise<WebAssembly.Module> | undefined

/** A new engine, which keeps what it computes. `create` is that of the caller's entry, so that its classes exist once. */
export async function expressionEngine(create: (module: WebAssembly.Module, cap: number) => Engine): Promise<Engine> {
  loading ??= binary().catch((error: unknown) => {
    // The next call tries again.
    loading = undefined
    throw error
  })
  return create(await loading, Infinity)
}
