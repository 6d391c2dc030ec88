/** The wasm module, deflated, in base64: made by the build. */
declare module 'b2nd:wasm' {
  const packed: string
  export default packed
}
