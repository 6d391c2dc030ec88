import { batchesOf, decodePart, eachBox, readFacts, planOf, readIndex, type Engine } from '../engine/engine.js'
import { driveSync } from '../engine/exchange.js'
import { excessive, truncated } from '../engine/messages.js'
import { ARRAY, SCHUNK, type Box, type Limits } from '../engine/protocol.js'
import { boxCopier } from './copy-box.js'
import { indices } from './selection.js'

/** Decodes all items of a frame or chunk in memory, in C order, synchronously. */
export function readAllSync(engine: Engine, bytes: Uint8Array, limits: Limits): Uint8Array<ArrayBuffer> {
  const opened = driveSync(answers => readFacts(engine, answers, limits), bytes)
  const items = opened.facts.array ? ARRAY : SCHUNK
  const { nbytes, shape, itemsize } = planOf(opened, items, indices())
  if (nbytes > limits.memory) throw excessive(nbytes, limits.memory)
  const result = new Uint8Array(nbytes)
  const use: (box: Box) => void = boxCopier({ bytes: result, shape, itemsize })
  const reading = { items, indices: indices(), use }
  for (let from = 0, end = 0; from >= 0;) {
    const [nchunks, next, ...runs] = driveSync(answers => readIndex(opened, answers, end), bytes)
    // Their extents are not known. After the last chunk there is none.
    const rows = new Float64Array([...runs.flatMap((number, k) => (k % 2 ? [number, 0] : number)), nchunks!, NaN, 0])
    end = next! < nchunks! ? next! : Infinity
    while (from < end) {
      const part = batchesOf(opened, reading, rows, from, end)
      for (const { tasks, start, end: stop } of part.batches) {
        const segments = [bytes.subarray(start, stop)]
        const job = { ...reading, recipe: opened.recipe, tasks, segments, starts: Float64Array.of(start) }
        const { need } = decodePart(engine, job, output => eachBox(output, use))
        if (need) throw truncated(need[0]!.end, bytes.length, tasks[0])
      }
      from = part.next
    }
  }
  return result
}
