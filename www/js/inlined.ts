import { bring } from './wasm.js'
// Made by the build: the module, deflated, in base64.
import packed from 'b2nd:wasm'

bring(async () => {
  const bytes = Uint8Array.from(atob(packed), character => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return WebAssembly.compile(await new Response(stream).arrayBuffer())
})
