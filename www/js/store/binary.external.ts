import { download } from '../engine/download.js'

/** Fetches the wasm of stores from a file next to this one. */
export const binary = (): Promise<WebAssembly.Module> => download(new URL('./store.wasm', import.meta.url))
