import { argument, wrapError } from '../base/errors.js'
import { checked, INIT } from '../base/validation.js'
import { binary } from './binary.js'
import { download } from './download.js'
import { createEngine, type Engine } from './engine.js'

/** The source of the wasm. The default is the wasm of this entry of the package. */
export interface InitOptions {
  /** A compiled module, for example from a message to a worker. */
  module?: WebAssembly.Module | undefined
  /** A URL to fetch. The server should send `application/wasm`. */
  url?: string | URL | undefined
  /** The bytes of the module. */
  bytes?: ArrayBuffer | ArrayBufferView<ArrayBuffer> | undefined
}

let compiled: Promise<WebAssembly.Module> | undefined
let engine: Engine | undefined

/**
 * Loads the wasm. Asynchronous functions load it on first use. Call this to load it early or from elsewhere, or before
 * synchronous functions. The options of the first call apply.
 */
export async function init(options: InitOptions = {}): Promise<void> {
  await getEngine(checked(options, INIT))
}

/** The synchronous `init`. Without a module and bytes it only checks that the wasm is loaded. */
export function initSync(options: Omit<InitOptions, 'url'> = {}): void {
  getEngineSync(checked(options, INIT))
}

/** The compiled module, to send to workers. */
export async function getModule(options: InitOptions = {}): Promise<WebAssembly.Module> {
  checked(options, INIT)
  // The next call tries again after a failure.
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

/** The engine of this thread. Fails if it is not loaded and the options do not suffice to create it. */
export function getEngineSync(options: Omit<InitOptions, 'url'> = {}): Engine {
  if (engine) return engine
  const { module: given, bytes } = options
  if (!given && !bytes) throw argument('call `await init()` first')
  let module: WebAssembly.Module
  try {
    module = checkModule(given ?? new WebAssembly.Module(bytes!))
  } catch (cause) {
    throw wrapError('argument', 'the wasm', cause)
  }
  compiled ??= Promise.resolve(module)
  return (engine = createEngine(module))
}

async function compile({ module, url, bytes }: InitOptions): Promise<WebAssembly.Module> {
  const given = module ?? bytes ?? url
  try {
    if (module) return checkModule(module)
    return checkModule(await (bytes ? WebAssembly.compile(bytes) : url === undefined ? binary() : download(url)))
  } catch (cause) {
    throw wrapError(given === undefined ? 'unsupported' : 'argument', 'the wasm', cause)
  }
}

/** Fails if a module is not the wasm of this library. */
function checkModule(module: WebAssembly.Module): WebAssembly.Module {
  const names = WebAssembly.Module.exports(module).map(({ name }) => name)
  if (!names.includes('output_len')) throw new Error('this module is not of b2nd')
  return module
}
