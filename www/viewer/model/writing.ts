// The part of the library that writes. It has a wasm of its own, and both are loaded when first needed.
import type * as library from '../../js/write.js'

/** Loads the functions that write. */
export async function writing(): Promise<typeof library> {
  const write = await import('../../js/write.js')
  await write.init({ url: new URL('./write.wasm', import.meta.url) })
  return write
}
