import { copyOf } from './base/bytes.js'
import { B2ndError } from './base/errors.js'
import { createEngine, decodePart, encodePart, type Engine } from './engine/engine.js'
import type { Recipe } from './engine/protocol.js'
import type { WorkerRequest, WorkerResponse } from './workers/protocol.js'

/** The channel to the pool: the global scope in browsers, a port in Node.js. */
interface Port {
  onmessage: (event: { data: WorkerRequest }) => void
  postMessage(response: WorkerResponse, transfer: ArrayBuffer[]): void
}

const scope = globalThis as unknown as Port
const port =
  'postMessage' in scope
    ? scope
    : (globalThis.process.getBuiltinModule('node:worker_threads').parentPort as unknown as Port)

let engine: Engine
let recipe: Recipe

port.onmessage = ({ data }) => {
  if (data.module) engine = createEngine(data.module)
  if (data.recipe) recipe = data.recipe
  try {
    if ('nchunk' in data.job) {
      const done = encodePart(engine, data.job)
      return port.postMessage({ done }, [done.buffer])
    }
    const { need } = decodePart(engine, { ...data.job, recipe }, answer => {
      const done = copyOf(answer)
      port.postMessage({ done }, [done.buffer])
    })
    if (need) port.postMessage({ need }, [])
  } catch (error) {
    port.postMessage({ error: toMessage(error) }, [])
  }
}

/** Converts an error to a message. */
function toMessage(error: unknown) {
  if (!(error instanceof B2ndError)) return { code: 'unsupported' as const, message: String(error) }
  const { code, message, cause: _, ...details } = error
  return { ...details, code, message }
}
