import { base64 } from './inlined.js'

/** The wasm, compressed inside of this package: nothing has to be fetched and no bundler to be told about it. */
export async function binary(): Promise<WebAssembly.Module> {
  const bytes = Uint8Array.from(atob(base64), char => char.charCodeAt(0))
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return WebAssembly.compile(await new Response(plain).arrayBuffer())
}
