export { b2ndWith } from './b2nd.js'
export { getSlice } from './slice.js'
