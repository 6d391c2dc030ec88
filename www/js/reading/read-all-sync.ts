import { damaged } from '../base/errors.js'
import { countBefore } from '../base/numbers.js'
import { decodePart, eachBox, readFacts, planOf, readChunkInfo, readIndex, type Engine } from '../engine/engine.js'
import { driveSync } from '../engine/exchange.js'
import { excessive, truncated } from '../engine/messages.js'
import { ARRAY, DAMAGED, NCHUNK, SCHUNK, TOUCHED, type IndexPart, type Limits } from '../engine/protocol.js'
import { boxCopier } from './copy-box.js'
import { indices } from './selection.js'

/** The longest header of a chunk. */
const HEAD = 32

/** Decodes all items of a frame or chunk in memory, in C order, synchronously. */
export function readAllSync(engine: Engine, bytes: Uint8Array, limits: Limits): Uint8Array<ArrayBuffer> {
  const opened = driveSync(answers => readFacts(engine, answers, limits), bytes)
  const { recipe } = opened
  const items = opened.facts.array ? ARRAY : SCHUNK
  const everything = indices()
  let plan = planOf(opened, items, everything)
  if (plan.nbytes > limits.memory) throw excessive(plan.nbytes, limits.memory)
  let part: IndexPart = new Float64Array([1, 0])
  const result = new Uint8Array(plan.nbytes)
  const copy = boxCopier(result, plan.shape, plan.itemsize)
  for (; ; plan = planOf(opened, items, everything, plan.next)) {
    for (let at = 0; at < plan.touched.length; at += TOUCHED) {
      const nchunk = plan.touched[at + NCHUNK]!
      // Chunks are in order.
      while (nchunk >= part[1]! && part[1]! < part[0]!)
        part = driveSync(answers => readIndex(opened, answers, part[1]!), bytes)
      const runs = part.subarray(2)
      const location = runs[2 * countBefore(runs.length / 2, k => runs[2 * k]! > nchunk) - 1]!
      if (nchunk >= part[0]! || location <= DAMAGED) throw damaged(nchunk)
      // Pass the whole chunk. Otherwise the engine would request one block after the other.
      const length = location < 0 ? 0 : readChunkInfo(engine, bytes.subarray(location, location + HEAD)).cbytes
      const segments = [bytes.subarray(location, location + length)]
      const job = {
        recipe,
        items,
        indices: everything,
        segments,
        tasks: new Float64Array([nchunk, -1, location]),
        starts: new Float64Array([location]),
      }
      const { need } = decodePart(engine, job, answer => eachBox(answer, copy))
      if (need) throw truncated(length, bytes.length - location, nchunk)
    }
    if (!(plan.next >= 0)) return result
  }
}
