import { base64 } from './inlined.js'

/** Compiles the wasm that the package contains as a string. It needs no request and no configuration of bundlers. */
export async function binary(): Promise<WebAssembly.Module> {
  const bytes = Uint8Array.from(atob(base64), char => char.charCodeAt(0))
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return WebAssembly.compile(await new Response(plain).arrayBuffer())
}
