// PNG images with all their bits.
import { decode } from 'fast-png'
import { inflated } from './inflate.js'
import { image, type Samples } from './picture.js'
import { checkGrowth, checkSize, unsupported, wrong, type Values } from './values.js'

/** The chunks with pixels. Others may have anything, such as a profile that becomes large. */
const PIXELS = ['IHDR', 'PLTE', 'IDAT', 'tRNS', 'IEND']
/** The channels by the type of colour. */
const CHANNELS: Record<number, number | undefined> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
/** The passes of an interlaced image: first column and row, and the steps. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

interface Header {
  width: number
  height: number
  depth: number
  channels: number
  isInterlaced: boolean
}

export async function readPng(file: Blob): Promise<Values> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const header = headerIn(bytes)
  const chunks = chunksIn(bytes)
  await checkPixels(chunks, header)
  const pixels = new Blob([bytes.subarray(0, 8), ...chunks.map(({ whole }) => whole)])
  try {
    const { width, height, depth, channels } = header
    const { data, palette } = decode(await pixels.arrayBuffer(), { checkCrc: true })
    const samples = depth < 8 ? unpacked(data as Uint8Array, width, height, depth) : (data as Samples)
    if (palette) return image(coloured(samples, palette), height, width, palette[0]!.length)
    return image(depth === 16 ? samples : new Uint8Array(samples), height, width, channels)
  } catch (cause) {
    throw wrong(`PNG: ${(cause as Error).message}`, cause)
  }
}

/** Fails if an image of this size cannot be in the file. */
function headerIn(bytes: Uint8Array): Header {
  if (bytes.length < 33) throw wrong('PNG: the file ends in the header')
  const view = new DataView(bytes.buffer)
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const [depth, kind, isInterlaced] = [bytes[24]!, bytes[25]!, bytes[28] === 1]
  const channels = CHANNELS[kind]
  if (!width || !height) throw wrong(`PNG: ${width} × ${height} pixels`)
  if (!channels || ![1, 2, 4, 8, 16].includes(depth)) throw wrong(`PNG: colours of type ${kind} with ${depth} bits`)
  if (isInterlaced && depth < 8) throw unsupported('PNG: an interlaced image with fewer than 8 bits')
  const size = width * height * (kind === 3 ? 4 : channels * Math.ceil(depth / 8))
  checkSize(2 * size, `an image of ${width} × ${height} pixels`)
  checkGrowth(size, bytes.length, `an image of ${width} × ${height} pixels`)
  return { width, height, depth, channels, isInterlaced }
}

interface Chunk {
  name: string
  whole: Uint8Array<ArrayBuffer>
  data: Uint8Array<ArrayBuffer>
}

/** The chunks with pixels. */
function chunksIn(bytes: Uint8Array<ArrayBuffer>): Chunk[] {
  const view = new DataView(bytes.buffer)
  const chunks: Chunk[] = []
  for (let at = 8, name = ''; name !== 'IEND';) {
    if (at + 12 > bytes.length) throw wrong(`PNG: the file ends at byte ${bytes.length}, in a chunk`)
    const end = at + 12 + view.getUint32(at)
    name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (end > bytes.length) throw wrong(`PNG: chunk ${JSON.stringify(name)} at byte ${at} ends after the file`)
    if (PIXELS.includes(name))
      chunks.push({ name, whole: bytes.subarray(at, end), data: bytes.subarray(at + 8, end - 4) })
    at = end
  }
  return chunks
}

/** Fails unless the stream of pixels has just the bytes that the header wants. */
async function checkPixels(
  chunks: readonly Chunk[],
  { width, height, depth, channels, isInterlaced }: Header,
): Promise<void> {
  const row = (columns: number) => 1 + Math.ceil((columns * depth * channels) / 8)
  const passes = isInterlaced ? PASSES : ([[0, 0, 1, 1]] as const)
  const expected = passes.reduce((sum, [x, y, right, down]) => {
    const [columns, rows] = [Math.ceil((width - x) / right), Math.ceil((height - y) / down)]
    return sum + (columns > 0 && rows > 0 ? rows * row(columns) : 0)
  }, 0)
  const stream = new Blob(chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data))
  let found = 0
  try {
    for await (const { length } of inflated(stream, 'deflate', expected + 1)) found += length
  } catch (cause) {
    throw wrong(`PNG: the pixels are damaged after ${found} of ${expected} bytes`, cause)
  }
  if (found < expected) throw wrong(`PNG: the pixels end after ${found} of ${expected} bytes`)
  if (found > expected) throw wrong(`PNG: there are more pixels than ${width} × ${height}`)
}

/** Values of 1, 2 or 4 bits, of which each row begins with a byte. */
function unpacked(data: Uint8Array, width: number, height: number, depth: number): Uint8Array {
  const stride = Math.ceil((width * depth) / 8)
  const out = new Uint8Array(width * height)
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const bit = x * depth
      out[to++] = (data[y * stride + (bit >> 3)]! >> (8 - depth - (bit & 7))) & (2 ** depth - 1)
    }
  return out
}

/** The colours of a palette. */
function coloured(samples: Samples, palette: readonly (readonly number[])[]): Uint8Array {
  const channels = palette[0]!.length
  const colours = Uint8Array.from(palette.flat())
  const out = new Uint8Array(samples.length * channels)
  for (let k = 0, to = 0; k < samples.length; k++) {
    const from = samples[k]! * channels
    if (from >= colours.length) throw new Error(`colour ${samples[k]} of ${palette.length}`)
    for (let channel = 0; channel < channels; channel++) out[to++] = colours[from + channel]!
  }
  return out
}
