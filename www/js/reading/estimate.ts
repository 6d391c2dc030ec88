import { yieldThen } from '../base/yielding.js'
import { likelySpans } from '../engine/engine.js'
import type { Traffic } from './cache.js'
import { bytesOf, type Range } from './ranges.js'
import { spansOf } from './read-chunks.js'
import { waves, type Batch, type Reading } from './waves.js'

/**
 * The cost of reading a selection. If `exact` is false, some chunk heads, which locate the blocks, are not cached. `requests` and
 * `bytes` then assume that the blocks of a chunk have similar sizes and are in order.
 */
export interface Cost extends Traffic {
  /** Upper bound of the requests. */
  requestsMax: number
  /** Upper bound of the bytes. */
  bytesMax: number
  /** Whether `requests` and `bytes` are exact. */
  exact: boolean
  /** Size of the result in bytes. */
  decodedBytes: number
  /** The number of touched chunks. */
  chunks: number
  /** The number of wanted blocks in stored chunks. */
  blocks: number
}

/** Estimates the cost of reading now, in the same waves as reading. */
export async function estimate(
  reading: Reading,
  groups: AsyncIterable<readonly Batch[]> = waves([reading]),
): Promise<Cost> {
  const { frame, items, nbytes, chunks } = reading
  const { cache, facts } = frame
  const cost = {
    requests: 0,
    bytes: 0,
    requestsMax: 0,
    bytesMax: 0,
    exact: !facts.sparse,
    decodedBytes: nbytes,
    chunks,
    blocks: 0,
  }
  // Blocks that others depend on: a dictionary, or the first block.
  const shared = facts.filters.length + 1
  for await (const batches of groups) {
    const rest: Range[] = []
    let separate = 0
    let bytes = 0
    for (const batch of batches) {
      const { wanted, nbytes, blocks, extent, head } = batch
      cost.blocks += wanted
      if (batch.whole) continue
      if (cache.cost([batch]).requests === 0) {
        const { ranges } = await spansOf(batch, (await frame.read([batch]))[0]!)
        rest.push(...ranges)
        separate += ranges.length
        bytes += bytesOf(ranges)
        continue
      }
      cost.exact = false
      // The size of a chunk file is unknown.
      const likely = facts.sparse ? Math.ceil(nbytes * (facts.cbytes / facts.nbytes)) : extent
      const [nchunk, piece, location] = batch.tasks as unknown as [number, number, number]
      const spans = await yieldThen(() => likelySpans(frame, items, batch.reading.indices, { nchunk, piece }, likely))
      rest.push(...spans.map(span => frame.range(location, ...span)))
      separate += wanted + shared
      bytes += Math.min(extent - head, (wanted + shared) * maxBytesOf(nbytes / blocks, facts.typesize))
    }
    const [now, later] = await yieldThen(() => [cache.cost(batches), cache.cost(rest)])
    cost.requests += now.requests + later.requests
    cost.bytes += now.bytes + later.bytes
    cost.requestsMax += now.requests + Math.max(separate, later.requests)
    cost.bytesMax += now.bytes + Math.max(bytes * (1 + cache.waste), later.bytes)
  }
  if (cost.exact) {
    cost.requestsMax = cost.requests
    cost.bytesMax = cost.bytes
  }
  cost.bytesMax = Math.ceil(cost.bytesMax)
  return cost
}

/** The largest compressed size of a block: each of its streams may grow a little. */
const maxBytesOf = (nbytes: number, typesize: number): number => (nbytes * 7) / 6 + 68 * Math.min(typesize, 255) + 64
