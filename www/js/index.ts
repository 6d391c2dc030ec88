// The wasm module is part of this entry: nothing to configure. It is unpacked when it is first needed.
import './inlined.js'

export * from './main.js'
