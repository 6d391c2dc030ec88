import { B2ndError } from './errors.js'

/** Fetches and compiles a module, while it arrives where the server names its type. */
export async function download(url: string | URL): Promise<WebAssembly.Module> {
  const response = await fetch(url)
  if (!response.ok) throw new B2ndError('http', `no wasm at ${url}`, { url: String(url), status: response.status })
  const streams = response.headers.get('content-type')?.startsWith('application/wasm')
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer())
}
