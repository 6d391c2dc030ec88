/** The wasm with SIMD, compressed with deflate, in base64. The build writes it. */
export declare const base64: string
