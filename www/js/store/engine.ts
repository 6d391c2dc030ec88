// The wasm that knows what stores, tables and objects mean. It is loaded when the first of them is opened.

import { utf8, viewOf } from '../base/bytes.js'
import { wrapError } from '../base/errors.js'
import { createEngine, type Engine } from '../engine/engine.js'
import type { Limits, Recipe } from '../engine/protocol.js'
import { binary } from './binary.js'

let loading: Promise<Engine> | undefined

/** The engine of stores of this thread. */
export function getEngine(): Promise<Engine> {
  return (loading ??= binary()
    .then(module => createEngine(module))
    .catch((cause: unknown) => {
      // The next call tries again.
      loading = undefined
      throw wrapError('unsupported', 'the wasm of stores', cause)
    }))
}

/** The subject of calls: its parts, of which the first is its name. */
export const recipeOf = (limits: Readonly<Limits>, name = '', ...parts: ArrayBufferView[]): Recipe => ({
  answers: name ? [utf8(name), ...parts.map(viewOf)] : [],
  limits,
})
