/** The wasm, compiled. */
declare const module: WebAssembly.Module
export default module
