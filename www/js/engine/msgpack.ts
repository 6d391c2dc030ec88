import { copyOf } from '../base/bytes.js'
import type { Engine } from './engine.js'
import { getEngine } from './init.js'
import { LIMITS, type Recipe } from './protocol.js'
import { valueInSteps } from './values.js'

/**
 * Decodes MessagePack in short steps. Maps become objects without prototype and with string keys. Integers beyond 2^53 become
 * bigints. Fails as `limit` if the values take more than `most` bytes of memory, about.
 */
export async function decodeMsgpack(bytes: Uint8Array, most = Infinity): Promise<unknown> {
  return unpacked(await getEngine(), { answers: [], limits: { ...LIMITS, memory: most, metadata: most } }, bytes, 0, 1)
}

/**
 * Decodes MessagePack, whose values may take `used` bytes less than the limit of metadata; unless it is `plain`, with what python-blosc2
 * means by extensions.
 */
export const unpacked = (
  engine: Engine,
  recipe: Recipe,
  bytes: Uint8Array,
  used: number,
  plain = 0,
): Promise<unknown> => valueInSteps(engine.call(recipe, 'value', bytes, copyOf, used, plain))
