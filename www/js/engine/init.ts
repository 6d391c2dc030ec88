import { argument, foreign } from '../base/errors.js'
import { checked, INIT } from '../base/validation.js'
import { binary } from './binary.js'
import { download } from './download.js'
import { createEngine, type Engine } from './engine.js'

/** Where the wasm comes from, if not from where this entry of the package has it. */
export interface InitOptions {
  /** A compiled module. A worker gets it by message, say. */
  module?: WebAssembly.Module | undefined
  /** To be fetched; the server should say `application/wasm`. */
  url?: string | URL | undefined
  /** The module's bytes. */
  bytes?: ArrayBuffer | ArrayBufferView<ArrayBuffer> | undefined
}

let compiled: Promise<WebAssembly.Module> | undefined
let engine: Engine | undefined

/**
 * Loads the wasm. There is no need to call it, as everything does so by itself; but it may be called early to save time
 * later, or with options to say where the wasm is. The first call decides.
 */
export async function init(options: InitOptions = {}): Promise<void> {
  await getEngine(checked(options, INIT))
}

/** The same, at once. With neither a module nor bytes it only tells that `init` has been called. */
export function initSync(options: Omit<InitOptions, 'url'> = {}): void {
  getEngineSync(checked(options, INIT))
}

/** The compiled module, to be sent to workers. */
export async function getModule(options: InitOptions = {}): Promise<WebAssembly.Module> {
  checked(options, INIT)
  // What has failed is tried again by the next call.
  return (compiled ??= compile(options).catch((error: unknown) => {
    compiled = undefined
    throw error
  }))
}

/** The engine of this thread. */
export async function getEngine(options?: InitOptions): Promise<Engine> {
  if (engine) return engine
  const module = await getModule(options)
  return (engine ??= createEngine(module))
}

/** The engine of this thread, if it is there or can be made at once. */
export function getEngineSync(options: Omit<InitOptions, 'url'> = {}): Engine {
  if (engine) return engine
  const { module: given, bytes } = options
  if (!given && !bytes) throw argument('call `await init()` first')
  let module: WebAssembly.Module
  try {
    module = ours(given ?? new WebAssembly.Module(bytes!))
  } catch (cause) {
    throw foreign('argument', 'the wasm', cause)
  }
  compiled ??= Promise.resolve(module)
  return (engine = createEngine(module))
}

async function compile({ module, url, bytes }: InitOptions): Promise<WebAssembly.Module> {
  const given = module ?? bytes ?? url
  try {
    if (module) return ours(module)
    return ours(await (bytes ? WebAssembly.compile(bytes) : url === undefined ? binary() : download(url)))
  } catch (cause) {
    throw foreign(given === undefined ? 'unsupported' : 'argument', 'the wasm', cause)
  }
}

/** Fails for a module of somebody else's. */
function ours(module: WebAssembly.Module): WebAssembly.Module {
  const names = WebAssembly.Module.exports(module).map(({ name }) => name)
  if (!names.includes('chunk_decode')) throw new Error('this module is not of b2nd')
  return module
}
