/** The compiled wasm. */
declare const module: WebAssembly.Module
export default module
