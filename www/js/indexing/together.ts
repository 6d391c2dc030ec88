import { boxCopier } from '../reading/copy-box.js'
import { waves, weightOf, type Reading, type Use, type Wave } from '../reading/waves.js'

/** The waves of several readings of one frame, in groups of which each is about as large as one wave. */
export async function* grouped(readings: Iterable<Reading>): AsyncGenerator<Wave[], void, undefined> {
  let group: Wave[] = []
  let sum = 0
  for (const reading of readings) {
    for await (const wave of waves(reading)) {
      const weight = wave.reduce((sum, part) => sum + weightOf(part), 0)
      if (sum + weight > 1 && group.length) {
        yield group
        group = []
        sum = 0
      }
      group.push(...wave)
      sum += weight
    }
  }
  if (group.length) yield group
}

/** Collects the boxes of a result. `done` gets its items in C order, which are only valid during the call. */
export function collector({ shape, itemsize, nbytes }: Reading, done: (bytes: Uint8Array) => void): Use {
  let bytes: Uint8Array
  let copy: ReturnType<typeof boxCopier> | undefined
  let left = nbytes
  return box => {
    left -= box.bytes.length
    if (!copy && !left) return done(box.bytes)
    copy ??= boxCopier((bytes = new Uint8Array(nbytes)), shape, itemsize)
    copy(box)
    if (!left) done(bytes)
  }
}
