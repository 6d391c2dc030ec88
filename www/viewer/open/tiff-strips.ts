// Decompression of strips and tiles of a TIFF file, of each no more than its pixels.
import { addDecoder, BaseDecoder, type ImageFileDirectory } from 'geotiff'
import { Inflate } from 'pako'
import { wrong } from './values.js'

/** The needs of decoding a strip: also the bytes that it may have. */
type Parameters = ConstructorParameters<typeof BaseDecoder>[0] & { most: number }

async function parametersOf(directory: ImageFileDirectory): Promise<Parameters> {
  const isTiled = !directory.hasTag('StripOffsets')
  const height = Number(await directory.loadValue('ImageLength'))
  const rows = (await directory.loadValue('RowsPerStrip')) ?? height
  const tileWidth = Number(await directory.loadValue(isTiled ? 'TileWidth' : 'ImageWidth'))
  // Without strips, the number of rows is often the largest there is.
  const tileHeight = isTiled ? Number(await directory.loadValue('TileLength')) : Math.min(rows, height)
  const planarConfiguration = (await directory.loadValue('PlanarConfiguration')) ?? 1
  const bits = Array.from((await directory.loadValue('BitsPerSample')) ?? [1], Number)
  const pixel = planarConfiguration === 2 ? Math.max(...bits) : bits.reduce((sum, bit) => sum + bit, 0)
  return {
    tileWidth,
    tileHeight,
    planarConfiguration,
    bitsPerSample: bits,
    predictor: (await directory.loadValue('Predictor')) ?? 1,
    most: tileHeight * Math.ceil((tileWidth * pixel) / 8),
  }
}

const ENOUGH = new Error('all pixels are there')

abstract class Bounded extends BaseDecoder {
  declare parameters: Parameters
}

class Deflate extends Bounded {
  /** A decompressor of the browser would decompress all that it is given, and there may be thousands of strips. */
  override decodeBlock(strip: ArrayBuffer): ArrayBuffer {
    const { most } = this.parameters
    const out = new Uint8Array(most)
    let to = 0
    const inflate = new Inflate({ chunkSize: Math.min(most, 2 ** 16) })
    inflate.onData = part => {
      out.set(part.subarray(0, most - to), to)
      to += part.length
      if (to >= most) throw ENOUGH
    }
    try {
      inflate.push(new Uint8Array(strip), true)
    } catch (error) {
      if (error !== ENOUGH) throw error
    }
    if (inflate.err) throw wrong(`TIFF: a strip is damaged: ${inflate.msg || inflate.err}`)
    return out.buffer.slice(0, Math.min(to, most))
  }
}

class PackBits extends Bounded {
  override decodeBlock(strip: ArrayBuffer): ArrayBuffer {
    const [from, out] = [new Int8Array(strip), new Int8Array(this.parameters.most)]
    let to = 0
    for (let at = 0; at < from.length && to < out.length;) {
      const count = from[at++]!
      if (count === -128) continue
      const length = Math.min(count < 0 ? 1 - count : 1 + count, out.length - to)
      if (count < 0) out.fill(from[at++] ?? 0, to, to + length)
      else {
        out.set(from.subarray(at, at + length), to)
        at += 1 + count
      }
      to += length
    }
    return out.buffer.slice(0, to)
  }
}

/** Codes of 9 to 12 bits, the most significant first: bytes, two signs, and texts that came before. */
class Lzw extends Bounded {
  override decodeBlock(strip: ArrayBuffer): ArrayBuffer {
    const [from, out] = [new Uint8Array(strip), new Uint8Array(this.parameters.most)]
    const [CLEAR, END] = [256, 257]
    // A text is where it came first: a part of the output.
    const [starts, lengths] = [new Uint32Array(4096), new Uint32Array(4096)]
    let [to, bit, width, next] = [0, 0, 9, 258]
    let last: [start: number, length: number] | null = null
    while (bit + width <= 8 * from.length && to < out.length) {
      const at = bit >> 3
      const code =
        (((from[at]! << 16) | ((from[at + 1] ?? 0) << 8) | (from[at + 2] ?? 0)) >> (24 - width - (bit & 7))) &
        (2 ** width - 1)
      bit += width
      if (code === END) break
      if (code === CLEAR) {
        ;[width, next, last] = [9, 258, null]
        continue
      }
      if (code > 257 && (code > next || !last)) throw wrong(`TIFF: code ${code} of ${next} in a strip`)
      const start = to
      if (code < 256) out[to++] = code
      else {
        const [first, length] = code < next ? [starts[code]!, lengths[code]!] : [last![0], last![1] + 1]
        // Byte by byte: it may overlap what it makes.
        for (let k = 0; k < length && to < out.length; k++) out[to++] = out[first + k]!
      }
      if (last && next < 4096) {
        ;[starts[next], lengths[next]] = [last[0], last[1] + 1]
        next++
      }
      last = [start, to - start]
      if (next + 1 >= 2 ** width && width < 12) width++
    }
    return out.buffer.slice(0, to)
  }
}

/** Replaces the decoders that take what a strip gives, whatever the size of its image. */
export function boundDecoders(): void {
  addDecoder(5, async () => Lzw, parametersOf)
  addDecoder([8, 32946], async () => Deflate, parametersOf)
  addDecoder(32773, async () => PackBits, parametersOf)
}
