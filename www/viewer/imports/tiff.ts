// TIFF and BigTIFF images, and stacks of them.
import { fromBlob, type GeoTIFFImage, type TypedArray } from 'geotiff'
import { product } from '../../js/base/numbers.js'
import type { Reading } from './decode.js'
import { checkSize, unsupported, wrong, type Values } from './values.js'

/** Photometric interpretations whose samples are values. Others are converted to RGB. */
const VALUES = [0, 1, 2]
const DTYPES: Record<string, string | undefined> = {
  Int8Array: '|i1',
  Int16Array: '<i2',
  Int32Array: '<i4',
  Uint8Array: '|u1',
  Uint8ClampedArray: '|u1',
  Uint16Array: '<u2',
  Uint32Array: '<u4',
  Float32Array: '<f4',
  Float64Array: '<f8',
}

/** A file may claim more pages, or refer to them in a circle. */
const MOST_PAGES = 65_536

/** Where the samples of a page begin. */
const placeOf = async ({ fileDirectory }: GeoTIFFImage): Promise<number | undefined> =>
  ((await fileDirectory.loadValue('StripOffsets')) ?? (await fileDirectory.loadValue('TileOffsets')))?.[0]

/** There is no such page. Other errors are thrown. */
function nothing(error: Error): null {
  if (error.message.startsWith('No image at index')) return null
  throw error
}

/** Rows, columns and, for colours, channels. Pages of equal size are the first axis; smaller ones are left out. */
export async function readTiff(file: Blob, _: string, reading: Reading): Promise<Values> {
  const { signal } = reading
  try {
    const tiff = await fromBlob(file)
    const first = await tiff.getImage(0)
    const shape = shapeOf(first)
    const pages = [first]
    const places = new Set([await placeOf(first)])
    for (let page = 1; page < MOST_PAGES; page++) {
      signal.throwIfAborted()
      const next = await tiff.getImage(page).catch(nothing)
      if (!next) break
      const place = await placeOf(next)
      if (places.has(place)) throw wrong('TIFF: the pages refer to each other')
      places.add(place)
      if (String(shapeOf(next)) === String(shape) && next.getSampleFormat() === first.getSampleFormat())
        pages.push(next)
    }
    const size = product(shape) * first.getBytesPerPixel() * pages.length
    checkSize(2 * size, 'the image')
    return await read(pages, shape, reading)
  } catch (cause) {
    signal.throwIfAborted()
    throw failure(cause)
  }
}

/** What is missing in the decoder, and what is wrong with the file. */
function failure(cause: unknown): unknown {
  const { name, message } = cause as Error
  if (name === 'B2ndError') return cause
  return (/unsupported|unknown compression|not supported/i.test(message) ? unsupported : wrong)(
    `TIFF: ${message}`,
    cause,
  )
}

const isPlain = (image: GeoTIFFImage): boolean =>
  VALUES.includes(image.fileDirectory.getValue('PhotometricInterpretation') ?? 1)

function shapeOf(image: GeoTIFFImage): number[] {
  const channels = isPlain(image) ? image.getSamplesPerPixel() : 3
  return [image.getHeight(), image.getWidth(), ...(channels > 1 ? [channels] : [])]
}

/** Bytes to decode at a time. */
const PIECE = 2 ** 24

async function read(pages: readonly GeoTIFFImage[], shape: readonly number[], reading: Reading): Promise<Values> {
  const { signal, onProgress } = reading
  const [height, width] = shape as [number, number]
  const row = product(shape.slice(1))
  let items: TypedArray | undefined
  for (const [number, page] of pages.entries()) {
    // Whole strips or tiles, so that none is decoded twice.
    const tile = page.getTileHeight()
    const step = tile * Math.max(1, Math.floor(PIECE / (row * page.getBytesPerPixel() * tile)))
    for (let top = 0; top < height; top += step) {
      const window = [0, top, width, Math.min(height, top + step)]
      const options = { interleave: true, signal, window } as const
      const part = (await (isPlain(page) ? page.readRasters(options) : page.readRGB(options))) as TypedArray
      items ??= new (part.constructor as new (length: number) => TypedArray)(row * height * pages.length)
      items.set(part, (number * height + top) * row)
      onProgress((number + Math.min(1, (top + step) / height)) / pages.length)
    }
  }
  const name = items!.constructor.name
  const dtype = DTYPES[name]
  if (!dtype) throw unsupported(`TIFF: items of ${name}`)
  return { dtype, shape: pages.length > 1 ? [pages.length, ...shape] : shape, items: items as Uint8Array }
}
