import { base64 } from './inlined.js'

/** Compiles the wasm that the package contains as a string. It needs no request and no configuration of bundlers. */
export async function binary(): Promise<WebAssembly.Module> {
  const { process } = globalThis
  if (process?.getBuiltinModule) {
    // Streams and `Response` take 40 ms to load.
    const { Buffer } = process.getBuiltinModule('node:buffer')
    return WebAssembly.compile(process.getBuiltinModule('node:zlib').inflateRawSync(Buffer.from(base64, 'base64')))
  }
  const bytes = Uint8Array.from(atob(base64), char => char.charCodeAt(0))
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return WebAssembly.compile(await new Response(plain).arrayBuffer())
}
