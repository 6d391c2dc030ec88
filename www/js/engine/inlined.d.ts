/** The wasm with SIMD, compressed with deflate, or with LZMA for `binary.packed.ts`, in base64. The build writes it. */
export declare const base64: string
