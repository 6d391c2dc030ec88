import { binary } from './binary.js'
import { download } from './download.js'
import { Engine } from './engine.js'
import { argument } from './errors.js'

/** Where the wasm comes from, if not from where this entry of the package has it. */
export interface InitOptions {
  /** A compiled module. A worker gets it by message, say. */
  module?: WebAssembly.Module
  /** To be fetched; the server should say `application/wasm`. */
  url?: string | URL
  /** The module's bytes. */
  bytes?: BufferSource
}

let compiled: Promise<WebAssembly.Module> | undefined
let engine: Engine | undefined

/**
 * Loads the wasm. There is no need to call it, as everything does so by itself; but it may be called early to save time
 * later, or with options to say where the wasm is. The first call decides.
 */
export async function init(options?: InitOptions): Promise<void> {
  await getEngine(options)
}

/** The same, at once. With neither a module nor bytes it only tells that `init` has been called. */
export function initSync(options: Omit<InitOptions, 'url'> = {}): void {
  getEngineSync(options)
}

/** The compiled module, to be sent to workers. */
export function getModule(options?: InitOptions): Promise<WebAssembly.Module> {
  // What has failed is tried again by the next call.
  return (compiled ??= compile(options).catch(error => {
    compiled = undefined
    throw error
  }))
}

/** The engine of this thread. */
export async function getEngine(options?: InitOptions): Promise<Engine> {
  if (engine) return engine
  const module = await getModule(options)
  return (engine ??= Engine(module))
}

/** The engine of this thread, if it is there or can be made at once. */
export function getEngineSync(options: Omit<InitOptions, 'url'> = {}): Engine {
  if (engine) return engine
  const module = options.module ?? (options.bytes && new WebAssembly.Module(options.bytes))
  if (!module) throw argument('call `await init()` first')
  compiled ??= Promise.resolve(module)
  return (engine = Engine(module))
}

async function compile({ module, url, bytes }: InitOptions = {}): Promise<WebAssembly.Module> {
  if (module) return module
  if (bytes) return WebAssembly.compile(bytes)
  return url === undefined ? binary() : download(url)
}
