import { binary } from './binary.js'
import { download } from './download.js'
import { Engine, type Exports } from './engine.js'
import { B2ndError } from './errors.js'

/** Where the module comes from; by default each entry knows its own way. */
export interface InitOptions {
  /** A compiled module. */
  module?: WebAssembly.Module
  /** Its bytes. */
  bytes?: BufferSource
  /** Where to fetch it. */
  url?: string | URL
}

let loading: Promise<WebAssembly.Module> | undefined
let compiled: WebAssembly.Module | undefined
let engine: Engine | undefined
let limits = { memory: 2 ** 30, metadata: 2 ** 26 }

/** Memory of wasm never shrinks: above this an engine is replaced by a new one. */
const MOST = 256 << 20

/**
 * Loads the module now, or with a module of one's own. Not needed: whatever needs it loads it. A call that fails can be
 * repeated.
 */
export async function init(options: InitOptions = {}): Promise<void> {
  await module(options)
}

/** The same without waiting: for a compiled module, or bytes. */
export function initSync(options: { module?: WebAssembly.Module; bytes?: BufferSource }): void {
  compiled ??= options.module ?? (options.bytes && new WebAssembly.Module(options.bytes))
}

/** The compiled module: workers are given it. */
export async function module(options: InitOptions = {}): Promise<WebAssembly.Module> {
  if (compiled) return compiled
  // What has failed is tried again by the next call.
  loading ??= compile(options).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return (compiled = await loading)
}

async function compile({ module, bytes, url }: InitOptions): Promise<WebAssembly.Module> {
  if (module) return module
  if (bytes) return WebAssembly.compile(bytes)
  return url === undefined ? binary() : download(url)
}

/** The limits of all decoding in this module, in bytes. */
export function setLimits(wanted: { memory?: number; metadata?: number }): void {
  limits = { ...limits, ...wanted }
  engine?.limit(limits)
}

/** The engine, once the module is there. */
export async function getEngine(): Promise<Engine> {
  if (!compiled) await module()
  return engineSync()
}

/** The engine, if the module is there. */
export function engineSync(): Engine {
  if (!compiled) throw new B2ndError('argument', 'the wasm module is not loaded yet: await init() first')
  if (engine && engine.memory > MOST) engine = undefined
  if (!engine) {
    engine = new Engine(new WebAssembly.Instance(compiled, {}).exports as unknown as Exports)
    engine.limit(limits)
  }
  return engine
}
