// A picture at once of a plane that takes long to read, refined by what arrives.
import { product } from '../../js/base/numbers.js'
import type { Cost } from '../../js/index.js'
import type { Slab } from './loader.js'
import type { Wanted } from './plane.js'
import { Samples } from './samples.js'
import type { Session } from './session.js'

/** Planes with at most this many bytes are read completely without a click. */
const MAX_BYTES = 64e6
const MAX_DECODED_BYTES = 768e6
/** The maximum cost of a plane that follows the first picture at once: another sample would come little earlier. */
const MAX_COST_AT_ONCE = { bytes: 16e6, requests: 96 }
/** Blocks of the first picture: one for each connection that a browser has to a server, so that none waits for another. */
const FIRST = 6
/** The maximum number of blocks between two pictures, and of all blocks before a plane is read completely. */
const BLOCKS = 64

/** Shows a sample of a plane. */
export type ShowSample = (slab: Slab, wanted: Wanted) => Promise<void> | void

/**
 * Shows samples of the plane `wanted`, sharper in steps. Returns when all of it is to be read: soon if that is cheap, otherwise
 * when the user wants it.
 */
export async function refine(
  session: Session,
  wanted: Wanted,
  planned: Promise<Cost>,
  signal: AbortSignal,
  show: ShowSample,
  [x, y]: readonly [number, number] = [session.state.x!, session.state.y!],
): Promise<void> {
  const { dataset } = session
  const samples = new Samples(dataset, wanted, session.state, [x, y], FIRST)
  const block = product(dataset.blocks ?? []) * dataset.itemsize
  let each = Math.max(1, block / (dataset.opened.info.ratio || 1))
  let read = 0
  const more = async (most: number) => {
    const blocks = samples.next(most)
    read += blocks.length
    if (blocks.length) await show(await samples.read(blocks, signal), { ...samples.wanted })
    signal.throwIfAborted()
    return blocks.length
  }
  /** Reads until the budget is spent. Returns the cost of a plane that is not to be read completely yet. */
  const spend = async (): Promise<Cost | null> => {
    if (!read) await more(Math.max(1, Math.min(FIRST, Math.floor(session.budget / each))))
    const cost = await planned
    each = Math.max(1, cost.bytes / Math.max(1, cost.blocks))
    const cheap = (!dataset.remote || cost.bytes <= MAX_BYTES) && cost.decodedBytes <= MAX_DECODED_BYTES
    const completes = cheap || session.allows(cost)
    const atOnce = cost.bytes <= MAX_COST_AT_ONCE.bytes && cost.requests <= MAX_COST_AT_ONCE.requests
    const most = atOnce ? 0 : Math.min(BLOCKS, samples.count / 4)
    for (;;) {
      const left = (completes ? most : session.budget / each) - read
      if (left < 1 || !(await more(Math.min(BLOCKS, Math.floor(left))))) break
    }
    return completes || read >= samples.count ? null : cost
  }
  for (let cost; (cost = await session.busy(spend)); session.budget *= 4)
    if (await session.ask(cost, signal, { share: read / samples.count, bytes: read * each })) return
}
