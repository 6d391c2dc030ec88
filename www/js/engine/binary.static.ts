import module from './b2nd.wasm'

/**
 * Imports the wasm as a module. Edge runtimes forbid compiling at run time. The entries for the conditions `workerd` and
 * `edge-light` have this file instead of `binary.ts`.
 */
export async function binary(): Promise<WebAssembly.Module> {
  return module
}
