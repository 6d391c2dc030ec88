import { inTurn } from '../base/turns.js'
import { likelySpans } from '../engine/engine.js'
import type { Traffic } from './cache.js'
import { bytesOf, type Range } from './ranges.js'
import { spansOf } from './read-chunks.js'
import { batched, chunkAt, storedBlocks, touchedBy, waves, type Reading } from './waves.js'

/**
 * What a selection would cost. Where `exact` is false, the heads of some chunks, which tell where their blocks are, have not
 * been read: `requests` and `bytes` are what it takes if the blocks of a chunk are about alike and lie in order.
 */
export interface Cost extends Traffic {
  /** Requests at most. */
  requestsMax: number
  /** Bytes that they bring at most. */
  bytesMax: number
  /** Whether `requests` and `bytes` are exact. */
  exact: boolean
  /** Bytes of the result. */
  decodedBytes: number
  /** Chunks that are touched. */
  chunks: number
  /** Blocks that are wanted of those chunks that are stored. */
  blocks: number
}

/** What reading would cost now, wave by wave as it is read. */
export async function estimate(reading: Reading): Promise<Cost> {
  const { frame, items, indices, nbytes, chunks } = reading
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
  // What others refer to: a dictionary, or the first block.
  const shared = facts.filters.length + 1
  for await (const wave of waves(reading, touchedBy(reading, true))) {
    const batches = batched(frame, wave)
    const rest: Range[] = []
    let spans = 0
    let bytes = 0
    cost.blocks += storedBlocks(wave)
    for (const range of batches) {
      if (range.whole) continue
      const chunk = chunkAt(wave, range.from)
      const { location, first, wanted, blocks, extent } = chunk
      if (cache.cost([range]).requests === 0) {
        const { ranges } = await spansOf(reading, chunk, await frame.read(range))
        rest.push(...ranges)
        spans += ranges.length
        bytes += bytesOf(ranges)
        continue
      }
      cost.exact = false
      // Of a chunk in a file of its own nobody knows how long that is.
      const likely = facts.sparse ? Math.ceil(chunk.nbytes * (facts.cbytes / facts.nbytes)) : extent
      for (const [start, end] of await inTurn(() => likelySpans(frame, items, indices, chunk, likely))) {
        rest.push(frame.range(location, start, end))
      }
      spans += wanted + shared
      bytes += Math.min(extent - first, (wanted + shared) * mostOf(chunk.nbytes / blocks, facts.typesize))
    }
    const [now, later] = await inTurn(() => [cache.cost(batches), cache.cost(rest)])
    cost.requests += now.requests + later.requests
    cost.bytes += now.bytes + later.bytes
    cost.requestsMax += now.requests + Math.max(spans, later.requests)
    cost.bytesMax += now.bytes + Math.max(bytes * (1 + cache.waste), later.bytes)
  }
  return cost.exact
    ? { ...cost, requestsMax: cost.requests, bytesMax: cost.bytes }
    : { ...cost, bytesMax: Math.ceil(cost.bytesMax) }
}

/** The most bytes that a block of so many takes: each of its streams may become a little longer. */
const mostOf = (nbytes: number, typesize: number): number => (nbytes * 7) / 6 + 68 * Math.min(typesize, 255) + 64
