// Lazy arrays with their operands.
import { operandsBeside } from '../../js/expression.js'
import { open, type NDArray, type Openable, type OpenOptions, type SChunk } from '../../js/index.js'

/** The lazy array at a URL, computed from the files beside it; as it is stored if one of them cannot be opened. */
export async function computed(
  { openable, url }: { openable: Openable; url?: string },
  stored: NDArray | SChunk,
  options: OpenOptions,
): Promise<NDArray | SChunk> {
  try {
    const array = await open(openable, { ...options, operands: operandsBeside(url!, options) })
    await stored.close()
    return array
  } catch (error) {
    if (options.signal?.aborted) throw error
    return stored
  }
}
