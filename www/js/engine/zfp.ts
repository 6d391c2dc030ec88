/**
 * Compiles the wasm that also decodes ZFP. This file is an entry of the package, so that `binary.ts` is another one here; `init.ts`
 * imports it when the first array with ZFP is opened.
 */
export { binary } from './binary.js'
