import { argument } from './errors.js'

/** Compiles while the bytes arrive; where the server does not call them wasm, afterwards. */
export async function download(url: string | URL): Promise<WebAssembly.Module> {
  const response = await fetch(url)
  if (!response.ok) throw argument(`the wasm at ${url}: HTTP status ${response.status}`)
  if (response.headers.get('content-type')?.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(response)
  }
  return WebAssembly.compile(await response.arrayBuffer())
}
