import { download } from './download.js'

/** A module that is valid only with SIMD: it has one function with `i8x16.splat`. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
])

/** Fetches the wasm from a file next to this one. The entry `b2nd/external` has this file instead of `binary.ts`. */
export function binary(): Promise<WebAssembly.Module> {
  return download(
    WebAssembly.validate(SIMD)
      ? new URL('./b2nd.wasm', import.meta.url)
      : new URL('./b2nd.scalar.wasm', import.meta.url),
  )
}
