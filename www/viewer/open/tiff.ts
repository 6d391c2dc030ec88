// TIFF and BigTIFF images, and stacks of them.
import { fromBlob, type GeoTIFFImage, type TypedArray } from 'geotiff'
import { product } from '../../js/base/numbers.js'
import { sizeIn } from './image-size.js'
import { hyperstack } from './imagej.js'
import { bytesOf } from './npy.js'
import { checkDirectories, MOST_PAGES } from './tiff-directories.js'
import { boundDecoders } from './tiff-strips.js'
import { checkGrowth, checkSize, unsupported, wrong, type Reading, type Values } from './values.js'

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

boundDecoders()

/** There is no such page. Other errors are thrown. */
function nothing(error: Error): null {
  if (error.message.startsWith('No image at index')) return null
  throw error
}

/** Rows, columns and, for colours, channels. Pages of equal size are the first axis; smaller ones are left out. */
export async function readTiff(file: Blob, _: string, reading: Reading): Promise<Values> {
  const { signal } = reading
  try {
    await checkDirectories(file)
    const tiff = await fromBlob(file)
    const first = await tiff.getImage(0)
    const shape = shapeOf(first)
    const pages = [first]
    for (let page = 1; page < MOST_PAGES; page++) {
      signal.throwIfAborted()
      const next = await tiff.getImage(page).catch(nothing)
      if (!next) break
      if (String(shapeOf(next)) === String(shape) && next.getSampleFormat() === first.getSampleFormat())
        pages.push(next)
    }
    for (const page of pages) await checkTiles(page, file)
    const what = `${pages.length > 1 ? `${pages.length} pages` : 'an image'} of ${shape[1]} × ${shape[0]} pixels`
    const size = product(shape.slice(0, 2)) * first.getBytesPerPixel() * pages.length
    checkSize(2 * size, what)
    checkGrowth(size, file.size, what)
    const values = await read(pages, shape, reading)
    return { ...values, ...(await described(first, pages.length, shape)) }
  } catch (cause) {
    signal.throwIfAborted()
    throw errorFor(cause)
  }
}

/** The shape and the attributes of a hyperstack of ImageJ. */
async function described(
  { fileDirectory }: GeoTIFFImage,
  pages: number,
  shape: readonly number[],
): Promise<Pick<Values, 'shape' | 'attrs'> | null> {
  const load = (name: 'XResolution' | 'YResolution') => Promise.resolve(fileDirectory.loadValue(name)).catch(() => null)
  const text: unknown = await Promise.resolve(fileDirectory.loadValue('ImageDescription')).catch(() => null)
  if (typeof text !== 'string' || shape.length > 2) return null
  const [across, down] = (await Promise.all([load('XResolution'), load('YResolution')])).map(value => {
    const [above = 0, below = 1] = (value ?? []) as ArrayLike<number> & Iterable<number>
    return above / below
  })
  const stack = hyperstack(text, pages, across!, down!)
  return stack && { shape: [...stack.lengths, ...shape], attrs: stack.attrs }
}

/** The error for what the decoder throws: what it lacks is `unsupported`, what else it refuses is the file's. */
function errorFor(cause: unknown): unknown {
  const { name, message } = cause as Error
  if (name === 'B2ndError') return cause
  return (/unsupported|unknown compression|not supported/i.test(message) ? unsupported : wrong)(
    `TIFF: ${message}`,
    cause,
  )
}

/** Fails unless each strip or tile of a page has a place, and a size that the page explains. */
async function checkTiles(page: GeoTIFFImage, file: Blob): Promise<void> {
  const { fileDirectory, isTiled, planarConfiguration } = page
  const [width, height] = [page.getWidth(), page.getHeight()]
  const [tileWidth, tileHeight] = [page.getTileWidth(), page.getTileHeight()]
  if (!(width > 0 && height > 0)) throw wrong(`TIFF: ${width} × ${height} pixels`)
  if (!(tileWidth > 0 && tileHeight > 0)) throw wrong(`TIFF: tiles of ${tileWidth} × ${tileHeight} pixels`)
  const [samples, bits] = [page.getSamplesPerPixel(), (await fileDirectory.loadValue('BitsPerSample'))?.length ?? 0]
  if (samples !== bits) throw wrong(`TIFF: ${samples} samples, and the bits of ${bits}`)
  if (tileWidth * tileHeight > Math.max(LARGE_TILE, 4 * width * height))
    throw wrong(`TIFF: tiles of ${tileWidth} × ${tileHeight} pixels in an image of ${width} × ${height}`)
  const planes = planarConfiguration === 2 ? samples : 1
  const tiles = Math.ceil(width / tileWidth) * Math.ceil(height / tileHeight) * planes
  const [starts, lengths] = await Promise.all((isTiled ? TILES : STRIPS).map(name => fileDirectory.loadValue(name)))
  const there = Math.min(starts?.length ?? 0, lengths?.length ?? 0)
  if (there < tiles) throw wrong(`TIFF: ${tiles} ${isTiled ? 'tiles' : 'strips'}, and the places of ${there}`)
  const isImages = IMAGES.includes(fileDirectory.getValue('Compression') ?? 1)
  for (let tile = 0; tile < tiles; tile++) {
    const [start, length] = [Number(starts![tile]), Number(lengths![tile])]
    if (start + length > file.size)
      throw wrong(
        `TIFF: ${isTiled ? 'tile' : 'strip'} ${tile} is at byte ${start}, and the file has ${file.size} bytes`,
      )
    const [across, down] = (isImages && sizeIn(await bytesOf(file, start, start + length))) || [0, 0]
    if (across * down > tileWidth * tileHeight)
      throw wrong(
        `TIFF: tile ${tile} is an image of ${across} × ${down} pixels instead of ${tileWidth} × ${tileHeight}`,
      )
  }
}

/** Compressions that have a size of their own: JPEG and WebP. */
const IMAGES = [7, 50001]

const TILES = ['TileOffsets', 'TileByteCounts'] as const
const STRIPS = ['StripOffsets', 'StripByteCounts'] as const
/** Tiles of fewer pixels may be larger than their image. */
const LARGE_TILE = 2 ** 22

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
