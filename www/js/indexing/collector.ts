import { boxCopier } from '../reading/copy-box.js'
import type { Reading, Use } from '../reading/waves.js'

/** Collects the boxes of a result. `done` gets its items in C order, which are only valid during the call. */
export function collector({ shape, itemsize, nbytes }: Reading, done: (bytes: Uint8Array) => void): Use {
  let bytes: Uint8Array
  let copy: ReturnType<typeof boxCopier> | undefined
  let left = nbytes
  return box => {
    left -= box.bytes.length
    if (!copy && !left) return done(box.bytes)
    copy ??= boxCopier({ bytes: (bytes = new Uint8Array(nbytes)), shape, itemsize })
    copy(box)
    if (!left) done(bytes)
  }
}
