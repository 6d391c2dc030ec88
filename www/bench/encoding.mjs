// Encoding of chunks of Blosc1 beside numcodecs, both as the codec that zarrita calls.

import { Blosc } from 'b2nd/codecs'
import Numcodecs from 'numcodecs/blosc'
import { computing, medians } from './clock.mjs'

const SHUFFLES = { none: 0, shuffle: 1, bitshuffle: 2 }
/** numcodecs takes items to have so many bytes, whatever they are. */
const TYPESIZE = 4
/** The levels of each data; the default one of all. */
const levels = data => (data === 'f4' ? [1, 5] : [5])

/** Encodes `plain`, which the name of a case describes as codec-shuffle-data, at each level. */
export async function encoding(name, plain) {
  const [cname, shuffle, data] = name.split('-')
  const rows = []
  for (const clevel of levels(data)) {
    const config = { cname, clevel, shuffle: SHUFFLES[shuffle], blocksize: 0 }
    const ours = Blosc.fromConfig({ ...config, typesize: TYPESIZE })
    const theirs = Numcodecs.fromConfig({ id: 'blosc', ...config })
    const chunks = [await ours.encode(plain), await theirs.encode(plain)]
    for (const [k, codec] of [theirs, ours].entries()) {
      if (!Buffer.from(await codec.decode(chunks[k])).equals(plain)) throw new Error(`${name} differs`)
    }
    const times = await medians([() => ours.encode(plain), () => theirs.encode(plain)], computing)
    const [speed, theirSpeed] = times.map(time => plain.length / time / 1e3)
    const sizes = chunks[0].length / chunks[1].length
    rows.push({ name: `${name}-${clevel}`, ours: speed, theirs: theirSpeed, ratio: times[1] / times[0], sizes })
  }
  return rows
}
