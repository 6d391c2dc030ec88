import { download } from './download.js'

/** A function that is valid where SIMD is: `i8x16.splat` and back. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
])

/** The wasm from the files beside this one. The build puts this in place of `binary.ts` for the entry `b2nd/external`. */
export function binary(): Promise<WebAssembly.Module> {
  return download(
    WebAssembly.validate(SIMD)
      ? new URL('./b2nd.wasm', import.meta.url)
      : new URL('./b2nd.scalar.wasm', import.meta.url),
  )
}
