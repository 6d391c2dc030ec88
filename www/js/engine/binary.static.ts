import module from './b2nd.wasm'

/**
 * The wasm as a module that the runtime has compiled: on the edge nothing may be compiled at run time. The build puts
 * this in place of `binary.ts` for the conditions `workerd` and `edge-light`.
 */
export async function binary(): Promise<WebAssembly.Module> {
  return module
}
