import { download } from '../engine/download.js'

/** Fetches the wasm of expressions from a file next to this one. */
export const binary = (): Promise<WebAssembly.Module> => download(new URL('./expression.wasm', import.meta.url))
