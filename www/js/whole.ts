import type { Engine } from './engine.js'
import { ARRAY, DAMAGED, isNeed, LIMITS, SCHUNK, type Need } from './job.js'
import { B2ndError, damaged, truncated } from './errors.js'
import { place } from './place.js'
import { indices } from './selection.js'

/** The longest header of a chunk. */
const HEAD = 32

/** All items of a frame or chunk that is in memory, in C order, at once. */
export function decodeWhole(engine: Engine, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const read = ({ start, end }: Need) => bytes.subarray(start, end)
  const { facts, recipe } = ask(answers => engine.open(answers), read)
  const items = facts.array ? ARRAY : SCHUNK
  const everything = indices()
  const plan = engine.plan(recipe, items, everything)
  if (plan.nbytes > LIMITS.memory) {
    throw new B2ndError('limit', `${plan.nbytes} bytes asked for at once, ${LIMITS.memory} allowed`)
  }
  const index = ask(answers => engine.index(recipe, answers), read)
  const result = new Uint8Array(plan.nbytes)
  for (const { nchunk } of plan.chunks) {
    const location = index[nchunk] ?? DAMAGED
    if (location === DAMAGED) throw damaged(nchunk)
    // All of the chunk at once: what is missing would be asked for block by block.
    const end = location < 0 ? 0 : location + engine.chunkInfo(bytes.subarray(location, location + HEAD)).cbytes
    const segments = location < 0 ? [] : [bytes.subarray(location, end)]
    const job = { recipe, items, indices: everything, nchunk, location, starts: [0].slice(0, segments.length), segments }
    const need = engine.decode(job, box => place(box, result, plan.shape, plan.itemsize))
    if (isNeed(need)) throw truncated(end - location, bytes.length - location, nchunk)
  }
  return result
}

/** A conversation with bytes that are all there. */
function ask<T extends object>(call: (answers: readonly Uint8Array[]) => T | Need, read: (need: Need) => Uint8Array): T {
  const answers: Uint8Array[] = []
  for (;;) {
    const answer = call(answers)
    if (!isNeed(answer)) return answer
    answers.push(read(answer))
  }
}
