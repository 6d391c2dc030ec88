// Where the wasm of expressions is: the build puts another file in the place of this one, as for engine/binary.ts.

export { binary } from '../engine/binary.js'
