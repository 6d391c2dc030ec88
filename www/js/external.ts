// The wasm module is a file of its own beside this entry, in two builds: with SIMD, and without.
import { bring, compileFrom } from './wasm.js'

/** A function that returns `i32x4.splat(0)`, which only hosts with SIMD take for valid. */
const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11)

bring(() => compileFrom(WebAssembly.validate(SIMD) ? new URL('./b2nd.wasm', import.meta.url) : new URL('./b2nd-scalar.wasm', import.meta.url)))

export * from './main.js'
