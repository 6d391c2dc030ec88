import { binary } from './binary.js'
import type { Engine } from './engine.js'

let engine: Promise<Engine> | undefined

/**
 * The engine of this thread that also decodes ZFP. This file is an entry of the package, with another wasm, and is imported when
 * the first array with ZFP is opened. `create` is that of the other entry, so that its classes exist once.
 */
export async function zfpEngine(create: (module: WebAssembly.Module) => Engine): Promise<Engine> {
  engine ??= binary().then(module => create(module))
  return engine.catch((error: unknown) => {
    // The next call tries again.
    engine = undefined
    throw error
  })
}
