import { B2ndError, wrapError } from '../base/errors.js'

/** Fetches and compiles wasm. Compiles while it arrives, if the server sends the content type `application/wasm`. */
export async function download(url: string | URL): Promise<WebAssembly.Module> {
  const response = await fetch(url).catch((cause: unknown) => {
    throw wrapError('network', `the wasm at ${url}`, cause)
  })
  if (!response.ok)
    throw new B2ndError('http', `the wasm at ${url}: HTTP status ${response.status}`, {
      url: response.url,
      status: response.status,
    })
  if (response.headers.get('content-type')?.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(response)
  }
  return WebAssembly.compile(await response.arrayBuffer())
}
