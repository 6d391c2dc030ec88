// Frames that lost their index, put together from their chunks.
import type { RecoveredFrame } from '../../js/write.js'
import type { Source } from '../model/dataset.js'
import { writing } from '../model/writing.js'
import { blobOf } from './head.js'

/** The frame of a file that lost its index. */
export async function recovered(source: Source, signal: AbortSignal): Promise<Source> {
  const [{ recover }, file] = await Promise.all([writing(), blobOf(source.openable, signal)])
  const { frame, ...found } = await recover(file, { signal })
  return { ...source, openable: frame, imported: sentence(found) }
}

const sentence = ({ found, chunks, isCertain }: Omit<RecoveredFrame, 'frame'>): string =>
  isCertain
    ? `Put together from its ${chunks} chunks, since the index is missing.`
    : `${found} of ${chunks} chunks, in the order in which they are stored: ` +
      'they may be in wrong places, since the index is missing.'
