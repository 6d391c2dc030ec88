// The metadata of mlarray: a pickle, compressed by gzip, as an attribute.
import type { Attributes } from '../../js/index.js'
import { unpickled } from './pickle.js'

/** The most bytes of metadata that are read. */
const MAX_BYTES = 2 ** 20

/** The attributes with the metadata of mlarray as objects. Those of a form that is not known stay as they are. */
export async function withMlarray(attributes: Attributes): Promise<Attributes> {
  const stored = attributes['mlarray']
  if (!(stored instanceof Uint8Array)) return attributes
  try {
    return { ...attributes, mlarray: unpickled(await gunzipped(stored as Uint8Array<ArrayBuffer>)) }
  } catch {
    return attributes
  }
}

async function gunzipped(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  const all = new Uint8Array(MAX_BYTES)
  for (let size = 0; ;) {
    const { value } = await reader.read()
    if (!value) return all.subarray(0, size)
    if (size + value.length > MAX_BYTES) {
      void reader.cancel()
      throw new RangeError('too much metadata')
    }
    all.set(value, size)
    size += value.length
  }
}
