import { base64 } from './inlined.js'
import { unpack } from './lzma.js'

/** Compiles the wasm that the package contains as a string, compressed with LZMA. */
export async function binary(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(unpack(Uint8Array.from(atob(base64), char => char.charCodeAt(0))))
}
