import { copyOf } from './base/bytes.js'
import { argument, B2ndError } from './base/errors.js'
import { callAlone, createEngine, decodePart, eachBox, type Engine } from './engine/engine.js'
import type { Job, Recipe } from './engine/protocol.js'
import { boxCopier } from './reading/copy-box.js'
import type { Result, WorkerRequest, WorkerResponse } from './workers/protocol.js'

/** The channel to the pool: the global scope in browsers, a port in Node.js. */
interface Port {
  onmessage: (event: { data: WorkerRequest | null | undefined }) => void
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
  const answer = (result: Result, transfer: ArrayBuffer[] = []) =>
    port.postMessage({ id: data?.id ?? NaN, ...result }, transfer)
  try {
    if (!data?.job) throw argument('not a request')
    if (data.module instanceof WebAssembly.Module) engine = createEngine(data.module)
    if (data.recipe?.answers) recipe = data.recipe
    if ('call' in data.job) {
      const done = callAlone(engine, data.job)
      return answer({ done }, [done.buffer])
    }
    const { need } = decodePart(engine, { ...data.job, recipe }, output => {
      const { into, segments } = data.job as Job
      if (into) {
        eachBox(output, boxCopier(into))
        return answer({ done: new Uint8Array() })
      }
      // Memory that was used is faster than new memory.
      const { buffer } = segments[0]!
      const fits = buffer.byteLength >= output.length
      const done = fits ? new Uint8Array(buffer as ArrayBuffer, 0, output.length) : copyOf(output)
      if (fits) done.set(output)
      answer({ done }, [done.buffer])
    })
    if (need) answer({ need: need[0]! })
  } catch (error) {
    answer({ error: toMessage(error) })
  }
}

/** Converts an error to a message. */
function toMessage(error: unknown) {
  if (!(error instanceof B2ndError)) return { code: 'unsupported' as const, message: String(error) }
  const { code, message, cause: _, ...details } = error
  return { ...details, code, message }
}
